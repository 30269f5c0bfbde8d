/** What an answer, or the lack of one, means for what to do next. */
import { notSentReason } from '../kit/not-sent.ts'
import { ConnectorError, type ConnectorParams } from '../kit/problem.ts'
import { retryAfter } from '../kit/retry-after.ts'

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base address, without the query. */
  readonly path: string
  /** Whether the path names one account. */
  readonly account: boolean
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as JSON object; undefined when there is none. */
  readonly body: Readonly<Record<string, unknown>> | undefined
}

const LONGEST_WORDS = 300
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

export const isErrorBody = (body: Answer['body']): boolean => Array.isArray(body?.schemas) && body.schemas.includes(ERROR_SCHEMA)

const name = (asked: Asked): string => `${asked.method} ${asked.path}`

/**
 * An answer that proves nothing. A write may have happened (TARGET_UNCERTAIN); a read has changed nothing, so it is the target that does not speak
 * the protocol (TARGET_UNEXPECTED).
 */
export const unproven = (asked: Asked, reason: string, detail = reason): ConnectorError =>
  new ConnectorError({
    code: asked.method === 'GET' ? 'TARGET_UNEXPECTED' : 'TARGET_UNCERTAIN',
    params: { reason },
    retryable: true,
    detail: `${name(asked)}: ${detail}`,
  })

const words = (answer: Answer): string => {
  const said = answer.body?.detail ?? answer.body?.message ?? answer.body?.error_description
  return typeof said === 'string' ? said.replace(/\s+/g, ' ').slice(0, LONGEST_WORDS).toWellFormed() : ''
}

const paramsOf = (answer: Answer): ConnectorParams => {
  const scimType = answer.body?.scimType
  const said = words(answer)
  return { status: answer.status, ...(typeof scimType === 'string' ? { scimType } : {}), ...(said ? { message: said } : {}) }
}

const redirected = (asked: Asked, answer: Answer): ConnectorError => {
  const location = answer.headers.location
  const host = typeof location === 'string' ? URL.parse(location, 'http://same-host')?.host : undefined
  return unproven(asked, 'redirect', `redirected to ${host ?? 'nowhere'}, not followed`)
}

const isUniqueness = (answer: Answer): boolean => answer.status === 409 || (answer.status === 400 && answer.body?.scimType === 'uniqueness')

/** The error that an answer without success stands for. */
export const problemOf = (asked: Asked, answer: Answer, now: Date): ConnectorError => {
  const { status } = answer
  if (status < 400) return redirected(asked, answer)
  const said = words(answer)
  const detail = `${name(asked)}: ${status}${said ? ` ${said}` : ''}`
  const make = (code: ConnectorError['code'], retryable = false) =>
    new ConnectorError({ code, params: paramsOf(answer), retryable, detail })
  if (status === 429 || status === 503) {
    const retryAfterSeconds = retryAfter(answer.headers['retry-after'], now)
    const code = status === 429 ? 'TARGET_THROTTLED' : 'TARGET_UNAVAILABLE'
    return new ConnectorError({
      code,
      params: paramsOf(answer),
      retryable: true,
      detail,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
  }
  if (isUniqueness(answer)) return make('TARGET_EXISTS')
  if (status === 401) return make('TARGET_UNAUTHORISED')
  if (status === 403) return make('TARGET_FORBIDDEN')
  if (status === 404 || status === 410) return asked.account ? make('TARGET_GONE') : make('TARGET_UNEXPECTED')
  if (status >= 500 && status !== 501) return make(asked.method === 'GET' ? 'TARGET_UNAVAILABLE' : 'TARGET_UNCERTAIN', true)
  if (status === 408) return unproven(asked, 'timeout', detail)
  return make('TARGET_REFUSED')
}

/** The error that a failed request stands for; `code` is Node's or undici's. */
export const problemOfFailure = (asked: Asked, code: string, cause: unknown): ConnectorError => {
  const reason = notSentReason(code)
  if (reason === undefined) {
    const timeout = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
    return unproven(asked, timeout ? 'timeout' : 'reset', code)
  }
  return new ConnectorError({ code: 'TARGET_UNREACHABLE', params: { reason }, retryable: true, detail: `${name(asked)}: ${code}`, cause })
}
