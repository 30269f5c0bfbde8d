import { type Account, type Configuration, errors, type Grant, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { findAccountById } from './accounts.ts'
import { postgresAdapter } from './adapter.ts'
import { audienceOf, CONSOLE_CLIENT, type IdentityDeps, type IdentitySettings } from './identity-settings.ts'
import type { StoredKey } from './keys.ts'
import { logoutPage, providerErrorPage, signedOutPage } from './provider-pages.ts'

const API_SCOPES = 'api api.basic'
const IDENTITY_SCOPES = 'openid profile'
const CODE_SECONDS = 60
const INTERACTION_SECONDS = 1800

const sessionSeconds = ({ settings }: IdentityDeps): number => settings.sessionHours * 3600

const nowSeconds = ({ clock }: IdentityDeps): number => Math.floor(clock.now().getTime() / 1000)

/** Seconds until the absolute end of a session that began at `loginTs`; the provider refuses a length of zero. */
const secondsLeft = (deps: IdentityDeps, loginTs: number | undefined): number =>
  Math.max(1, (loginTs ?? nowSeconds(deps)) + sessionSeconds(deps) - nowSeconds(deps))

const findAccount =
  ({ db, accounts }: IdentityDeps) =>
  async (_ctx: KoaContextWithOIDC, sub: string): Promise<Account | undefined> => {
    const [account, entry] = await Promise.all([findAccountById(db, sub), accounts.rolesOf(sub)])
    if (account === undefined || entry === undefined || entry.disabled) return undefined
    return {
      accountId: sub,
      claims: () => ({ sub, name: account.name, email: account.email, preferred_username: account.email, role: entry.roles }),
    }
  }

/** Two reasons more to ask for a sign-in; without them a removed person gets a 500 and an open tab never ends. */
const signInPolicy = (deps: IdentityDeps): interactionPolicy.DefaultPolicy => {
  const policy = interactionPolicy.base()
  // The console is our own client: there is nothing to consent to.
  policy.remove('consent')
  const login = policy.get('login')
  login?.checks.add(
    new interactionPolicy.Check('account_gone', 'the account no longer exists or is disabled', 'login_required', ({ oidc }) => {
      return oidc.session?.accountId !== undefined && oidc.account === undefined
    }),
  )
  login?.checks.add(
    new interactionPolicy.Check('session_limit', 'the session has reached its absolute limit', 'login_required', ({ oidc }) => {
      const { loginTs } = oidc.session ?? {}
      return loginTs !== undefined && nowSeconds(deps) - loginTs >= sessionSeconds(deps) && oidc.result?.login === undefined
    }),
  )
  return policy
}

const loadGrant =
  ({ settings }: IdentityDeps) =>
  async ({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { client, account, provider } = oidc
    if (client === undefined || account === undefined) return undefined
    const known = oidc.session?.grantIdFor(client.clientId)
    const existing = known === undefined ? undefined : await provider.Grant.find(known)
    if (existing !== undefined && existing.accountId === account.accountId) return existing
    const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId })
    grant.addOIDCScope(IDENTITY_SCOPES)
    grant.addResourceScope(audienceOf(settings.publicUrl), API_SCOPES)
    await grant.save()
    return grant
  }

const consoleClient = ({ publicUrl, flow }: IdentitySettings): NonNullable<Configuration['clients']>[number] => ({
  client_id: CONSOLE_CLIENT,
  client_name: 'Instep',
  token_endpoint_auth_method: 'none',
  redirect_uris: [`${publicUrl}/auth/callback`, `${publicUrl}/auth/silent-renew`],
  post_logout_redirect_uris: [`${publicUrl}/auth/logged-out`],
  ...(flow === 'implicit'
    ? { response_types: ['id_token token' as const], grant_types: ['implicit'], response_modes: ['fragment'] }
    : { response_types: ['code' as const], grant_types: ['authorization_code'], response_modes: ['query'] }),
})

const features = (deps: IdentityDeps): Configuration['features'] => {
  const audience = audienceOf(deps.settings.publicUrl)
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    revocation: { enabled: false },
    resourceIndicators: {
      enabled: true,
      // Without a resource the API's scopes are dropped silently and the access token is opaque.
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => {
        if (resource !== audience) throw new errors.InvalidTarget()
        return {
          scope: API_SCOPES,
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: deps.settings.accessTokenSeconds,
          jwt: { sign: { alg: 'RS256' } },
        }
      },
    },
    rpInitiatedLogout: { enabled: true, logoutSource: logoutPage, postLogoutSuccessSource: signedOutPage(deps.settings.publicUrl) },
  }
}

/**
 * The complete configuration of oidc-provider. Everything whose default does not suit a strict provider for one
 * first-party console is set here; `docs/decisions/0004-sign-in-flow.md` says why.
 *
 * @param keys all stored keys, the signing one first: the first key that fits signs
 */
export const providerConfiguration = (deps: IdentityDeps, keys: readonly StoredKey[]): Configuration => ({
  adapter: postgresAdapter(deps.db),
  jwks: { keys: keys.map((key) => deps.secrets.decrypt(key.privateKey) as Record<string, string>) },
  clients: [consoleClient(deps.settings)],
  responseTypes: ['code', 'id_token token', 'id_token'],
  scopes: ['openid'],
  claims: { openid: ['sub'], profile: ['name', 'email', 'preferred_username', 'role', 'amr', 'acr', 'auth_time'] },
  acrValues: ['pwd', 'mfa'],
  conformIdTokenClaims: false,
  allowOmittingSingleRegisteredRedirectUri: false,
  pkce: { required: () => true },
  findAccount: findAccount(deps),
  loadExistingGrant: loadGrant(deps),
  extraTokenClaims: async (_ctx, token) => {
    if (!('accountId' in token)) return undefined
    return { role: (await deps.accounts.rolesOf(token.accountId))?.roles ?? [] }
  },
  features: features(deps),
  interactions: { url: (_ctx, interaction) => `/identity/interaction/${interaction.uid}`, policy: signInPolicy(deps) },
  cookies: {
    keys: [deps.secrets.sign('identity.cookies')],
    names: { session: 'instep_session', interaction: 'instep_interaction', resume: 'instep_resume' },
    long: { signed: true, httpOnly: true, sameSite: 'lax', path: '/identity' },
    short: { signed: true, httpOnly: true, sameSite: 'lax' },
  },
  ttl: {
    AuthorizationCode: CODE_SECONDS,
    AccessToken: deps.settings.accessTokenSeconds,
    IdToken: deps.settings.accessTokenSeconds,
    Interaction: INTERACTION_SECONDS,
    Grant: sessionSeconds(deps),
    Session: (_ctx, session) => secondsLeft(deps, session.loginTs),
  },
  clientBasedCORS: (_ctx, origin) => origin === new URL(deps.settings.publicUrl).origin,
  renderError: providerErrorPage(deps.settings.publicUrl),
})
