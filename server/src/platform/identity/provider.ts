import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import { type IdentityDeps, issuerOf } from './identity-settings.ts'
import { loadKeys, type StoredKey } from './keys.ts'
import { pageSecurity } from './page-security.ts'
import { providerConfiguration } from './provider-configuration.ts'

const KEY_CHECK_MS = 15_000
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether browsers offer there what both flows need (Web Crypto): https, or plain http on a loopback name. */
export const isSecureUrl = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))
}

interface ClientSchema {
  redirect_uris?: string[]
  post_logout_redirect_uris?: string[]
  invalidate(message: string, code?: string): void
}

/**
 * The implicit flow forbids http and localhost for web clients. Loopback addresses are where the product is tried out,
 * so there, and only there, the rule gives way (the recipe of the provider's own documentation).
 */
const allowLoopback = (provider: Provider) => {
  const { prototype } = (provider.Client as unknown as { Schema: { prototype: ClientSchema } }).Schema
  const refuse = prototype.invalidate
  prototype.invalidate = function invalidate(message, code) {
    const uris = [...(this.redirect_uris ?? []), ...(this.post_logout_redirect_uris ?? [])]
    if ((code === 'implicit-force-https' || code === 'implicit-forbid-localhost') && uris.every(isSecureUrl)) return
    refuse.call(this, message, code)
  }
}

/** The origins to which a form of this response may lead: those of the client whose addresses were validated. */
const clientOrigins = (oidc: KoaContextWithOIDC['oidc'] | undefined): string[] => {
  const { redirectUris = [], postLogoutRedirectUris = [] } = oidc?.client ?? {}
  return [...new Set([...redirectUris, ...postLogoutRedirectUris].map((uri) => new URL(uri).origin))]
}

const addSecurityHeaders = (provider: Provider) => {
  provider.use(async (ctx, next) => {
    // Before the answer is made: the provider adds the hash of its one inline script to this header.
    for (const [name, value] of Object.entries(pageSecurity())) ctx.set(name, value)
    await next()
    const origins = clientOrigins((ctx as { oidc?: KoaContextWithOIDC['oidc'] }).oidc)
    const policy = ctx.response.get('content-security-policy')
    // Chromium checks form-action along the whole redirect chain of a post.
    if (origins.length > 0)
      ctx.set('content-security-policy', policy.replace("form-action 'self'", ["form-action 'self'", ...origins].join(' ')))
  })
}

const buildProvider = (deps: IdentityDeps, keys: readonly StoredKey[]): Provider => {
  const provider = new Provider(issuerOf(deps.settings.publicUrl), providerConfiguration(deps, keys))
  // The mount writes the forwarded headers from the configured address, so nothing of the request's own is trusted.
  provider.proxy = true
  allowLoopback(provider)
  addSecurityHeaders(provider)
  provider.on('server_error', (_ctx, error) => deps.log.error({ err: error }, 'identity provider failed'))
  return provider
}

/** The provider of this moment. `get` notices within 15 seconds that another process rotated the keys. */
export interface LiveProvider {
  get(): Promise<Provider>
  refresh(): Promise<void>
}

/**
 * Builds the provider and rebuilds it when the stored keys change: oidc-provider cannot reload keys, but all its state
 * is in the database, so a new one takes over in some milliseconds.
 */
export const createLiveProvider = async (deps: IdentityDeps): Promise<LiveProvider> => {
  const fingerprint = (keys: readonly StoredKey[]) => keys.map((key) => `${key.kid}:${key.stage}`).join(' ')
  let keys = await loadKeys(deps.db)
  let provider = buildProvider(deps, keys)
  let checkedAt = deps.clock.now().getTime()
  const refresh = async () => {
    checkedAt = deps.clock.now().getTime()
    const stored = await loadKeys(deps.db)
    if (fingerprint(stored) === fingerprint(keys)) return
    keys = stored
    provider = buildProvider(deps, stored)
  }
  return {
    refresh,
    get: async () => {
      if (deps.clock.now().getTime() - checkedAt >= KEY_CHECK_MS) await refresh()
      return provider
    },
  }
}
