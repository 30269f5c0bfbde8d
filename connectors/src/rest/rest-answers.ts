/** What an answer that is not a page of records means. */
import { ConnectorError, type ConnectorParams, type SourceCode } from '../kit/problem.ts'
import { retryAfter } from '../kit/retry-after.ts'

export interface RestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** False where bytes were no UTF-8, as which all JSON travels (RFC 8259 section 8.1). */
  readonly isUtf8: boolean
}

/** Where in a fetch something happened: which page, from whom. */
export interface Place {
  readonly host: string
  /** From 1; 0 is the request for a token. */
  readonly page: number
}

const LONGEST_WORDS = 200

/** An error about one page. */
export const pageProblem = (code: SourceCode, place: Place, more: { params?: ConnectorParams; retryable?: boolean } = {}): ConnectorError =>
  new ConnectorError({
    code,
    params: { host: place.host, page: place.page, ...more.params },
    retryable: more.retryable ?? false,
    detail: `${place.host}, page ${place.page}`,
  })

/** The first value of a header. */
export const headerOf = (answer: RestAnswer, name: string): string => {
  const value = answer.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** Whether an answer is a web page, which is what a sign-in or a proxy answers with. */
export const isWebPage = (answer: RestAnswer): boolean =>
  /^(text\/html|application\/xhtml)/i.test(headerOf(answer, 'content-type').trim()) ||
  /^\s*<(!doctype html|html|head|body)\b/i.test(answer.text.slice(0, 500))

/** What the system says itself, in one short line, where it says it as most do. */
const saidBy = (answer: RestAnswer): string => {
  try {
    const body = JSON.parse(answer.text) as Record<string, unknown> | null
    const error = body?.['error'] as unknown
    const inner = typeof error === 'object' && error !== null ? (error as Record<string, unknown>)['message'] : error
    const said = body?.['message'] ?? body?.['error_description'] ?? body?.['detail'] ?? body?.['title'] ?? inner
    return typeof said === 'string' ? said.replace(/\s+/g, ' ').slice(0, LONGEST_WORDS).toWellFormed() : ''
  } catch {
    return ''
  }
}

const codeOf = (status: number): SourceCode => {
  if (status === 401) return 'SOURCE_UNAUTHORISED'
  if (status === 403) return 'SOURCE_FORBIDDEN'
  if (status === 429) return 'SOURCE_THROTTLED'
  if (status === 408 || status >= 500) return 'SOURCE_UNAVAILABLE'
  return 'SOURCE_REFUSED'
}

/** The error that an answer without success stands for. */
export const answerProblem = (answer: RestAnswer, place: Place, now: Date): ConnectorError => {
  const { status } = answer
  const code = codeOf(status)
  const wait = retryAfter(answer.headers['retry-after'], now)
  const message = saidBy(answer)
  return new ConnectorError({
    code,
    params: { host: place.host, page: place.page, status, message },
    retryable: code === 'SOURCE_THROTTLED' || (code === 'SOURCE_UNAVAILABLE' && status !== 501),
    detail: `${place.host}, page ${place.page}: ${status}${message ? ` ${message}` : ''}`,
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  })
}
