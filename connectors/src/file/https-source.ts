import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Agent, type Dispatcher } from 'undici'
import type { Fetched, FetchingSource, FetchRequest, JsonValue } from '../kit/fetching-source.ts'
import { ConnectorError } from '../kit/problem.ts'
import { retryAfter } from '../kit/retry-after.ts'
import { saveStream, tooLarge } from '../kit/save-stream.ts'
import { type AddressPolicy, addressRefused, assertHostAllowed, guardedSourceLookup, unreachable } from '../kit/source-address.ts'
import { AUTHS, choiceSetting, type FileSettings, invalidSetting, textSetting } from './delivery-settings.ts'

export interface HttpsOptions extends AddressPolicy {
  /** Until the connection is made, and until the first byte of an answer. Default 30,000. */
  readonly timeoutMilliseconds?: number
  readonly now?: () => Date
}

const REDIRECTS = 5

const readAddress = (text: unknown, policy: AddressPolicy): URL => {
  const url = URL.parse(textSetting(text, 'address').trim())
  if (url?.username !== '' || url.password !== '') throw invalidSetting('address')
  // without encryption only inside a network that the operator has opened
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowPrivate)) throw addressRefused(url.host)
  assertHostAllowed(url.hostname, policy)
  return url
}

const printable = (value: string | undefined, property: string): string => {
  const trimmed = value?.trim() ?? ''
  // anything else cannot stand in a header
  if (!/^[\x20-\x7e]{1,4000}$/.test(trimmed)) throw invalidSetting(property)
  return trimmed
}

/** Headers that would change what is asked for rather than who asks. */
const OWN_HEADERS = /^(host|connection|content-.*|transfer-encoding|accept.*|if-.*|range|expect|upgrade|te|trailer|user-agent)$/i

const authorisation = ({ properties, secrets }: FileSettings): Record<string, string> => {
  const auth = choiceSetting(properties.auth, 'auth', AUTHS)
  if (auth === 'basic') {
    const user = textSetting(properties.username, 'username')
    return { authorization: `Basic ${Buffer.from(`${user}:${secrets.password ?? ''}`).toString('base64')}` }
  }
  if (auth === 'bearer') return { authorization: `Bearer ${printable(secrets.accessToken, 'accessToken')}` }
  if (auth === 'header') {
    const name = textSetting(properties.headerName, 'headerName')
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(name) || OWN_HEADERS.test(name)) throw invalidSetting('headerName')
    return { [name.toLowerCase()]: printable(secrets.accessToken, 'accessToken') }
  }
  return {}
}

interface Mark {
  readonly place: string
  readonly etag?: string
  readonly lastModified?: string
  readonly sha256: string
}

const placeOf = (url: URL): string => createHash('sha256').update(url.href).digest('hex').slice(0, 32)

/** What is known of the file at this address; of another address nothing is. */
const readMark = (watermark: JsonValue, url: URL): Mark | undefined => {
  const mark = watermark as unknown as Mark | null
  return mark !== null && typeof mark === 'object' && mark.place === placeOf(url) ? mark : undefined
}

const headerOf = ({ headers }: Dispatcher.ResponseData, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

const dateOf = (text: string | undefined): Date | null => {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : new Date(time)
}

/** The end of an address as people write it; what is no escape stays as it is. */
const plainName = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The file's name: as the server says, else the end of the address; with an ending that says what it is. */
const nameOf = (answer: Dispatcher.ResponseData, url: URL): string => {
  const said = /filename="?([^";]+)"?/i.exec(headerOf(answer, 'content-disposition') ?? '')?.[1]
  const last = said ?? plainName(/[^/]*$/.exec(url.pathname)?.[0] ?? '')
  const name = last
    .toWellFormed()
    .replaceAll(/[\\/\p{Cc}]/gu, '')
    .replace(/\.gz$/i, '')
    .slice(0, 200)
  const sheet = (headerOf(answer, 'content-type') ?? '').includes('spreadsheetml')
  return /\.(csv|xlsx|txt|tsv)$/i.test(name) ? name : `${name || 'people'}${sheet ? '.xlsx' : '.csv'}`
}

const isPacked = (answer: Dispatcher.ResponseData, url: URL): boolean =>
  /\bgzip\b/.test(headerOf(answer, 'content-encoding') ?? '') || /\.gz$/i.test(url.pathname)

