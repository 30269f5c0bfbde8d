import { type Dispatcher, Pool } from 'undici'
import { limitTime } from '../kit/limit-time.ts'
import { ConnectorError } from '../kit/problem.ts'
import { guardedSourceLookup } from '../kit/source-address.ts'
import { type Reply, replyProblem, sendingProblem } from './webhook-answers.ts'
import type { WebhookSettings } from './webhook-settings.ts'
import { signWebhook } from './webhook-signature.ts'

export interface ClientOptions {
  /** Whether receivers inside the operator's own network may be asked. */
  readonly allowPrivate: boolean
  /** Connections kept open. Default 8. */
  readonly connections?: number | undefined
  /** For the whole of one request. Default 20,000. */
  readonly timeoutMs?: number | undefined
  readonly now: () => Date
}

export interface WebhookClient {
  /** Signs and posts; the reply of a receiver that took it. Throws ConnectorError for every other. */
  post(event: { readonly id: string; readonly body: string }, signal?: AbortSignal): Promise<Reply>
  close(): Promise<void>
}

const CONNECTIONS = 8
const TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 10_000
/** Of a reply no more is read than anybody would be shown. */
const REPLY_LIMIT = 4096

const beginningOf = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= REPLY_LIMIT) break
  }
  return Buffer.concat(chunks).subarray(0, REPLY_LIMIT).toString('utf8')
}

const first = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)

/** Posts signed events to one address (Standard Webhooks 1.0.0): no redirects, one time limit a request, the time of the attempt is what is signed. */
export const createWebhookClient = ({ url, keysOn }: WebhookSettings, options: ClientOptions): WebhookClient => {
  const { allowPrivate, now, connections = CONNECTIONS, timeoutMs = TIMEOUT_MS } = options
  const connect = { lookup: guardedSourceLookup({ allowPrivate }), timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) }
  const pool = new Pool(url.origin, { connections, connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })

  const send = async ({ id, body }: { id: string; body: string }, signal: AbortSignal): Promise<Reply> => {
    const at = now()
    const timestamp = Math.floor(at.getTime() / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Instep',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(keysOn(at.toISOString().slice(0, 10)), { id, timestamp, body }),
    }
    const response = await pool.request({ path: `${url.pathname}${url.search}`, method: 'POST', headers, body, signal })
    return { status: response.statusCode, retryAfter: first(response.headers['retry-after']), text: await beginningOf(response.body) }
  }

  return {
    post: async (event, signal = new AbortController().signal) => {
      const time = limitTime(timeoutMs, signal)
      let reply: Reply
      try {
        reply = await send(event, time.signal)
      } catch (error) {
        if (signal.aborted) throw new ConnectorError({ code: 'TARGET_ABORTED', retryable: true })
        if (!time.timedOut()) throw sendingProblem(url.host, error)
        const detail = `POST ${url.host}: no answer within ${timeoutMs} ms`
        throw new ConnectorError({ code: 'TARGET_UNCERTAIN', params: { reason: 'timeout' }, retryable: true, detail })
      } finally {
        time.done()
      }
      if (reply.status < 200 || reply.status >= 300) throw replyProblem(url.host, reply, now())
      return reply
    },
    close: () => pool.destroy(),
  }
}
