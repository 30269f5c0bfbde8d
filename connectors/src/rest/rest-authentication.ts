import { ConnectorError } from '../kit/problem.ts'
import { pageProblem } from './rest-answers.ts'
import type { Authentication, RestSettings } from './rest-settings.ts'
import type { RestTransport } from './rest-transport.ts'

/** What a request carries so that it is let in. */
export interface Signature {
  readonly headers: Readonly<Record<string, string>>
  /** For systems that take their key in the address only. */
  readonly parameters: Readonly<Record<string, string>>
}

export interface Signer {
  sign(signal: AbortSignal): Promise<Signature>
  /** Forgets a token that was not accepted; true when another can be had. */
  renew(): boolean
}

/** A token is not used in its last seconds: the request has to arrive before it ends. */
const MARGIN_S = 60
const SHORTEST_LIFE_S = 10

type OAuth = Extract<Authentication, { kind: 'oauth' }>

/** RFC 6749 section 2.3.1: id and secret are form-encoded before they become basic credentials. */
const formEncoded = (value: string): string => new URLSearchParams({ '': value }).toString().slice(1)

const readToken = (text: string, place: { host: string; page: number }): { token: string; life: number } => {
  let body: Record<string, unknown> | null = null
  try {
    body = JSON.parse(text) as Record<string, unknown> | null
  } catch {
    throw pageProblem('SOURCE_NOT_JSON', place)
  }
  const token = body?.['access_token']
  const life = Number(body?.['expires_in'] ?? 300)
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw pageProblem('SOURCE_UNAUTHORISED', place)
  return { token, life: Number.isFinite(life) ? life : 300 }
}

const requestToken = async (oauth: OAuth, transport: RestTransport, signal: AbortSignal) => {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(oauth.scope ? { scope: oauth.scope } : {}) })
  const headers: Record<string, string> = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  if (oauth.sentIn === 'header') {
    const credentials = `${formEncoded(oauth.clientId)}:${formEncoded(oauth.clientSecret)}`
    headers['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
  } else {
    form.set('client_id', oauth.clientId)
    form.set('client_secret', oauth.clientSecret)
  }
  const place = { host: oauth.tokenUrl.host, page: 0 }
  try {
    const answer = await transport.exchange({ url: oauth.tokenUrl, method: 'POST', headers, body: form.toString(), page: 0, signal })
    return readToken(answer.text, place)
  } catch (error) {
    // RFC 6749 section 5.2: a client that is not known is refused with 400 as well
    if (error instanceof ConnectorError && error.code === 'SOURCE_REFUSED')
      throw new ConnectorError({ code: 'SOURCE_UNAUTHORISED', params: error.params, detail: error.detail })
    throw error
  }
}

const signOAuth = (oauth: OAuth, transport: RestTransport, now: () => Date): Signer => {
  let held: { token: string; until: number } | undefined
  return {
    sign: async (signal) => {
      if (!held || held.until <= now().getTime()) {
        const { token, life } = await requestToken(oauth, transport, signal)
        held = { token, until: now().getTime() + Math.max(life - MARGIN_S, SHORTEST_LIFE_S) * 1000 }
      }
      return { headers: { authorization: `Bearer ${held.token}` }, parameters: {} }
    },
    renew: () => {
      held = undefined
      return true
    },
  }
}

/** Signs the requests of a REST source; OAuth tokens (RFC 6749 section 4.4) are kept until shortly before they end. */
export const createSigner = ({ authentication }: RestSettings, transport: RestTransport, now: () => Date): Signer => {
  if (authentication.kind === 'oauth') return signOAuth(authentication, transport, now)
  const headers = authentication.kind === 'header' ? { [authentication.name]: authentication.value } : {}
  const parameters = authentication.kind === 'parameter' ? { [authentication.name]: authentication.value } : {}
  return { sign: async () => ({ headers, parameters }), renew: () => false }
}
