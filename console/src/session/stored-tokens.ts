import type { SessionTokens } from './flow.ts'
import type { IdentityConfig } from './runtime-config.ts'
import type { SessionBrowser } from './session-browser.ts'

const KEY = 'instep.session'

interface Stored extends SessionTokens {
  issuer: string
  clientId: string
}

/** Keeps the tokens of this tab over a reload. */
export const storeTokens = ({ storage }: SessionBrowser, { issuer, clientId }: IdentityConfig, tokens: SessionTokens): void => {
  const stored: Stored = { ...tokens, issuer, clientId }
  storage.setItem(KEY, JSON.stringify(stored))
}

/** The tokens of this tab, unless they have expired or belong to another provider. */
export const loadTokens = ({ storage, now }: SessionBrowser, { issuer, clientId }: IdentityConfig): SessionTokens | undefined => {
  try {
    const stored = JSON.parse(storage.getItem(KEY) ?? 'null') as Stored | null
    const fits = stored !== null && stored.issuer === issuer && stored.clientId === clientId && stored.expiresAt > now()
    return fits ? { accessToken: stored.accessToken, idToken: stored.idToken, expiresAt: stored.expiresAt, user: stored.user } : undefined
  } catch {
    return undefined
  }
}

export const dropTokens = ({ storage }: SessionBrowser): void => storage.removeItem(KEY)
