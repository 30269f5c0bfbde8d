/** OAuth 2.0 client credentials (RFC 6749 section 4.4): what is asked, how the answer is read, and how long a token is kept. */

export const CLIENT_AUTHENTICATIONS = ['header', 'body'] as const

export interface ClientCredentials {
  readonly tokenUrl: URL
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
  /** Where the client says who it is: in the header `authorization`, or in the body for servers that read it only there. */
  readonly sentIn: (typeof CLIENT_AUTHENTICATIONS)[number]
}

export interface Token {
  readonly token: string
  /** How long it holds, in seconds. */
  readonly life: number
}

/** A token is not used in its last seconds: the request has to arrive before it ends. */
const MARGIN_S = 60
const SHORTEST_LIFE_S = 10
const USUAL_LIFE_S = 300

/** RFC 6749 section 2.3.1: id and secret are form-encoded before they become basic credentials. */
const formEncoded = (value: string): string => new URLSearchParams({ '': value }).toString().slice(1)

/** Headers and body of the POST that asks for a token. */
export const tokenRequest = (client: ClientCredentials): { headers: Record<string, string>; body: string } => {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(client.scope ? { scope: client.scope } : {}) })
  const headers: Record<string, string> = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  if (client.sentIn === 'header') {
    const credentials = `${formEncoded(client.clientId)}:${formEncoded(client.clientSecret)}`
    headers['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
  } else {
    form.set('client_id', client.clientId)
    form.set('client_secret', client.clientSecret)
  }
  return { headers, body: form.toString() }
}

/** Reads the answer to a token request; `notJson`, or `noToken` where it holds none that can stand in a header. */
export const readTokenAnswer = (text: string): Token | 'notJson' | 'noToken' => {
  let body: Record<string, unknown> | null
  try {
    body = JSON.parse(text) as Record<string, unknown> | null
  } catch {
    return 'notJson'
  }
  const token = body?.['access_token']
  const life = Number(body?.['expires_in'] ?? USUAL_LIFE_S)
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) return 'noToken'
  return { token, life: Number.isFinite(life) ? life : USUAL_LIFE_S }
}

export interface TokenHolder {
  /** The token held, or a new one; calls at once ask once. Rejects as `ask` does. */
  token(signal?: AbortSignal): Promise<string>
  /** Forgets the token, where it is still this one: it was not accepted. */
  forget(refused?: string): void
}

/** Keeps a token until shortly before it ends. */
export const createTokenHolder = (ask: (signal?: AbortSignal) => Promise<Token>, now: () => Date): TokenHolder => {
  let held: { token: string; until: number } | undefined
  let asking: Promise<string> | undefined
  const renew = async (signal?: AbortSignal): Promise<string> => {
    const { token, life } = await ask(signal)
    held = { token, until: now().getTime() + Math.max(life - MARGIN_S, SHORTEST_LIFE_S) * 1000 }
    return token
  }
  return {
    token: async (signal) => {
      if (held && held.until > now().getTime()) return held.token
      asking ??= renew(signal).finally(() => {
        asking = undefined
      })
      return asking
    },
    forget: (refused) => {
      if (refused === undefined || held?.token === refused) held = undefined
    },
  }
}
