import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpBrowser } from './testing/http-browser.ts'
import { apiAudience, authorizeUrl, CODE_VERIFIER, type IdentityServer, signIn, startIdentityServer } from './testing/identity-server.ts'
import { AMARA, seedPeople } from './testing/test-people.ts'

describe('signing in by the code flow', () => {
  let server: IdentityServer

  beforeAll(async () => {
    server = await startIdentityServer({ flow: 'code', accessTokenSeconds: 600 })
    await seedPeople(server)
  })
  afterAll(() => server.close())

  const exchange = (code: string, change: Record<string, string> = {}) =>
    fetch(`${server.url}/identity/token`, {
      method: 'POST',
      headers: { origin: server.url },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'console',
        redirect_uri: `${server.url}/auth/callback`,
        code_verifier: CODE_VERIFIER,
        code,
        ...change,
      }),
    })

  const codeOf = async () => (await signIn(server, AMARA)).url.searchParams.get('code') ?? ''

  it('refuses the implicit flow, for which the client is not registered', async () => {
    const answer = await createHttpBrowser().get(authorizeUrl(server, 'implicit'), { accept: 'text/html' })
    expect(answer.url.href).not.toContain('access_token')
    expect(answer.url.href).toContain('error=invalid_request')
    const withItsMode = await createHttpBrowser().get(authorizeUrl(server, 'implicit', { response_mode: 'query' }))
    expect(withItsMode.url.href).not.toContain('access_token')
    expect(withItsMode.url.href).toContain('error=')
  })

  it('refuses a request without PKCE', async () => {
    const answer = await createHttpBrowser().get(
      authorizeUrl(server, 'code', { code_challenge: undefined, code_challenge_method: undefined }),
    )
    expect(answer.url.searchParams.get('error')).toBe('invalid_request')
  })

  it('refuses a wrong verifier', async () => {
    const response = await exchange(await codeOf(), { code_verifier: 'a'.repeat(43) })
    expect(response.status).toBe(400)
  })

  it('gives both tokens for a code, once', async () => {
    const code = await codeOf()
    const response = await exchange(code)
    expect(response.status).toBe(200)
    const tokens = (await response.json()) as { access_token: string; id_token: string; expires_in: number }
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      aud: apiAudience(server),
      scope: 'api api.basic',
      role: ['admin.tenant', 'admin.gdpr'],
    })
    expect(decodeJwt(tokens.id_token)).toMatchObject({ nonce: 'the-nonce', email: AMARA.email, role: ['admin.tenant', 'admin.gdpr'] })
    expect(tokens.expires_in).toBe(600)
    expect((await exchange(code)).status).toBe(400)
  })

  it('lets one of three exchanges of one code at the same moment win', async () => {
    const code = await codeOf()
    const statuses = (await Promise.all([exchange(code), exchange(code), exchange(code)])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})