const problemOfStatus = (status: number, answer: Dispatcher.ResponseData, now: Date): ConnectorError => {
  const params = { status }
  const detail = `answered with ${status}`
  if (status === 401 || status === 403 || status === 407) return new ConnectorError({ code: 'SOURCE_UNAUTHORISED', params, detail })
  if (status === 429 || status >= 500) {
    const wait = retryAfter(answer.headers['retry-after'], now)
    const later = wait === undefined ? {} : { retryAfterSeconds: wait }
    return new ConnectorError({ code: 'SOURCE_UNAVAILABLE', params, retryable: true, detail, ...later })
  }
  return new ConnectorError({ code: 'SOURCE_UNEXPECTED', params, detail })
}

/** What came with headers of a file: the answer and the address that gave it. */
interface Found {
  readonly answer: Dispatcher.ResponseData
  readonly url: URL
}

/** A file over HTTPS: ETag and Last-Modified are used where the server has them, the content's hash where it has not. */
export const createHttpsSource = (settings: FileSettings, options: HttpsOptions): FetchingSource => {
  const { timeoutMilliseconds = 30_000, now = () => new Date() } = options
  const address = readAddress(settings.properties.address, options)
  const own = { ...authorisation(settings), accept: '*/*', 'accept-encoding': 'gzip', 'user-agent': 'Instep' }
  const agent = new Agent({
    connections: 1,
    headersTimeout: timeoutMilliseconds,
    bodyTimeout: timeoutMilliseconds,
    connect: { timeout: timeoutMilliseconds, lookup: guardedSourceLookup(options) },
  })

  const ask = async (url: URL, request: { conditions: Record<string, string>; signal: AbortSignal; left: number }): Promise<Found> => {
    const { conditions, signal, left } = request
    const sent = { origin: url.origin, path: `${url.pathname}${url.search}`, method: 'GET' as const, signal }
    const answer = await agent.request({ ...sent, headers: { ...own, ...conditions } }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw unreachable(url.host, error)
    })
    // what is not read to its end is thrown away, which must not be heard of
    answer.body.on('error', () => undefined)
    const { statusCode } = answer
    if (statusCode === 200 || statusCode === 304) return { answer, url }
    answer.body.destroy()
    const location = statusCode >= 301 && statusCode <= 308 ? headerOf(answer, 'location') : undefined
    const next = location === undefined ? null : URL.parse(location, url.href)
    // elsewhere the credentials are nobody's business
    if (!next || next.origin !== address.origin || left === 0) throw problemOfStatus(statusCode, answer, now())
    return ask(next, { ...request, left: left - 1 })
  }

  const conditionsOf = (mark: Mark | undefined): Record<string, string> => ({
    ...(mark?.etag ? { 'if-none-match': mark.etag } : {}),
    ...(mark?.lastModified ? { 'if-modified-since': mark.lastModified } : {}),
  })

  const save = ({ answer, url }: Found, { path, limit, signal }: FetchRequest) => {
    const announced = Number(headerOf(answer, 'content-length') ?? 0)
    if (announced > limit) {
      answer.body.destroy()
      throw tooLarge(limit)
    }
    const stream: Readable = isPacked(answer, url) ? unpacked(answer.body) : answer.body
    return saveStream(stream, { path, limit, signal })
  }

  return {
    test: async (signal) => {
      const { answer, url } = await ask(address, { conditions: {}, signal, left: REDIRECTS })
      answer.body.destroy()
      const length = headerOf(answer, 'content-length')
      const size = length === undefined || isPacked(answer, url) ? null : Number(length)
      return { found: { name: nameOf(answer, url), size, modifiedAt: dateOf(headerOf(answer, 'last-modified')) } }
    },
    fetch: async (request): Promise<Fetched | undefined> => {
      const mark = readMark(request.watermark, address)
      const found = await ask(address, { conditions: conditionsOf(mark), signal: request.signal, left: REDIRECTS })
      if (found.answer.statusCode === 304) {
        found.answer.body.destroy()
        return undefined
      }
      const { sha256 } = await save(found, request)
      if (sha256 === mark?.sha256) {
        await rm(request.path, { force: true })
        return undefined
      }
      const [etag, lastModified] = [headerOf(found.answer, 'etag'), headerOf(found.answer, 'last-modified')]
      const watermark = { place: placeOf(address), sha256, ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) }
      return { name: nameOf(found.answer, found.url), extent: 'full', modifiedAt: dateOf(lastModified), watermark }
    },
    close: () => agent.destroy(),
  }
}

/** Unpacks a body; what goes wrong with the body goes wrong with what is read. */
const unpacked = (body: Readable): Readable => {
  const gunzip = createGunzip()
  body.on('error', (error) => gunzip.destroy(error))
  return body.pipe(gunzip)
}
