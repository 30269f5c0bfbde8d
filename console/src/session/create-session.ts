import type { RuntimeConfig } from './runtime-config.ts'
import { type SessionBrowser, thisBrowser } from './session-browser.ts'
import { SessionExpiredError, SignInError } from './session-errors.ts'
import { createSessionHolder, type SessionHolder, type SessionState } from './session-holder.ts'
import { createSignIn, type SignIn } from './sign-in.ts'

export type { SessionState } from './session-holder.ts'

/** Who is signed in in this tab, and how that begins and ends. */
export interface Session {
  readonly state: SessionState
  /** Looks for a session that this tab already has. Call it once, before anything else. */
  start(): Promise<SessionState>
  subscribe(listener: () => void): () => void
  /** Leaves for the sign-in page; afterwards the person is back at `rememberPath`. @throws SignInError */
  signIn(rememberPath: string): Promise<void>
  /** Reads the answer at `/auth/callback`; asked twice about one answer it gives one result. @throws SignInError */
  completeSignIn(url: string): Promise<{ returnTo: string }>
  /** Forgets the session here and leaves for the provider, which ends its own and leads to `/auth/logged-out`. */
  signOut(): Promise<void>
  /** The token for a call. @throws SessionExpiredError before any request when nobody is signed in or the token has expired */
  accessToken(): string
  /** Ends the session here because the service refused its token. */
  expire(): void
  /** Told once when a session ends by itself. */
  onExpired(listener: () => void): () => void
}

/** What a session can be given besides its configuration. */
export interface SessionOptions {
  browser?: SessionBrowser
  /** The language tag of the console, for the sign-in page. */
  uiLocale?: () => string
}

const LOGGED_OUT = '/auth/logged-out'
const RENEW_BEFORE_MS = 60_000

/** Renews a minute before the end, or halfway through a shorter life. A failed renewal leaves the session to its end. */
const keepRenewed = (browser: SessionBrowser, holder: SessionHolder, signIn: SignIn) => {
  let stop = () => {}
  let plannedFor: string | undefined
  const renew = async () => {
    const before = holder.tokens()
    if (before === undefined) return
    try {
      const tokens = await signIn.renew(before.user)
      if (holder.tokens() === before) holder.take(tokens)
    } catch (error) {
      // Somebody else is signed in at the provider now: this session must not go on in their name, nor they in its.
      if (error instanceof SignInError && error.code === 'another_user') holder.drop('expired')
    }
  }
  const plan = () => {
    const tokens = holder.tokens()
    if (tokens?.accessToken === plannedFor) return
    plannedFor = tokens?.accessToken
    stop()
    if (tokens === undefined) return
    const left = tokens.expiresAt - browser.now()
    stop = browser.setTimer(() => void renew(), Math.max(left / 2, left - RENEW_BEFORE_MS))
  }
  holder.subscribe(plan)
}

const endSessionAddress = async (signIn: SignIn, idToken: string, request: { clientId: string; origin: string }): Promise<string> => {
  const { end_session_endpoint: endpoint } = await signIn.provider()
  if (endpoint === undefined) return LOGGED_OUT
  const url = new URL(endpoint)
  url.searchParams.set('id_token_hint', idToken)
  url.searchParams.set('client_id', request.clientId)
  url.searchParams.set('post_logout_redirect_uri', request.origin + LOGGED_OUT)
  return url.href
}

/** The session of this tab. Its tokens are kept in sessionStorage; nothing is ever written to localStorage. */
export const createSession = ({ identity }: Pick<RuntimeConfig, 'identity'>, options: SessionOptions = {}): Session => {
  const browser = options.browser ?? thisBrowser()
  const holder = createSessionHolder(browser, identity)
  const signIn = createSignIn(browser, identity, options.uiLocale ?? (() => document.documentElement.lang))
  if (identity.silentRenew) keepRenewed(browser, holder, signIn)
  let leaving: Promise<void> | undefined
  let completing: Promise<{ returnTo: string }> | undefined
  return {
    get state() {
      return holder.state()
    },
    start: async () => holder.restore(),
    subscribe: holder.subscribe,
    onExpired: holder.onExpired,
    expire: () => holder.drop('expired'),
    // Several calls that are refused at the same moment start one sign-in.
    signIn: (rememberPath) => {
      leaving ??= signIn.begin(rememberPath).catch((error: unknown) => {
        leaving = undefined
        throw error
      })
      return leaving
    },
    // React's strict mode runs effects twice, and an answer is good once.
    completeSignIn: (url) => {
      completing ??= signIn.complete(url).then(({ tokens, returnTo }) => {
        holder.take(tokens)
        return { returnTo }
      })
      return completing
    },
    signOut: async () => {
      const idToken = holder.tokens()?.idToken
      holder.drop('signedOut')
      if (idToken === undefined || identity.endSession === false) return browser.goTo(LOGGED_OUT)
      const request = { clientId: identity.clientId, origin: browser.origin }
      browser.goTo(await endSessionAddress(signIn, idToken, request).catch(() => LOGGED_OUT))
    },
    accessToken: () => {
      const tokens = holder.tokens()
      if (tokens === undefined) throw new SessionExpiredError()
      return tokens.accessToken
    },
  }
}
