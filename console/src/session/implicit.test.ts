import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FlowContext } from './flow.ts'
import { flow } from './implicit.ts'
import { SignInError } from './session-errors.ts'
import {
  type Algorithm,
  createFakeProvider,
  DISCOVERY,
  type FakeProvider,
  goodClaims,
  hashOf,
  ISSUER,
  identityConfig,
} from './testing/fake-provider.ts'

const ACCESS = 'the-access-token'
const NOW = Date.UTC(2026, 4, 12, 9, 0, 0)
const SECONDS = NOW / 1000
const secrets = { state: 'the-state', nonce: 'the-nonce', verifier: 'unused' }

/** How an answer differs from a good one. `undefined` takes a part away. */
interface Change {
  claims?: Record<string, unknown>
  alg?: Algorithm
  kid?: string
  parameters?: Record<string, string | undefined>
  idToken?: (claims: Record<string, unknown>) => Promise<string> | string
  place?: (parameters: URLSearchParams) => string
}

describe('the answer of the implicit flow', () => {
  let provider: FakeProvider
  let reachable = true

  beforeAll(async () => {
    provider = await createFakeProvider()
  })

  const context = (): FlowContext => ({
    identity: identityConfig(),
    provider: DISCOVERY,
    redirectUri: 'https://console.example/auth/callback',
    secrets,
    now: NOW,
    fetch: async (input) => {
      if (!reachable) throw new TypeError('network')
      return provider.answerRequest(String(input))
    },
  })

  const answerWith = async ({ claims = {}, alg, kid, parameters = {}, idToken, place }: Change): Promise<URL> => {
    const all = Object.entries({ ...(await goodClaims(secrets, ACCESS, NOW)), ...claims }).filter(([, value]) => value !== undefined)
    const chosen = Object.fromEntries(all)
    const token =
      idToken === undefined ? await provider.idToken(chosen, { ...(alg ? { alg } : {}), ...(kid ? { kid } : {}) }) : await idToken(chosen)
    const fields = { state: 'the-state', token_type: 'Bearer', access_token: ACCESS, id_token: token, expires_in: '3600', ...parameters }
    const search = new URLSearchParams(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined))
    return new URL(`https://console.example/auth/callback${place === undefined ? `#${search}` : place(search)}`)
  }

  const outcome = async (change: Change): Promise<string> => {
    try {
      await flow.readAnswer(await answerWith(change), context())
      return 'accepted'
    } catch (error) {
      return error instanceof SignInError ? error.code : `unexpected: ${String(error)}`
    }
  }

  const foreignKey = async (claims: Record<string, unknown>, kid: string) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign((await generateKeyPair('RS256')).privateKey)

  const symmetric = async (claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
      .sign(new TextEncoder().encode(await exportSPKI(provider.keys.RS256.publicKey)))

  it.each<[string, string, Change]>([
    ['no signature at all', 'signature', { idToken: (claims) => new UnsecuredJWT(claims).encode() }],
    ['a symmetric signature made with the public key', 'signature', { idToken: symmetric }],
    ['a signature by a foreign key under a known key id', 'signature', { idToken: (claims) => foreignKey(claims, 'RS256') }],
    ['an unknown key id', 'signature', { idToken: (claims) => foreignKey(claims, 'unknown') }],
    ['something that is no token', 'signature', { idToken: () => 'a.b.c' }],
    ['a swapped access token', 'at_hash', { parameters: { access_token: 'stolen-from-elsewhere' } }],
    ['no hash of the access token', 'claims', { claims: { at_hash: undefined } }],
    ['the hash of another length', 'at_hash', { alg: 'ES384' }],
    ['no nonce', 'claims', { claims: { nonce: undefined } }],
    ['the nonce of another sign-in', 'nonce', { claims: { nonce: 'another' } }],
    ['no subject', 'claims', { claims: { sub: undefined } }],
    ['a token that was issued eleven minutes ago', 'claims', { claims: { iat: SECONDS - 672 } }],
    ['a token from the future', 'claims', { claims: { iat: SECONDS + 300 } }],
    ['no time of issue', 'claims', { claims: { iat: undefined } }],
    ['an expired token', 'claims', { claims: { exp: SECONDS - 120 } }],
    ['a token that is not valid yet', 'claims', { claims: { nbf: SECONDS + 300 } }],
    ['another issuer in the token', 'claims', { claims: { iss: 'https://evil.example' } }],
    ['another issuer beside the token (mix-up)', 'issuer', { parameters: { iss: 'https://evil.example' } }],
    ['another audience', 'claims', { claims: { aud: 'another-client' } }],
    ['two audiences without an authorized party', 'claims', { claims: { aud: ['console', 'another-client'] } }],
    ['another authorized party', 'claims', { claims: { azp: 'another-client' } }],
    ['another state', 'unknown_state', { parameters: { state: 'another' } }],
    ['no state', 'unknown_state', { parameters: { state: undefined } }],
    ['another type of token', 'token_type', { parameters: { token_type: 'mac' } }],
    ['no id_token', 'token_missing', { parameters: { id_token: undefined } }],
    ['no access token', 'token_missing', { parameters: { access_token: undefined } }],
    ['tokens in the query', 'token_in_query', { place: (parameters) => `?${parameters}` }],
    ['a token in the query beside a good fragment', 'token_in_query', { place: (parameters) => `?access_token=x#${parameters}` }],
    ['a repeated parameter', 'repeated_parameter', { place: (parameters) => `#${parameters}&access_token=x` }],
    ['an error of the provider in the fragment', 'access_denied', { place: () => '#error=access_denied&state=the-state' }],
    ['an error of the provider in the query', 'unauthorized_client', { place: () => '?error=unauthorized_client&state=the-state' }],
    ['an error with another state', 'unknown_state', { place: () => '#error=access_denied&state=another' }],
    ['nothing', 'unknown_state', { place: () => '' }],
  ])('is refused with %s (%s)', async (_title, code, change) => {
    expect(await outcome(change)).toBe(code)
  })

  it('is refused while the keys cannot be fetched', async () => {
    reachable = false
    expect(await outcome({})).toBe('provider_unreachable')
    reachable = true
  })

  it.each<[string, Change, 256 | 384 | 512]>([
    ['RS256', {}, 256],
    ['ES256', { alg: 'ES256' }, 256],
    ['ES384', { alg: 'ES384' }, 384],
    ['EdDSA', { alg: 'EdDSA' }, 512],
    ['a lower-case token type and the issuer named', { parameters: { token_type: 'bearer', iss: ISSUER } }, 256],
    ['two audiences and us as the authorized party', { claims: { aud: ['console', 'other'], azp: 'console' } }, 256],
  ])('is accepted when it is good: %s', async (_title, change, bits) => {
    const good = { ...change, claims: { at_hash: await hashOf(ACCESS, bits), ...change.claims } }
    expect(await flow.readAnswer(await answerWith(good), context())).toEqual({
      accessToken: ACCESS,
      idToken: expect.any(String),
      expiresAt: NOW + 3_600_000,
      user: { sub: 'person-1', name: 'Amara Wells', email: 'amara@northwind.example', roles: ['admin.tenant'] },
    })
  })

  it('takes the end from the id_token when the answer does not say it', async () => {
    const answer = await answerWith({ parameters: { expires_in: undefined }, claims: { exp: SECONDS + 900 } })
    expect((await flow.readAnswer(answer, context())).expiresAt).toBe(NOW + 900_000)
  })
})
