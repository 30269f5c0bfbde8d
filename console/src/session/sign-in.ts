import { discoverProvider, type Provider } from './discover-provider.ts'
import type { Flow, RequestSecrets, SessionTokens } from './flow.ts'
import { drawSecrets, rememberSignIn, takeSignIn } from './pending-sign-ins.ts'
import { returnPath } from './return-path.ts'
import type { IdentityConfig } from './runtime-config.ts'
import type { SessionBrowser } from './session-browser.ts'
import { SignInError } from './session-errors.ts'

const CALLBACK = '/auth/callback'
const SILENT_RENEW = '/auth/silent-renew'
const RENEW_TIMEOUT_MS = 10_000

/** Asking the provider for a sign-in and reading its answers. */
export interface SignIn {
  /** Leaves for the provider; `path` is where the person comes back to. */
  begin(path: string): Promise<void>
  /** Reads the answer at the callback address. @throws SignInError */
  complete(url: string): Promise<{ tokens: SessionTokens; returnTo: string }>
  /** Asks once more in a hidden frame, without any page. @throws SignInError, `login_required` when the provider's session is over */
  renew(user: { sub: string }): Promise<SessionTokens>
  provider(): Promise<Provider>
}

// Only the flow in use is loaded.
const loadFlow = async (kind: IdentityConfig['flow']): Promise<Flow> =>
  (kind === 'implicit' ? await import('./implicit.ts') : await import('./code.ts')).flow

const authorizeAddress = async (
  identity: IdentityConfig,
  request: { provider: Provider; redirectUri: string; secrets: RequestSecrets; more: Record<string, string> },
) => {
  const { provider, redirectUri, secrets, more } = request
  const url = new URL(provider.authorization_endpoint)
  const parameters = {
    ...identity.extraAuthorize,
    ...more,
    ...(await (await loadFlow(identity.flow)).requestParameters(secrets)),
    client_id: identity.clientId,
    redirect_uri: redirectUri,
    scope: identity.scopes.join(' '),
    state: secrets.state,
    nonce: secrets.nonce,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Waits for the frame's page, and no longer than ten seconds: an error page of the provider never answers. */
const answerFromFrame = (browser: SessionBrowser, address: string): Promise<URL> =>
  new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      stopTimer()
      closeFrame()
      settle()
    }
    const stopTimer = browser.setTimer(() => finish(() => reject(new SignInError('timeout'))), RENEW_TIMEOUT_MS)
    const closeFrame = browser.openFrame(address, (data) => {
      if (typeof data === 'string' && data.startsWith(`${browser.origin}${SILENT_RENEW}`)) finish(() => resolve(new URL(data)))
    })
  })

const stateOf = (answer: URL): string => new URLSearchParams(answer.hash.slice(1)).get('state') ?? answer.searchParams.get('state') ?? ''

export const createSignIn = (browser: SessionBrowser, identity: IdentityConfig, uiLocale: () => string): SignIn => {
  const { origin } = browser
  let discovered: Promise<Provider> | undefined
  const provider = async () => {
    if (!browser.isSecureContext) throw new SignInError('insecure_context')
    discovered ??= discoverProvider(identity.issuer, browser.fetch)
    try {
      return await discovered
    } catch (error) {
      discovered = undefined
      throw error
    }
  }
  const read = async (answer: URL, secrets: RequestSecrets, redirectUri: string) =>
    (await loadFlow(identity.flow)).readAnswer(answer, {
      identity,
      provider: await provider(),
      redirectUri,
      secrets,
      fetch: browser.fetch,
      now: browser.now(),
    })
  return {
    provider,
    begin: async (path) => {
      const { publicUrl } = identity
      if (publicUrl !== undefined && publicUrl !== origin) return browser.goTo(publicUrl + returnPath(path, origin))
      const secrets = drawSecrets()
      const redirectUri = origin + CALLBACK
      const more = { ui_locales: uiLocale() }
      const address = await authorizeAddress(identity, { provider: await provider(), redirectUri, secrets, more })
      rememberSignIn(browser, { secrets, returnTo: returnPath(path, origin), startedAt: browser.now() })
      browser.goTo(address)
    },
    complete: async (url) => {
      const answer = new URL(url, origin)
      // Before anything that can fail or take time: tokens must not stay in the address bar and the history.
      browser.replaceAddress(answer.pathname)
      const pending = takeSignIn(browser, stateOf(answer))
      if (pending === undefined) throw new SignInError('unknown_state')
      const { returnTo, secrets } = pending
      try {
        return { tokens: await read(answer, secrets, origin + CALLBACK), returnTo: returnPath(returnTo, origin) }
      } catch (cause) {
        throw new SignInError(cause instanceof SignInError ? cause.code : 'provider_unreachable', { cause, returnTo })
      }
    },
    renew: async ({ sub }) => {
      const secrets = drawSecrets()
      const redirectUri = origin + SILENT_RENEW
      const address = await authorizeAddress(identity, { provider: await provider(), redirectUri, secrets, more: { prompt: 'none' } })
      const tokens = await read(await answerFromFrame(browser, address), secrets, redirectUri)
      if (tokens.user.sub !== sub) throw new SignInError('another_user')
      return tokens
    },
  }
}
