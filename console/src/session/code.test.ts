import { beforeAll, describe, expect, it } from 'vitest'
import { flow } from './code.ts'
import type { FlowContext } from './flow.ts'
import { SignInError } from './session-errors.ts'
import { createFakeProvider, DISCOVERY, type FakeProvider, goodClaims, ISSUER, identityConfig } from './testing/fake-provider.ts'

const secrets = { state: 'the-state', nonce: 'the-nonce', verifier: 'v'.repeat(43) }
const ACCESS = 'the-access-token'

describe('the answer of the code flow', () => {
  let provider: FakeProvider
  const sent: URLSearchParams[] = []
  beforeAll(async () => {
    provider = await createFakeProvider()
  })

  interface Change {
    answer?: string
    claims?: Record<string, unknown>
    tokens?: Record<string, unknown>
    status?: number
  }

  const read = async ({ answer = `?code=c&state=the-state&iss=${ISSUER}`, claims = {}, tokens = {}, status = 200 }: Change) => {
    const now = Date.now()
    const idToken = await provider.idToken({ ...(await goodClaims(secrets, ACCESS, now)), ...claims })
    const context: FlowContext = {
      identity: identityConfig({ flow: 'code' }),
      provider: DISCOVERY,
      redirectUri: 'https://console.example/auth/callback',
      secrets,
      now,
      fetch: async (_url, init) => {
        sent.push(new URLSearchParams(init?.body as URLSearchParams))
        return Response.json({ access_token: ACCESS, id_token: idToken, token_type: 'Bearer', expires_in: 600, ...tokens }, { status })
      },
    }
    return { now, tokens: await flow.readAnswer(new URL(`https://console.example/auth/callback${answer}`), context) }
  }

  const codeOf = async (change: Change) => {
    try {
      await read(change)
      return 'accepted'
    } catch (error) {
      return error instanceof SignInError ? error.code : `unexpected: ${String(error)}`
    }
  }

  it.each<[string, string, Change]>([
    ['another state', 'claims', { answer: `?code=c&state=other&iss=${ISSUER}` }],
    ['no issuer', 'claims', { answer: '?code=c&state=the-state' }],
    ['another issuer (mix-up)', 'claims', { answer: '?code=c&state=the-state&iss=https://evil.example' }],
    ['a repeated code', 'claims', { answer: `?code=c&code=d&state=the-state&iss=${ISSUER}` }],
    ['a token in the fragment', 'token_type', { answer: `?code=c&state=the-state&iss=${ISSUER}#access_token=x` }],
    ['an error of the provider', 'access_denied', { answer: `?error=access_denied&state=the-state&iss=${ISSUER}` }],
    ['another nonce', 'claims', { claims: { nonce: 'other' } }],
    ['another audience', 'claims', { claims: { aud: 'other' } }],
    ['an expired id_token', 'claims', { claims: { exp: 1 } }],
    ['no id_token', 'claims', { tokens: { id_token: undefined } }],
    ['a refused code', 'invalid_grant', { tokens: { error: 'invalid_grant' }, status: 400 }],
  ])('is refused with %s (%s)', async (_title, code, change) => {
    expect(await codeOf(change)).toBe(code)
  })

  it('is exchanged with the verifier for both tokens', async () => {
    const { now, tokens } = await read({})
    expect(Object.fromEntries(sent.at(-1) ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      client_id: 'console',
      code: 'c',
      code_verifier: secrets.verifier,
      redirect_uri: 'https://console.example/auth/callback',
    })
    expect(tokens).toMatchObject({ accessToken: ACCESS, expiresAt: now + 600_000, user: { sub: 'person-1', roles: ['admin.tenant'] } })
  })
})
