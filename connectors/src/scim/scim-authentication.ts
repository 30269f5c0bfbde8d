import { type Dispatcher, Pool } from 'undici'
import { createTokenHolder, readTokenAnswer, type Token, tokenRequest } from '../kit/client-credentials.ts'
import { ConnectorError } from '../kit/problem.ts'
import { guardedSourceLookup, isAddressRefusal } from '../kit/source-address.ts'
import { assertReachable, refusedName } from '../kit/target-address.ts'
import { type Asked, problemOf, problemOfFailure } from './scim-answers.ts'
import type { Authentication } from './scim-settings.ts'

/** Lets requests in. */
export interface Authoriser {
  /** The header `authorization`, and the secret in it that was not known before. */
  authorization(): Promise<{ readonly header: string; readonly token: string | undefined }>
  /** Forgets a header that was not accepted; true where another can be had. */
  renew(refused: string): boolean
  close(): Promise<void>
}

export interface AuthoriserOptions {
  readonly timeoutMs: number
  readonly now: () => Date
  /** Whether token servers inside the operator's own network may be asked. */
  readonly allowPrivate: boolean
  /** Instead of an own pool for token requests. */
  readonly dispatcher?: Dispatcher | undefined
}

const LONGEST_ANSWER = 100_000
const ASKED: Asked = { method: 'GET', path: '/token', account: false }

/** No more is read than a token needs, however much is sent. */
const readText = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > LONGEST_ANSWER) throw unauthorised('its answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const unauthorised = (detail: string): ConnectorError =>
  new ConnectorError({ code: 'TARGET_UNAUTHORISED', params: { reason: 'token' }, detail: `no token: ${detail}` })

/** Signs requests: a fixed header, or OAuth client credentials whose token is kept until shortly before it ends. */
export const createAuthoriser = (authentication: Authentication, options: AuthoriserOptions): Authoriser => {
  if (authentication.kind === 'fixed') {
    const header = { header: authentication.authorization, token: undefined }
    return { authorization: async () => header, renew: () => false, close: async () => {} }
  }
  const { tokenUrl } = authentication
  const { timeoutMs, now, allowPrivate } = options
  assertReachable(tokenUrl, { allowPrivate }, 'tokenUrl')
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const pool =
    options.dispatcher ??
    new Pool(tokenUrl.origin, { connections: 1, connect: { lookup: guardedSourceLookup({ allowPrivate }), timeout: timeoutMs } })

  const exchange = async (): Promise<{ status: number; text: string; headers: Dispatcher.ResponseData['headers'] }> => {
    const path = `${tokenUrl.pathname}${tokenUrl.search}`
    const sent = { origin: tokenUrl.origin, path, method: 'POST' as const, ...limits, ...tokenRequest(authentication) }
    const response = await pool.request({ ...sent, signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.statusCode, text: await readText(response.body), headers: response.headers }
  }
  const ask = async (): Promise<Token> => {
    const answer = await exchange().catch((error: unknown) => {
      if (error instanceof ConnectorError) throw error
      if (isAddressRefusal(error)) throw refusedName('tokenUrl', { allowPrivate }, error)
      const code = (error as { code?: unknown } | null)?.code
      throw problemOfFailure(ASKED, typeof code === 'string' ? code : 'UND_ERR_HEADERS_TIMEOUT', error)
    })
    const { status, headers, text } = answer
    if (status === 429 || status >= 500) throw problemOf(ASKED, { status, headers, body: undefined }, now())
    // RFC 6749 section 5.2: a client that is not known is refused with 400 as well
    if (status < 200 || status >= 300) throw unauthorised(`${status} of ${tokenUrl.host}`)
    const read = readTokenAnswer(text)
    if (typeof read === 'string') throw unauthorised(`${tokenUrl.host} answered without one`)
    return read
  }
  const holder = createTokenHolder(ask, now)
  return {
    authorization: async () => {
      const token = await holder.token()
      return { header: `Bearer ${token}`, token }
    },
    renew: (refused) => {
      holder.forget(refused.replace(/^Bearer /, ''))
      return true
    },
    close: async () => {
      if (!options.dispatcher) await pool.destroy()
    },
  }
}
