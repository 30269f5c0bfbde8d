import type { SessionTokens, SessionUser } from './flow.ts'
import type { IdentityConfig } from './runtime-config.ts'
import type { SessionBrowser } from './session-browser.ts'
import { dropTokens, loadTokens, storeTokens } from './stored-tokens.ts'

/** Whether somebody is signed in. `loading` until `start` has looked. */
export type SessionState = { kind: 'loading' } | { kind: 'signedOut' } | { kind: 'signedIn'; user: SessionUser }

/** Holds the tokens of this tab, tells when they come and go, and ends them on time. */
export interface SessionHolder {
  state(): SessionState
  tokens(): SessionTokens | undefined
  restore(): SessionState
  take(tokens: SessionTokens): void
  /** Forgets the tokens. `expired` tells those who asked to know. */
  drop(reason: 'signedOut' | 'expired'): void
  subscribe(listener: () => void): () => void
  onExpired(listener: () => void): () => void
}

const register = (listeners: Set<() => void>, listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const tell = (listeners: ReadonlySet<() => void>) => {
  for (const listener of [...listeners]) listener()
}

export const createSessionHolder = (browser: SessionBrowser, identity: IdentityConfig): SessionHolder => {
  const changed = new Set<() => void>()
  const expired = new Set<() => void>()
  let held: SessionTokens | undefined
  let state: SessionState = { kind: 'loading' }
  let stopTimer = () => {}
  const show = (tokens: SessionTokens | undefined) => {
    held = tokens
    state = tokens === undefined ? { kind: 'signedOut' } : { kind: 'signedIn', user: tokens.user }
    stopTimer()
    if (tokens !== undefined) stopTimer = browser.setTimer(() => drop('expired'), Math.max(0, tokens.expiresAt - browser.now()))
    tell(changed)
  }
  const drop: SessionHolder['drop'] = (reason) => {
    const wasSignedIn = held !== undefined
    dropTokens(browser)
    show(undefined)
    if (reason === 'expired' && wasSignedIn) tell(expired)
  }
  return {
    state: () => state,
    tokens: () => {
      if (held !== undefined && held.expiresAt <= browser.now()) drop('expired')
      return held
    },
    restore: () => {
      show(loadTokens(browser, identity))
      if (held === undefined) dropTokens(browser)
      return state
    },
    take: (tokens) => {
      storeTokens(browser, identity, tokens)
      show(tokens)
    },
    drop,
    subscribe: (listener) => register(changed, listener),
    onExpired: (listener) => register(expired, listener),
  }
}
