import { createHash } from 'node:crypto'
import { get } from 'node:http'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpBrowser } from './testing/http-browser.ts'
import { apiAudience, authorizeUrl, fragmentOf, type IdentityServer, signIn, startIdentityServer } from './testing/identity-server.ts'
import { AMARA, seedPeople } from './testing/test-people.ts'

describe('signing in by the implicit flow', () => {
  let server: IdentityServer
  let ids: { amara: string; jonas: string }

  beforeAll(async () => {
    server = await startIdentityServer({}, { sandboxSignIns: [{ ...AMARA, role: 'admin.tenant' }] })
    ids = await seedPeople(server)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await sql`update identity_accounts set failed_attempts = 0, locked_until = null`.execute(server.db)
    server.entries.set(ids.amara, { roles: ['admin.tenant', 'admin.gdpr'], disabled: false })
  })

  it('refuses a wrong password and an unknown address with the same page', async () => {
    const wrong = await signIn(server, { ...AMARA, password: 'not the password' })
    const unknown = await signIn(server, { ...AMARA, email: 'nobody@northwind.example' })
    expect(wrong.status).toBe(401)
    expect(unknown.status).toBe(401)
    expect(wrong.text).toContain('role="alert"')
    expect(unknown.text.replace('nobody@', 'amara@')).toBe(wrong.text)
  })

  it('never repeats a password and escapes what was typed', async () => {
    const page = await signIn(server, { email: '"><script>alert(1)</script>', password: 'secret-typed-here' })
    expect(page.text).not.toContain('secret-typed-here')
    expect(page.text).not.toContain('<script>')
    expect(page.text).toContain('&quot;&gt;&lt;script&gt;')
  })

  it('says which field is empty', async () => {
    const page = await signIn(server, { email: AMARA.email, password: '' })
    expect(page.status).toBe(422)
    expect(page.text).toContain('aria-invalid="true"')
    expect(page.text).toContain('Please enter your password.')
  })

  it('refuses a post from another site, one without an origin, and one without the cookie', async () => {
    const browser = createHttpBrowser()
    const page = await browser.get(authorizeUrl(server, 'implicit'))
    const form = { email: AMARA.email, password: AMARA.password }
    expect((await browser.post(page.url, form, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await browser.post(page.url, form, { origin: 'null' })).status).toBe(403)
    const stranger = await createHttpBrowser().post(page.url, form)
    expect(stranger.status).toBe(400)
    expect(stranger.text).toContain('This sign-in has expired')
    const other = await browser.post(`${server.url}/identity/interaction/another`, form)
    expect(other.status).toBe(400)
  })

  it.each<[string, { redirect_uri?: string | undefined; client_id?: string }]>([
    ['a foreign redirect address', { redirect_uri: 'https://evil.example/auth/callback' }],
    ['a redirect address below ours', { redirect_uri: '/auth/callback/more' }],
    ['a missing redirect address', { redirect_uri: undefined }],
    ['an unknown client', { client_id: 'stranger' }],
  ])('shows a page of its own, without a redirect, for %s', async (_title, change) => {
    const redirect = change.redirect_uri?.startsWith('/') ? { redirect_uri: server.url + change.redirect_uri } : change
    const page = await createHttpBrowser().get(authorizeUrl(server, 'implicit', redirect), { accept: 'text/html' })
    expect(page.status).toBe(400)
    expect(page.url.pathname).toBe('/identity/auth')
    expect(page.text).toContain('Signing in could not go on')
  })

  it.each([
    ['the query as response mode', { response_mode: 'query' }],
    ['a form post as response mode', { response_mode: 'form_post' }],
    [
      'the code flow, for which the client is not registered',
      { response_type: 'code', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    ],
    ['an access token alone', { response_type: 'token' }],
    ['no nonce', { nonce: undefined }],
    ['another API', { resource: 'https://other.example/v1' }],
  ])('refuses %s without giving a token', async (_title, change) => {
    const answer = await createHttpBrowser().get(authorizeUrl(server, 'implicit', change), { accept: 'text/html' })
    expect(answer.url.href).not.toContain('access_token')
    expect(answer.url.pathname).not.toContain('/interaction/')
    const told = answer.url.pathname === '/auth/callback' ? answer.url.href : answer.text
    expect(told).toMatch(/error=|name="error"|could not go on/)
  })

  it('publishes its configured address whatever the Host header says', async () => {
    const document = await new Promise<string>((resolve, reject) => {
      const forged = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      }
      get(`${server.url}/identity/.well-known/openid-configuration`, { headers: forged }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve(text))
      }).on('error', reject)
    })
    expect(document).not.toContain('evil.example')
    expect(JSON.parse(document)).toMatchObject({
      issuer: `${server.url}/identity`,
      authorization_endpoint: `${server.url}/identity/auth`,
      jwks_uri: `${server.url}/identity/jwks`,
    })
  })

  it('gives an id_token with the profile and an access token for the API', async () => {
    const answer = await signIn(server, AMARA)
    expect(answer.url.pathname).toBe('/auth/callback')
    expect(answer.url.search).toBe('')
    const fragment = fragmentOf(answer)
    const idToken = fragment.get('id_token') ?? ''
    const accessToken = fragment.get('access_token') ?? ''
    expect(decodeJwt(idToken)).toMatchObject({
      iss: `${server.url}/identity`,
      aud: 'console',
      sub: ids.amara,
      nonce: 'the-nonce',
      name: AMARA.name,
      email: AMARA.email,
      role: ['admin.tenant', 'admin.gdpr'],
      amr: ['pwd'],
      acr: 'pwd',
      at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    })
    expect(decodeProtectedHeader(accessToken)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' })
    expect(decodeJwt(accessToken)).toMatchObject({
      aud: apiAudience(server),
      sub: ids.amara,
      scope: 'api api.basic',
      role: ['admin.tenant', 'admin.gdpr'],
    })
    expect(fragment.get('expires_in')).toBe('3600')
  })

  it('gives the smaller scope alone when only that is asked for', async () => {
    const browser = createHttpBrowser()
    const page = await browser.get(authorizeUrl(server, 'implicit', { scope: 'openid profile api.basic' }))
    const answer = await browser.post(page.url, AMARA)
    expect(decodeJwt(fragmentOf(answer).get('access_token') ?? '')).toMatchObject({ scope: 'api.basic' })
  })
})
