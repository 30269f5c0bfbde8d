import { type Dispatcher, Pool } from 'undici'
import { createTokenHider, type Hide, withoutSecrets } from '../kit/hide-secrets.ts'
import { ConnectorError } from '../kit/problem.ts'
import { beginRequest } from '../kit/request-trace.ts'
import { guardedSourceLookup, isAddressRefusal } from '../kit/source-address.ts'
import { assertReachable, refusedName } from '../kit/target-address.ts'
import { receiveAnswer, type TimeLimit, timeLimit } from './receive-answer.ts'
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

/** Shorter ones may stand in honest data by chance: those are taken only out of what people read. */
const TELLING = 8

const WORDS = ['detail', 'message', 'error_description']

/** The body of a failure, its words without secrets: later they may be cut in the middle of one. */
const saidSafely = (body: Answer['body'], hide: Hide): Answer['body'] => {
  const said = WORDS.flatMap((name) => (typeof body?.[name] === 'string' ? [[name, hide(body[name])] as const] : []))
  return body && { ...body, ...Object.fromEntries(said) }
}

/** Speaks SCIM over HTTP: signed, no redirects followed, answers of at most 1 MiB, one time limit per request; a token that is refused is renewed once. */
export const createScimClient = (settings: ScimSettings, options: ScimOptions = {}): ScimClient => {
  const { timeoutMs = TIMEOUT_MS, connections = CONNECTIONS, now = () => new Date(), allowPrivate = true } = options
  assertReachable(new URL(settings.origin), { allowPrivate }, 'baseUrl')
  const connect = { lookup: guardedSourceLookup({ allowPrivate }), timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) }
  const dispatcher = options.dispatcher ?? new Pool(settings.origin, { connections, connect })
  const authoriser = createAuthoriser(settings.authentication, { timeoutMs, now, allowPrivate, dispatcher: options.dispatcher })
  const headers = { accept: 'application/scim+json, application/json', 'user-agent': 'Instep' }
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const inData = createTokenHider(settings.secrets.filter(({ length }) => length >= TELLING))
  const inWords = createTokenHider(settings.secrets)

  const send = async (asked: Asked, request: ScimRequest, time: TimeLimit) => {
    const path = `${settings.basePath}${asked.path}${request.query ? `?${request.query}` : ''}`
    const { header, token } = await authoriser.authorization()
    const signed = { ...headers, authorization: header, ...(request.ifMatch === undefined ? {} : { 'if-match': request.ifMatch }) }
    const sent =
      request.body === undefined
        ? { headers: signed }
        : { headers: { ...signed, 'content-type': 'application/scim+json' }, body: JSON.stringify(request.body) }
    const answered = beginRequest({ method: asked.method, path, body: request.body })
    const options = { origin: settings.origin, path, method: asked.method, ...limits, ...sent }
    const received = await receiveAnswer(dispatcher, options, { asked, limit: request.limit ?? BODY_LIMIT, time })
    const text = inData(token)(received.text)
    const hide = inWords(token)
    answered?.(received.status, hide(text))
    return { ...received, text, header, hide }
  }

  const exchange = async (asked: Asked, request: ScimRequest, time: TimeLimit): Promise<Answer> => {
    const first = await send(asked, request, time)
    const { status, headers, text, hide } =
      first.status === 401 && authoriser.renew(first.header) ? await send(asked, request, time) : first
    const ok = status >= 200 && status < 300
    const body = parseBody(text, asked, ok)
    return { status, headers, body: ok && !isErrorBody(body) ? body : saidSafely(body, hide) }
  }

  const failure = (asked: Asked, error: unknown, over: ReturnType<TimeLimit['over']>): ConnectorError => {
    if (error instanceof ConnectorError) return error
    if (over === 'timedOut') return unproven(asked, 'timeout', `no answer within ${timeoutMs} ms`)
    if (over === 'aborted') return new ConnectorError({ code: 'TARGET_ABORTED', retryable: true })
    return isAddressRefusal(error) ? refusedName('baseUrl', { allowPrivate }, error) : problemOfFailure(asked, codeOf(error), error)
  }

  return {
    request: async (request) => {
      const { endpoint = '/Users' } = request
      const path = request.remoteId === undefined ? endpoint : `${endpoint}/${segment(request.remoteId)}`
      const asked: Asked = { method: request.method, path, account: request.remoteId !== undefined }
      const time = timeLimit(timeoutMs, request.signal)
      try {
        const answer = await exchange(asked, request, time)
        if (answer.status < 200 || answer.status >= 300) throw problemOf(asked, answer, now())
        if (isErrorBody(answer.body))
          throw unproven(asked, 'errorBody', `${answer.status} with an error: ${String(answer.body?.detail ?? '').slice(0, 300)}`)
        return answer
      } catch (error) {
        throw withoutSecrets(failure(asked, error, time.over()), inWords(undefined))
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
