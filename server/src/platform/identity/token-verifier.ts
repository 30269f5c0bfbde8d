import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { audienceOf, CONSOLE_CLIENT, issuerOf } from './identity-settings.ts'
import { loadKeys } from './keys.ts'
import { rememberVerified } from './remembered-tokens.ts'

/** An OpenID Connect provider of the customer's own. Only access tokens are ever believed. */
export interface ExternalProvider {
  issuer: string
  /** The console's client id there: a token made for it is an id_token, unless it is an audience as well. */
  clientId: string
  audiences: string[]
  /** Where the roles are, segment by segment, because names may contain dots: `['realm_access', 'roles']`. */
  rolePath: string[]
  /** Their role names → role claim values. Absent: names are taken as they are. */
  roleMap?: Record<string, string> | undefined
  /** The claim that identifies a person for good: `sub`, at Entra ID `oid`. */
  subjectClaim: string
  /** `scope` (text) or `scp` (text or list). */
  scopeClaim: string
  /** Their scope names → `api`, `api.basic`. Absent: names are taken as they are. */
  scopeMap?: Record<string, string> | undefined
  /** The header's `typ`, where the provider sets one: `at+jwt`. */
  typ?: string | undefined
  algorithms: string[]
  /** Where roles come from. `idToken` is for the console's display only; the API then looks in its database as well. */
  roleSource: 'accessToken' | 'idToken' | 'database'
  /** Whether signing out of the console signs out there too. */
  endSession: boolean
}

export type TokenVerifierSettings =
  | { kind: 'embedded'; publicUrl: string; db: Db; clock: Clock }
  | { kind: 'external'; provider: ExternalProvider; clock: Clock }

/** What a verified access token says. `roles` is empty when they are to be looked up by (iss, sub). `exp`: seconds since 1970. */
export interface VerifiedToken {
  iss: string
  sub: string
  scopes: string[]
  roles: string[]
  exp: number
}

/** `unavailable`: the provider's keys could not be fetched; says nothing about the token. */
export type TokenRefusal = 'expired' | 'invalid' | 'unavailable'

export class TokenError extends Error {
  readonly reason: TokenRefusal
  constructor(reason: TokenRefusal, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'TokenError'
    this.reason = reason
  }
}

export interface TokenVerifier {
  /** @throws TokenError */
  verify(token: string): Promise<VerifiedToken>
}

const RELOAD_MS = 5_000
const ALGORITHMS = new Set(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])

/** The keys in the database, read again when a token names one that is not known yet, at most every five seconds. */
const databaseKeys = (db: Db, clock: Clock): JWTVerifyGetKey => {
  let loadedAt = Number.NEGATIVE_INFINITY
  let keySet: ReturnType<typeof createLocalJWKSet> | undefined
  const load = async () => {
    loadedAt = clock.now().getTime()
    keySet = createLocalJWKSet({ keys: (await loadKeys(db)).map((key) => key.publicJwk) })
    return keySet
  }
  return async (header, token) => {
    try {
      return await (keySet ?? (await load()))(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || clock.now().getTime() - loadedAt < RELOAD_MS) throw error
      return await (await load())(header, token)
    }
  }
}

/** The keys of an external provider, found through its discovery document, which must name the same issuer. */
const remoteKeys = (issuer: string): JWTVerifyGetKey => {
  let keySet: Promise<JWTVerifyGetKey> | undefined
  const discover = async (): Promise<JWTVerifyGetKey> => {
    const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(5_000) })
    const found = (await response.json()) as { issuer?: string; jwks_uri?: string }
    if (found.issuer !== issuer || found.jwks_uri === undefined)
      throw new TokenError('unavailable', `discovery of ${issuer} names another issuer`)
    return createRemoteJWKSet(new URL(found.jwks_uri))
  }
  return async (header, token) => {
    keySet ??= discover()
    try {
      return await (await keySet)(header, token)
    } catch (error) {
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) throw error
      keySet = undefined
      throw new TokenError('unavailable', 'the keys of the identity provider could not be fetched', { cause: error })
    }
  }
}

const follow = (payload: JWTPayload, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, segment) => (at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[segment] : undefined),
    payload,
  )

const texts = (value: unknown, separator?: string): string[] => {
  if (typeof value === 'string') return separator === undefined ? [value] : value.split(separator).filter((text) => text !== '')
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

const translate = (names: readonly string[], map: Readonly<Record<string, string>> | undefined): string[] =>
  map === undefined ? [...names] : names.flatMap((name) => (Object.hasOwn(map, name) ? [map[name] as string] : []))

/** Where the header does not tell the kinds apart, an id_token gives itself away by what only it carries. */
const looksLikeIdToken = (payload: JWTPayload, { clientId, audiences }: ExternalProvider): boolean =>
  'nonce' in payload ||
  'at_hash' in payload ||
  'c_hash' in payload ||
  (texts(payload.aud).includes(clientId) && !audiences.includes(clientId))

const readToken = (payload: JWTPayload, provider: ExternalProvider): VerifiedToken => {
  const sub = payload[provider.subjectClaim]
  if (typeof sub !== 'string' || sub === '') throw new TokenError('invalid', `no ${provider.subjectClaim}`)
  if (provider.typ === undefined && looksLikeIdToken(payload, provider)) throw new TokenError('invalid', 'an id_token is no access token')
  return {
    iss: payload.iss as string,
    sub,
    scopes: translate(texts(payload[provider.scopeClaim], ' '), provider.scopeMap),
    roles: provider.roleSource === 'accessToken' ? translate(texts(follow(payload, provider.rolePath)), provider.roleMap) : [],
    exp: payload.exp as number,
  }
}

/** The embedded provider, described like any other. */
const embeddedProvider = (publicUrl: string): ExternalProvider => ({
  issuer: issuerOf(publicUrl),
  clientId: CONSOLE_CLIENT,
  audiences: [audienceOf(publicUrl)],
  rolePath: ['role'],
  subjectClaim: 'sub',
  scopeClaim: 'scope',
  typ: 'at+jwt',
  algorithms: ['RS256'],
  roleSource: 'accessToken',
  endSession: true,
})

/**
 * Verifies access tokens: signature by an allowed algorithm and a key of the issuer, issuer, audience, time, and that it is an access token. What
 * was found right is believed for a minute. The embedded provider's keys come from the database, never over HTTP from ourselves.
 *
 * @throws when the settings allow a symmetric algorithm or none
 */
export const createTokenVerifier = (settings: TokenVerifierSettings): TokenVerifier => {
  const provider = settings.kind === 'embedded' ? embeddedProvider(settings.publicUrl) : settings.provider
  const unfit = provider.algorithms.find((algorithm) => !ALGORITHMS.has(algorithm))
  if (unfit !== undefined || provider.algorithms.length === 0) throw new Error(`not an algorithm for access tokens: ${unfit ?? '(none)'}`)
  const keys = settings.kind === 'embedded' ? databaseKeys(settings.db, settings.clock) : remoteKeys(provider.issuer)
  const verify = async (token: string): Promise<VerifiedToken> => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: provider.issuer,
        audience: provider.audiences,
        algorithms: provider.algorithms,
        requiredClaims: [provider.subjectClaim, 'exp'],
        currentDate: settings.clock.now(),
        ...(provider.typ === undefined ? {} : { typ: provider.typ }),
      })
      return readToken(payload, provider)
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new TokenError('expired', 'the token has expired', { cause: error })
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw new TokenError('invalid', error.message, { cause: error })
      throw error
    }
  }
  return { verify: rememberVerified(verify, settings.clock) }
}
