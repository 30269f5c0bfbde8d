import { type Dispatcher, Pool } from 'undici'
import { ConnectorError } from '../kit/problem.ts'
import { beginRequest } from '../kit/request-trace.ts'
import { guardedSourceLookup, isAddressRefusal } from '../kit/source-address.ts'
import { assertReachable, refusedName } from './scim-address.ts'
import { type Answer, type Asked, isErrorBody, problemOf, problemOfFailure, unproven } from './scim-answers.ts'
import { createAuthoriser } from './scim-authentication.ts'
import type { ScimSettings } from './scim-settings.ts'

export interface ScimOptions {
  /** Whether targets inside the operator's own network may be asked. Default true. */
  readonly allowPrivate?: boolean | undefined
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
  /** Most bytes of an answer. Default 1 MiB. */
  readonly limit?: number | undefined
  /** Names one of the collection; absent for the collection itself. */
  readonly remoteId?: string | undefined
  readonly query?: string | undefined
  /** Path of the collection below the base address. Default `/Users`. */
  readonly endpoint?: string | undefined
  /** The version that a change is made for; refused with the status 412 where it is another by now. */
  readonly ifMatch?: string | undefined
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

const readBody = async (body: Dispatcher.ResponseData['body'], asked: Asked, limit = BODY_LIMIT): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit) throw unproven(asked, 'tooLarge', `an answer of more than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Escapes of what no database keeps: U+0000, and halves of characters. */
const UNKEPT = /\\u(?:0000|d[89a-f][\da-f]{2})/i
const kept = (_: string, value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value)

/** The JSON object in a body, its texts such as can be kept; undefined for an empty one. An answer without success may be anything, so there it is undefined too. */
const parseBody = (text: string, asked: Asked, ok: boolean): Answer['body'] => {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = UNKEPT.test(text) ? JSON.parse(text, kept) : JSON.parse(text)
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

/** Replaces secrets wherever a target repeats them, so that they reach neither log nor screen. */
const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text)

/** Speaks SCIM over HTTP: signed, no redirects followed, answers of at most 1 MiB, one time limit per request; a token that is refused is renewed once. */
export const createScimClient = (settings: ScimSettings, options: ScimOptions = {}): ScimClient => {
  const { timeoutMs = TIMEOUT_MS, connections = CONNECTIONS, now = () => new Date(), allowPrivate = true } = options
  assertReachable(new URL(settings.origin), { allowPrivate }, 'baseUrl')
  const connect = { lookup: guardedSourceLookup({ allowPrivate }), timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) }
  const dispatcher = options.dispatcher ?? new Pool(settings.origin, { connections, connect })
  const authoriser = createAuthoriser(settings.authentication, { timeoutMs, now, allowPrivate, dispatcher: options.dispatcher })
  const headers = { accept: 'application/scim+json, application/json', 'user-agent': 'Instep' }
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }

  const send = async (asked: Asked, request: ScimRequest, signal: AbortSignal) => {
    const path = `${settings.basePath}${asked.path}${request.query ? `?${request.query}` : ''}`
    const { header, token } = await authoriser.authorization()
    const signed = { ...headers, authorization: header, ...(request.ifMatch === undefined ? {} : { 'if-match': request.ifMatch }) }
    const sent =
      request.body === undefined
        ? { headers: signed }
        : { headers: { ...signed, 'content-type': 'application/scim+json' }, body: JSON.stringify(request.body) }
    const answered = beginRequest({ method: asked.method, path, body: request.body })
    const response = await dispatcher.request({ origin: settings.origin, path, method: asked.method, signal, ...limits, ...sent })
    const secrets = token === undefined ? settings.secrets : [...settings.secrets, token]
    const text = withoutSecrets(await readBody(response.body, asked, request.limit), secrets)
    answered?.(response.statusCode, text)
    return { response, header, text }
  }

  const exchange = async (asked: Asked, request: ScimRequest, signal: AbortSignal): Promise<Answer> => {
    const first = await send(asked, request, signal)
    const { response, text } =
      first.response.statusCode === 401 && authoriser.renew(first.header) ? await send(asked, request, signal) : first
    const ok = response.statusCode >= 200 && response.statusCode < 300
    return { status: response.statusCode, headers: response.headers, body: parseBody(text, asked, ok) }
  }

  const failure = (asked: Asked, error: unknown, state: { timedOut: boolean; aborted: boolean }): ConnectorError => {
    if (error instanceof ConnectorError) return error
    if (state.timedOut) return unproven(asked, 'timeout', `no answer within ${timeoutMs} ms`)
    if (state.aborted) return new ConnectorError({ code: 'TARGET_ABORTED', retryable: true })
    return isAddressRefusal(error) ? refusedName('baseUrl', { allowPrivate }, error) : problemOfFailure(asked, codeOf(error), error)
  }

  return {
    request: async (request) => {
      const { endpoint = '/Users' } = request
      const path = request.remoteId === undefined ? endpoint : `${endpoint}/${segment(request.remoteId)}`
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
      await authoriser.close()
      if (!options.dispatcher) await dispatcher.destroy()
    },
  }
}
