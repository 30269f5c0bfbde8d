import { isUtf8 } from 'node:buffer'
import { Agent, type Dispatcher } from 'undici'
import { sizeText } from '../kit/csv-writer.ts'
import { createTokenHider, withoutSecrets } from '../kit/hide-secrets.ts'
import { limitTime } from '../kit/limit-time.ts'
import { ConnectorError } from '../kit/problem.ts'
import { type AddressPolicy, assertHostAllowed, guardedSourceLookup } from '../kit/source-address.ts'
import { connectionFailure } from '../kit/source-failure.ts'
import { answerProblem, headerOf, type Place, pageProblem, type RestAnswer } from './rest-answers.ts'
import type { RestSettings } from './rest-settings.ts'

export interface RestOptions extends Partial<AddressPolicy> {
  /** For the whole of one request, the body included. Default 120,000. */
  readonly timeoutMs?: number | undefined
  /** Largest page in bytes: a page is held in memory. Default 32 MiB. */
  readonly pageLimit?: number | undefined
  /** Waits between tries; ends early, throwing the reason, when the signal is aborted. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  readonly now?: (() => Date) | undefined
}

export interface RestRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly page: number
  readonly signal: AbortSignal
}

export interface RestTransport {
  /** A successful answer. Throws ConnectorError for every other, and the signal's reason. */
  exchange(request: RestRequest): Promise<RestAnswer>
  /** Bytes of all bodies so far. */
  readonly received: number
  close(): Promise<void>
}

const TIMEOUT_MS = 120_000
const CONNECT_TIMEOUT_MS = 10_000
const PAGE_LIMIT = 32 * 1024 * 1024
const REDIRECTS = 5
const TRIES = 5
const FIRST_PAUSE_MS = 1000
/** A system that wants a longer rest than this is asked again by the next run. */
const LONGEST_PAUSE_S = 300

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal.addEventListener('abort', end, { once: true })
  })

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

/** What signs a request; it may be a token that the settings do not hold. */
const tokenOf = ({ headers }: RestRequest): string | undefined => headers['authorization']?.replace(/^(Basic|Bearer) /, '')

/** One body, at most `limit` bytes of it. */
const createReader = (limit: number) => {
  let received = 0
  const read = async (response: Dispatcher.ResponseData, place: Place): Promise<Pick<RestAnswer, 'text' | 'isUtf8'>> => {
    const refuse = () => pageProblem('SOURCE_PAGE_TOO_LARGE', place, { params: { limit: sizeText(limit) } })
    const announced = Number(response.headers['content-length'] ?? 0)
    if (announced > limit) {
      response.body.on('error', () => undefined).destroy()
      throw refuse()
    }
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limit) throw refuse()
      chunks.push(chunk)
    }
    received += length
    const bytes = Buffer.concat(chunks)
    return { text: bytes.toString('utf8').replace(/^\ufeff/, ''), isUtf8: isUtf8(bytes) }
  }
  return { read, received: () => received }
}

/** How long to wait before the next try, in milliseconds; undefined when there is none. */
const pauseBefore = (error: ConnectorError, tried: number): number | undefined => {
  if (!error.retryable || tried >= TRIES || error.code === 'SOURCE_CERTIFICATE' || error.code === 'SOURCE_ADDRESS_REFUSED') return undefined
  const wished = error.retryAfterSeconds
  if (wished === undefined) return FIRST_PAUSE_MS * 2 ** (tried - 1)
  return wished > LONGEST_PAUSE_S ? undefined : wished * 1000
}

/**
 * Sends requests to a REST source: redirects only within the origin, pages of bounded size, throttling and faults tried again (five times in all, after
 * 1, 2, 4 and 8 seconds or what Retry-After says), and nothing secret in an error.
 */
export const createRestTransport = (settings: RestSettings, options: RestOptions = {}): RestTransport => {
  const { allowPrivate = false, timeoutMs = TIMEOUT_MS, pageLimit = PAGE_LIMIT, sleep = pause, now = () => new Date() } = options
  const connect = {
    lookup: guardedSourceLookup({ allowPrivate }),
    timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    ...(settings.authorities ? { ca: settings.authorities } : {}),
  }
  const agent = new Agent({ connections: 2, connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const reader = createReader(pageLimit)
  const hideWith = createTokenHider(settings.secrets)

  const once = async (url: URL, request: RestRequest, signal: AbortSignal): Promise<RestAnswer> => {
    assertHostAllowed(url.hostname, { allowPrivate })
    const place = { host: url.host, page: request.page }
    const { method, headers } = request
    const sent = request.body === undefined ? {} : { body: request.body }
    const path = `${url.pathname}${url.search}`
    const response = await agent.request({ origin: url.origin, path, method, headers, signal, ...sent })
    return { status: response.statusCode, headers: response.headers, ...(await reader.read(response, place)) }
  }

  const followed = async (request: RestRequest, signal: AbortSignal): Promise<RestAnswer> => {
    let url = request.url
    for (let redirects = 0; ; redirects += 1) {
      const answer = await once(url, request, signal)
      const place = { host: url.host, page: request.page }
      if (answer.status >= 200 && answer.status < 300) return answer
      if (!isRedirect(answer.status)) throw answerProblem({ ...answer, text: hideWith(tokenOf(request))(answer.text) }, place, now())
      const target = URL.parse(headerOf(answer, 'location'), url.href)
      if (target?.origin !== url.origin || request.method !== 'GET' || redirects >= REDIRECTS)
        throw pageProblem('SOURCE_REDIRECTED', place, { params: { to: target?.host ?? '' } })
      url = target
    }
  }

  const attempt = async (request: RestRequest): Promise<RestAnswer> => {
    const time = limitTime(timeoutMs, request.signal)
    const place = { host: request.url.host, page: request.page }
    try {
      return await followed(request, time.signal)
    } catch (error) {
      request.signal.throwIfAborted()
      if (time.timedOut()) throw pageProblem('SOURCE_TIMEOUT', place, { retryable: true })
      if (error instanceof ConnectorError) throw error
      throw connectionFailure(request.url.host, error, request.page)
    } finally {
      time.done()
    }
  }

  return {
    get received() {
      return reader.received()
    },
    exchange: async (request) => {
      for (let tried = 1; ; tried += 1) {
        request.signal.throwIfAborted()
        try {
          return await attempt(request)
        } catch (error) {
          if (!(error instanceof ConnectorError)) throw error
          const wait = pauseBefore(error, tried)
          if (wait === undefined) throw withoutSecrets(error, hideWith(tokenOf(request)))
          await sleep(wait, request.signal)
        }
      }
    },
    close: () => agent.destroy(),
  }
}
