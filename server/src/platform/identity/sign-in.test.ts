import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seedAccount } from './accounts.ts'
import { createPasswordCheck } from './passwords.ts'
import { createSignIn } from './sign-in.ts'
import { createHttpBrowser } from './testing/http-browser.ts'
import {
  apiAudience,
  authorizeUrl,
  CODE_VERIFIER,
  fragmentOf,
  type IdentityServer,
  signIn,
  startIdentityServer,
} from './testing/identity-server.ts'
import { enrolTotp } from './totp.ts'

const AMARA = { email: 'amara@northwind.example', name: 'Amara Wells', password: 'harbour-lantern-42' }
const JONAS = { email: 'jonas@northwind.example', name: 'Jonas Meyer', password: 'gravel-orchard-17' }

const prepare = async (server: IdentityServer) => {
  const amara = await seedAccount(server.db, AMARA)
  const jonas = await seedAccount(server.db, JONAS)
  server.entries.set(amara.id, { roles: ['admin.tenant', 'admin.gdpr'], disabled: false })
  server.entries.set(jonas.id, { roles: ['admin.site'], disabled: false })
  return { amara: amara.id, jonas: jonas.id }
}

describe('signing in by the implicit flow', () => {
  let server: IdentityServer
  let ids: { amara: string; jonas: string }

  beforeAll(async () => {
    server = await startIdentityServer({}, { sandboxSignIns: [{ ...AMARA, role: 'admin.tenant' }] })
    ids = await prepare(server)
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
      import('node:http').then(({ get }) => {
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
      }, reject)
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

  it('signs in a second tab without asking, and signs in silently in a frame', async () => {
    const browser = createHttpBrowser()
    await signIn(server, AMARA, { browser })
    const again = await browser.get(authorizeUrl(server, 'implicit'))
    expect(fragmentOf(again).has('access_token')).toBe(true)
    const silent = await browser.get(authorizeUrl(server, 'implicit', { prompt: 'none', redirect_uri: `${server.url}/auth/silent-renew` }))
    expect(silent.url.pathname).toBe('/auth/silent-renew')
    expect(fragmentOf(silent).has('id_token')).toBe(true)
  })

  it('signs in the chosen person of the sandbox', async () => {
    const browser = createHttpBrowser()
    const page = await browser.get(authorizeUrl(server, 'implicit'))
    expect(page.text).toContain('Amara Wells')
    expect(page.text).toContain('Tenant admin')
    expect(page.text).not.toContain(AMARA.password)
    const answer = await browser.post(page.url, { sandbox: '0' })
    expect(decodeJwt(fragmentOf(answer).get('id_token') ?? '').sub).toBe(ids.amara)
  })

  it('tells a known person without access so, and gives nothing', async () => {
    server.entries.set(ids.amara, { roles: ['admin.tenant'], disabled: true })
    const page = await signIn(server, AMARA)
    expect(page.status).toBe(403)
    expect(page.text).toContain('has no access')
  })

  it('answers login_required, not an error, when the signed-in person was disabled', async () => {
    const browser = createHttpBrowser()
    await signIn(server, AMARA, { browser })
    server.entries.set(ids.amara, { roles: ['admin.tenant'], disabled: true })
    const silent = await browser.get(authorizeUrl(server, 'implicit', { prompt: 'none' }))
    expect(fragmentOf(silent).get('error')).toBe('login_required')
    const loud = await browser.get(authorizeUrl(server, 'implicit'))
    expect(loud.status).toBe(200)
    expect(loud.url.pathname).toContain('/interaction/')
  })

  it('lets another person sign in where a disabled one still had a session', async () => {
    const browser = createHttpBrowser()
    await signIn(server, AMARA, { browser })
    server.entries.set(ids.amara, { roles: ['admin.tenant'], disabled: true })
    const page = await browser.get(authorizeUrl(server, 'implicit'))
    const bridge = await browser.post(page.url, JONAS)
    // The provider first ends the other session with a form that sends itself; its script is allowed by hash alone.
    expect(bridge.headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[\w+/=]+'/)
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(bridge.text)?.[1] ?? ''
    const answer = await browser.post(/action="([^"]+)"/.exec(bridge.text)?.[1] ?? '', { xsrf, logout: 'yes' })
    expect(decodeJwt(fragmentOf(answer).get('id_token') ?? '').sub).toBe(ids.jonas)
  })

  it('answers in French when the application or the browser asks for it', async () => {
    const byParameter = await createHttpBrowser().get(authorizeUrl(server, 'implicit', { ui_locales: 'fr-FR' }))
    expect(byParameter.text).toContain('<html lang="fr-FR" dir="ltr">')
    expect(byParameter.text).toContain('Mot de passe')
    const byHeader = await createHttpBrowser().get(authorizeUrl(server, 'implicit'), { 'accept-language': 'ja, fr;q=0.8, en;q=0.5' })
    expect(byHeader.text).toContain('Se connecter')
  })

  it('sends pages that allow no inline script, no framing and no forms to elsewhere', async () => {
    const page = await createHttpBrowser().get(authorizeUrl(server, 'implicit'))
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain(`form-action 'self' ${server.url}`)
    expect(policy).not.toContain('unsafe')
    expect(page.text).not.toMatch(/<script|style=|<style/)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect((await createHttpBrowser().get(`${server.url}/identity/style.css`)).headers.get('content-type')).toContain('text/css')
  })

  it('ends the session twelve hours after the sign-in, however often it was renewed', async () => {
    const browser = createHttpBrowser()
    await signIn(server, AMARA, { browser })
    const renew = () => browser.get(authorizeUrl(server, 'implicit', { prompt: 'none' }))
    const hours = (count: number) => server.clock.move(count * 3_600_000)
    try {
      hours(6)
      expect(fragmentOf(await renew()).has('access_token')).toBe(true)
      hours(5.9)
      expect(fragmentOf(await renew()).has('access_token')).toBe(true)
      hours(0.2)
      expect(fragmentOf(await renew()).get('error')).toBe('login_required')
      const page = await browser.get(authorizeUrl(server, 'implicit'))
      expect(fragmentOf(await browser.post(page.url, AMARA)).has('access_token')).toBe(true)
      expect(fragmentOf(await renew()).has('access_token')).toBe(true)
    } finally {
      hours(-12.1)
    }
  })

  it('signs out at once with the id_token, and only asks without it', async () => {
    const browser = createHttpBrowser()
    const fragment = fragmentOf(await signIn(server, AMARA, { browser }))
    const end = new URL(`${server.url}/identity/session/end`)
    end.searchParams.set('post_logout_redirect_uri', `${server.url}/auth/logged-out`)
    const asks = await browser.get(`${end.href}&client_id=console`)
    expect(asks.text).toContain('Sign out?')
    expect(asks.text).not.toContain('<script')
    end.searchParams.set('id_token_hint', fragment.get('id_token') ?? '')
    const sure = await browser.get(end)
    expect(sure.text).toContain('src="/identity/confirm.js"')
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(sure.text)?.[1] ?? ''
    const gone = await browser.post(`${server.url}/identity/session/end/confirm`, { xsrf, logout: 'yes' })
    expect(gone.url.href).toBe(`${server.url}/auth/logged-out`)
    const silent = await browser.get(authorizeUrl(server, 'implicit', { prompt: 'none' }))
    expect(fragmentOf(silent).get('error')).toBe('login_required')
  })

  it('does not send people to a foreign address after signing out', async () => {
    const end = new URL(`${server.url}/identity/session/end`)
    end.searchParams.set('post_logout_redirect_uri', 'https://evil.example/')
    end.searchParams.set('client_id', 'console')
    const page = await createHttpBrowser().get(end, { accept: 'text/html' })
    expect(page.status).toBe(400)
    expect(page.text).not.toContain('evil.example')
  })
})

describe('signing in by the code flow', () => {
  let server: IdentityServer

  beforeAll(async () => {
    server = await startIdentityServer({ flow: 'code', accessTokenSeconds: 600 })
    await prepare(server)
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

describe('guessing passwords and codes', () => {
  let server: IdentityServer
  let ids: { amara: string; jonas: string }

  beforeAll(async () => {
    server = await startIdentityServer({ lockAfter: 5, lockMinutes: 15 })
    ids = await prepare(server)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await sql`update identity_accounts set failed_attempts = 0, locked_until = null, totp_secret = null, totp_last_step = null`.execute(
      server.db,
    )
  })

  const countingSignIn = async () => {
    const { rows } = await sql<{ hash: string }>`select password_hash as hash from identity_accounts where id = ${ids.amara}`.execute(
      server.db,
    )
    const tally = { real: 0, decoy: 0 }
    const check = createPasswordCheck()
    const steps = await createSignIn({
      ...server.deps,
      checkPassword: (stored, password) => {
        tally[stored === rows[0]?.hash ? 'real' : 'decoy'] += 1
        return check(stored, password)
      },
    })
    return { steps, tally }
  }

  it('tries exactly five of twenty-five guesses made at the same moment', async () => {
    const { steps, tally } = await countingSignIn()
    const guesses = Array.from({ length: 25 }, (_, index) => steps.password(AMARA.email, `guess-${index}`))
    expect((await Promise.all(guesses)).every(({ kind }) => kind === 'refused')).toBe(true)
    expect(tally).toEqual({ real: 5, decoy: 20 })
  })

  it('refuses even the right password while the lock lasts, and starts counting anew after it', async () => {
    const { steps } = await countingSignIn()
    for (let guess = 0; guess < 5; guess += 1) await steps.password(AMARA.email, 'wrong')
    expect(await steps.password(AMARA.email, AMARA.password)).toEqual({ kind: 'refused' })
    server.clock.move(15 * 60_000 + 1)
    try {
      expect(await steps.password(AMARA.email, 'wrong')).toEqual({ kind: 'refused' })
      expect(await steps.password(AMARA.email, AMARA.password)).toMatchObject({ kind: 'done' })
    } finally {
      server.clock.move(-15 * 60_000 - 1)
    }
  })

  it('takes one hash for an unknown address, like for a known one', async () => {
    const { steps, tally } = await countingSignIn()
    await steps.password('nobody@northwind.example', 'anything')
    expect(tally).toEqual({ real: 0, decoy: 1 })
  })

  it('accepts the password on the last attempt and forgets the failed ones', async () => {
    const { steps } = await countingSignIn()
    for (let guess = 0; guess < 4; guess += 1) await steps.password(AMARA.email, 'wrong')
    expect(await steps.password(` ${AMARA.email.toUpperCase()} `, AMARA.password)).toMatchObject({ kind: 'done' })
    expect(await steps.password(AMARA.email, 'wrong')).toEqual({ kind: 'refused' })
    expect(await steps.password(AMARA.email, AMARA.password)).toMatchObject({ kind: 'done' })
  })

  it('does not let a right password win more guesses at the code', async () => {
    await enrolTotp(server.deps, { id: ids.amara, email: AMARA.email })
    const { steps } = await countingSignIn()
    let asked = 0
    for (let round = 0; round < 12; round += 1) {
      const step = await steps.password(AMARA.email, AMARA.password)
      if (step.kind !== 'codeNeeded') break
      asked += 1
      expect(await steps.code(ids.amara, '000000')).toEqual({ kind: 'refused' })
    }
    expect(asked).toBe(5)
  })

  it('asks for the code after the password, accepts it once and refuses its replay', async () => {
    const { secret } = await enrolTotp(server.deps, { id: ids.amara, email: AMARA.email })
    const code = await generate({ secret })
    const browser = createHttpBrowser()
    const page = await signIn(server, AMARA, { browser })
    expect(page.text).toContain('autocomplete="one-time-code"')
    expect((await browser.post(page.url, { code: 'abc' })).status).toBe(401)
    const answer = await browser.post(page.url, { code: `${code.slice(0, 3)} ${code.slice(3)}` })
    expect(decodeJwt(fragmentOf(answer).get('id_token') ?? '')).toMatchObject({ amr: ['pwd', 'otp'], acr: 'mfa' })
    const second = createHttpBrowser()
    const again = await signIn(server, AMARA, { browser: second })
    expect((await second.post(again.url, { code })).status).toBe(401)
    const restarted = await second.post(again.url, { restart: 'yes', code: '' })
    expect(restarted.text).toContain('autocomplete="current-password"')
  })

  it('does not let a code alone sign in', async () => {
    const { secret } = await enrolTotp(server.deps, { id: ids.amara, email: AMARA.email })
    const browser = createHttpBrowser()
    const page = await browser.get(authorizeUrl(server, 'implicit'))
    const answer = await browser.post(page.url, { code: await generate({ secret }), email: AMARA.email })
    expect(answer.status).toBe(422)
  })
})

describe('a flood from one address', () => {
  it('is answered with a page in words after the allowed number of posts', async () => {
    const server = await startIdentityServer({ attemptsPerMinute: 3 })
    const browser = createHttpBrowser()
    const page = await browser.get(authorizeUrl(server, 'implicit'))
    const statuses: number[] = []
    let text = ''
    for (let post = 0; post < 4; post += 1) {
      const answer = await browser.post(page.url, { email: 'nobody@northwind.example', password: 'x' })
      statuses.push(answer.status)
      text = answer.text
    }
    await server.close()
    expect(statuses).toEqual([401, 401, 401, 429])
    expect(text).toContain('Too many tries')
  })
})
