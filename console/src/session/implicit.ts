import { base64url, createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose'
import type { Flow, FlowContext, SessionTokens } from './flow.ts'
import { readUser } from './read-user.ts'
import { SignInError } from './session-errors.ts'

/** Signatures with a key pair only: with a symmetric one, everybody who knows the public key could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const MAX_AGE_SECONDS = 600
const CLOCK_TOLERANCE_SECONDS = 60
const SECRETS = ['access_token', 'id_token', 'code']

/** The parameters of an answer. Tokens must be in the fragment; errors come in either place. */
const readParameters = (answer: URL): URLSearchParams => {
  if (SECRETS.some((name) => answer.searchParams.has(name))) throw new SignInError('token_in_query')
  const fragment = new URLSearchParams(answer.hash.slice(1))
  const parameters = fragment.size > 0 ? fragment : answer.searchParams
  const names = [...parameters.keys()]
  if (new Set(names).size !== names.length) throw new SignInError('repeated_parameter')
  return parameters
}

const verifyIdToken = async (idToken: string, { identity, provider, fetch: fetcher, now }: FlowContext): Promise<JWTVerifyResult> => {
  const keys = createRemoteJWKSet(new URL(provider.jwks_uri), { [customFetch]: fetcher })
  try {
    return await jwtVerify(idToken, keys, {
      issuer: provider.issuer,
      audience: identity.clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'iat', 'exp', 'nonce', 'at_hash'],
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now),
    })
  } catch (cause) {
    const aboutClaims = cause instanceof errors.JWTClaimValidationFailed || cause instanceof errors.JWTExpired
    if (cause instanceof errors.JWKSTimeout || !(cause instanceof errors.JOSEError))
      throw new SignInError('provider_unreachable', { cause })
    throw new SignInError(aboutClaims ? 'claims' : 'signature', { cause })
  }
}

/** OpenID Connect Core 1.0, 3.1.3.7: a token for several audiences must say which one it was issued to. */
const checkAuthorizedParty = ({ aud, azp }: JWTPayload, clientId: string) => {
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined) throw new SignInError('claims')
  if (azp !== undefined && azp !== clientId) throw new SignInError('claims')
}

/** OpenID Connect Core 1.0, 3.2.2.9: the left half of the hash that goes with the signature's algorithm. */
const accessTokenHash = async (accessToken: string, algorithm: string): Promise<string> => {
  const size = algorithm.startsWith('Ed') ? '512' : algorithm.slice(-3)
  const digest = await crypto.subtle.digest(`SHA-${size}`, new TextEncoder().encode(accessToken))
  return base64url.encode(new Uint8Array(digest, 0, digest.byteLength / 2))
}

const secondsToLive = (expiresIn: string | null, idToken: JWTPayload, now: number): number =>
  expiresIn !== null && /^\d{1,7}$/.test(expiresIn) ? Number(expiresIn) : (idToken.exp ?? 0) - Math.floor(now / 1000)

const readAnswer = async (answer: URL, context: FlowContext): Promise<SessionTokens> => {
  const { identity, provider, secrets, now } = context
  const parameters = readParameters(answer)
  if (parameters.get('state') !== secrets.state) throw new SignInError('unknown_state')
  // RFC 9207; providers leave it out where an id_token names the issuer.
  if (parameters.has('iss') && parameters.get('iss') !== provider.issuer) throw new SignInError('issuer')
  const error = parameters.get('error')
  if (error !== null) throw new SignInError(error)
  if (parameters.get('token_type')?.toLowerCase() !== 'bearer') throw new SignInError('token_type')
  const accessToken = parameters.get('access_token') ?? ''
  const idToken = parameters.get('id_token') ?? ''
  if (accessToken === '' || idToken === '') throw new SignInError('token_missing')
  const { payload, protectedHeader } = await verifyIdToken(idToken, context)
  checkAuthorizedParty(payload, identity.clientId)
  if (payload.nonce !== secrets.nonce) throw new SignInError('nonce')
  if (payload.at_hash !== (await accessTokenHash(accessToken, protectedHeader.alg))) throw new SignInError('at_hash')
  const expiresAt = now + secondsToLive(parameters.get('expires_in'), payload, now) * 1000
  return { accessToken, idToken, expiresAt, user: readUser(payload, identity) }
}

/** Signing in by the implicit flow with `id_token token` (OpenID Connect Core 1.0, section 3.2). */
export const flow: Flow = {
  requestParameters: async () => ({ response_type: 'id_token token' }),
  readAnswer,
}
