/** What was asked of a target and what it replied, for whoever looks at one account: told beside the calls, so that targets need not pass it on. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface TracedRequest {
  readonly method: string
  /** With the query; without host, headers and whatever proves who asks. */
  readonly path: string
  readonly request: string | null
  /** Null while, or because, there is no reply. */
  readonly status: number | null
  readonly milliseconds: number | null
  readonly reply: string | null
}

type Writable = { -readonly [Key in keyof TracedRequest]: TracedRequest[Key] }

const LONGEST = 10_000
const SECRET = /passw|secret|token|credential|authori[sz]ation|api.?key/i
const listeners = new AsyncLocalStorage<Writable[]>()

const hidden = (key: string, value: unknown): unknown => (SECRET.test(key) && typeof value !== 'object' ? '***' : value)

/** A body as it may be shown: at most 10,000 characters, secrets left out. */
const shown = (body: unknown): string | null => {
  if (body === undefined || body === '') return null
  try {
    const value: unknown = typeof body === 'string' ? JSON.parse(body) : body
    return JSON.stringify(value, hidden, 2).slice(0, LONGEST).toWellFormed()
  } catch {
    return String(body).slice(0, LONGEST).toWellFormed()
  }
}

/** Does some work and adds to `requests` whatever it asks of targets, in order; also when the work fails. */
export const traceRequests = <T>(requests: TracedRequest[], work: () => Promise<T>): Promise<T> => listeners.run(requests, work)

/**
 * For a target's client: a request is about to be sent. Undefined while nobody listens.
 *
 * @returns to be told the reply; a request whose reply is never told had none
 */
export const beginRequest = (asked: {
  method: string
  path: string
  body: unknown
}): ((status: number, reply: string) => void) | undefined => {
  const requests = listeners.getStore()
  if (!requests) return undefined
  const begun = performance.now()
  const traced: Writable = {
    method: asked.method,
    path: asked.path,
    request: shown(asked.body),
    status: null,
    milliseconds: null,
    reply: null,
  }
  requests.push(traced)
  return (status, reply) => {
    traced.status = status
    traced.milliseconds = Math.round(performance.now() - begun)
    traced.reply = shown(reply)
  }
}
