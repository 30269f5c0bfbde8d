import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpBrowser } from './testing/http-browser.ts'
import { authorizeUrl, fragmentOf, type IdentityServer, signIn, startIdentityServer } from './testing/identity-server.ts'
import { AMARA, JONAS, seedPeople } from './testing/test-people.ts'

describe('the session at the provider', () => {
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
