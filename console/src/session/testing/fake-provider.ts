import { base64url, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { RequestSecrets } from '../flow.ts'
import type { IdentityConfig } from '../runtime-config.ts'

export const ISSUER = 'https://login.example'

export const identityConfig = (change: Partial<IdentityConfig> = {}): IdentityConfig => ({
  issuer: ISSUER,
  clientId: 'console',
  flow: 'implicit',
  scopes: ['openid', 'profile', 'api', 'api.basic'],
  silentRenew: false,
  ...change,
})

export const DISCOVERY = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
  end_session_endpoint: `${ISSUER}/end`,
  authorization_response_iss_parameter_supported: true,
}

export type Algorithm = 'RS256' | 'ES256' | 'ES384' | 'EdDSA'
type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** A provider that exists only in the test: its keys, its documents, its answers. */
export interface FakeProvider {
  keys: Record<Algorithm, KeyPair>
  answerRequest(url: string): Response
  idToken(claims: JWTPayload & Record<string, unknown>, header?: { alg?: Algorithm; kid?: string }): Promise<string>
}

export const createFakeProvider = async (): Promise<FakeProvider> => {
  const algorithms: Algorithm[] = ['RS256', 'ES256', 'ES384', 'EdDSA']
  const pairs = await Promise.all(algorithms.map(async (alg) => [alg, await generateKeyPair(alg, { extractable: true })] as const))
  const keys = Object.fromEntries(pairs) as Record<Algorithm, KeyPair>
  const published = await Promise.all(
    pairs.map(async ([alg, pair]) => ({ ...(await exportJWK(pair.publicKey)), alg, kid: alg, use: 'sig' })),
  )
  return {
    keys,
    answerRequest: (url) => {
      if (url.endsWith('/.well-known/openid-configuration')) return Response.json(DISCOVERY)
      return url === DISCOVERY.jwks_uri ? Response.json({ keys: published }) : new Response(null, { status: 404 })
    },
    idToken: (claims, { alg = 'RS256', kid = alg } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(keys[alg as Algorithm].privateKey),
  }
}

/** The claim that binds an access token to its id_token. */
export const hashOf = async (accessToken: string, bits: 256 | 384 | 512 = 256): Promise<string> =>
  base64url.encode(new Uint8Array(await crypto.subtle.digest(`SHA-${bits}`, new TextEncoder().encode(accessToken)), 0, bits / 16))

/** The claims of a good id_token. */
export const goodClaims = async (
  secrets: Pick<RequestSecrets, 'nonce'>,
  accessToken: string,
  now: number,
): Promise<Record<string, unknown>> => ({
  iss: ISSUER,
  aud: 'console',
  sub: 'person-1',
  iat: Math.floor(now / 1000),
  exp: Math.floor(now / 1000) + 3600,
  nonce: secrets.nonce,
  at_hash: await hashOf(accessToken),
  name: 'Amara Wells',
  email: 'amara@northwind.example',
  role: ['admin.tenant'],
})
