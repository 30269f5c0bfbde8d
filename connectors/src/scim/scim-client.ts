import { type Dispatcher, Pool } from 'undici'
import { ConnectorError } from '../kit/problem.ts'
import { beginRequest } from '../kit/request-trace.ts'
import { ADDRESS_REFUSED } from '../kit/source-address.ts'
import { guardedLookup } from './scim-address.ts'
import { type Answer, type Asked, isErrorBody, problemOf, problemOfFailure, unproven } from './scim-answers.ts'
import type { ScimSettings } from './scim-settings.ts'

export interface ScimOptions {
  /** Connections kept open to the target. Default 8. */
  readonly connections?: number | undefined
  /** For the whole of one request, the body included. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Instead of an own pool; it is not closed by `close`. */
  readonly dispatcher?: Dispatcher | undefined
  readonly now?: (() => Date) | undefined
}

export interface ScimRequest {
  readonly method: Asked['method']
  /** Names one account; absent for the collection. */
  readonly remoteId?: string | undefined
  readonly query?: string | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export interface ScimClient {
  /** An answer of success: its status, headers and body. Throws ConnectorError for every other. */
  request(request: ScimRequest): Promise<Answer>
  close(): Promise<void>
}

const CONNECTIONS = 8
const TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000
const BODY_LIMIT = 1_048_576

/** An id is the target's own text: it stays one segment of the path, whatever stands in it. */
const segment = (id: string): string => encodeURIComponent(id.toWellFormed()).replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length))

const readBody = async (body: Dispatcher.ResponseData['body'], asked: Asked): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > BODY_LIMIT) throw unproven(asked, 'tooLarge', `an answer of more than ${BODY_LIMIT} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The JSON object in a body; undefined for an empty one. An answer without success may be anything, so there it is undefined too. */
const parseBody = (text: string, asked: Asked, ok: boolean): Answer['body'] => {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Answer['body']
  } catch {
    // Reported below, like JSON that is no object.
  }
  if (ok) throw unproven(asked, 'notJson', 'an answer that is no JSON object')
  return undefined
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'ERR_UNKNOWN'
}

/** Ends a request by the caller's signal or after its time, and knows which it was. */
const limitTime = (timeoutMs: number, signal: AbortSignal | undefined) => {
  const controller = new AbortController()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    controller.abort()
  }, timeoutMs)
  const abort = () => controller.abort()
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  const done = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, done, timedOut: () => timedOut }
}

/** Replaces the token wherever a target repeats it, so that it reaches neither log nor screen. */
const withoutToken = (text: string, token: string): string => text.replaceAll(token, '***')

/** Speaks SCIM over HTTP: bearer token, no redirects followed, answers of at most 1 MiB, one time limit per request. */
export const createScimClient = (settings: ScimSettings, options: ScimOptions = {}): ScimClient => {
  const { timeoutMs = TIMEOUT_MS, connections = CONNECTIONS, now = () => new Date() } = options
  const connect = { lookup: guardedLookup, timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) }
  const dispatcher = options.dispatcher ?? new Pool(settings.origin, { connections, connect })
  const headers = { authorization: `Bearer ${settings.token}`, accept: 'application/scim+json, application/json', 'user-agent': 'Instep' }
  const writeHeaders = { ...headers, 'content-type': 'application/scim+json' }

  const exchange = async (asked: Asked, request: ScimRequest, signal: AbortSignal): Promise<Answer> => {
    const path = `${settings.basePath}${asked.path}${request.query ? `?${request.query}` : ''}`
    const sent = request.body === undefined ? { headers } : { headers: writeHeaders, body: JSON.stringify(request.body) }
    const answered = beginRequest({ method: asked.method, path, body: request.body })
    const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
    const response = await dispatcher.request({ origin: settings.origin, path, method: asked.method, signal, ...limits, ...sent })
    const ok = response.statusCode >= 200 && response.statusCode < 300
    const text = withoutToken(await readBody(response.body, asked), settings.token)
    answered?.(response.statusCode, text)
    return { status: response.statusCode, headers: response.headers, body: parseBody(text, asked, ok) }
  }

  const failure = (asked: Asked, error: unknown, state: { timedOut: boolean; aborted: boolean }): ConnectorError => {
    if (error instanceof ConnectorError) return error
    if (state.timedOut) return unproven(asked, 'timeout', `no answer within ${timeoutMs} ms`)
    if (state.aborted) return new ConnectorError({ code: 'TARGET_ABORTED', retryable: true })
    const code = codeOf(error)
    if (code !== ADDRESS_REFUSED) return problemOfFailure(asked, code, error)
    return new ConnectorError({ code: 'TARGET_ADDRESS_REFUSED', params: { property: 'baseUrl', reason: 'linkLocal' }, cause: error })
  }

  return {
    request: async (request) => {
      const path = request.remoteId === undefined ? '/Users' : `/Users/${segment(request.remoteId)}`
      const asked: Asked = { method: request.method, path, account: request.remoteId !== undefined }
      const time = limitTime(timeoutMs, request.signal)
      try {
        const answer = await exchange(asked, request, time.signal)
        if (answer.status < 200 || answer.status >= 300) throw problemOf(asked, answer, now())
        if (isErrorBody(answer.body))
          throw unproven(asked, 'errorBody', `${answer.status} with an error: ${String(answer.body?.detail ?? '').slice(0, 300)}`)
        return answer
      } catch (error) {
        throw failure(asked, error, { timedOut: time.timedOut(), aborted: request.signal?.aborted ?? false })
      } finally {
        time.done()
      }
    },
    close: async () => {
      if (!options.dispatcher) await dispatcher.destroy()
    },
  }
}
