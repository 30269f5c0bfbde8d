import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccount, findAccountByEmail, seedAccount, setPassword } from './accounts.ts'
import { removeExpired } from './remove-expired.ts'
import { createSetupLink } from './setup-links.ts'
import { createHttpBrowser } from './testing/http-browser.ts'
import { authorizeUrl, fragmentOf, type IdentityServer, signIn, startIdentityServer } from './testing/identity-server.ts'

describe('choosing a password through a one-time link', () => {
  let server: IdentityServer
  let id: string
  const PRIYA = { email: 'Priya@Northwind.example', name: 'Priya Tanaka' }
  const GOOD = 'copper-meadow-91'

  beforeAll(async () => {
    server = await startIdentityServer()
    id = (await createAccount(server.db, PRIYA)).id
    server.entries.set(id, { roles: ['admin.super'], disabled: false })
  })
  afterAll(() => server.close())

  const send = (path: string, password: string, repeat = password) => createHttpBrowser().post(server.url + path, { password, repeat })

  it('does not let an account without a password sign in', async () => {
    expect((await signIn(server, { email: PRIYA.email, password: '' })).status).toBe(422)
    expect((await signIn(server, { email: PRIYA.email, password: GOOD })).status).toBe(401)
  })

  it('refuses an unknown, an expired and a replaced link alike', async () => {
    const expired = await createSetupLink(server.db, id, { now: new Date(Date.now() - 25 * 3_600_000) })
    const pages = [
      await createHttpBrowser().get(`${server.url}/identity/setup/unknown`),
      await createHttpBrowser().get(server.url + expired.path),
    ]
    const replaced = await createSetupLink(server.db, id)
    await createSetupLink(server.db, id)
    pages.push(await createHttpBrowser().get(server.url + replaced.path), await send(replaced.path, GOOD))
    expect(pages.map(({ status }) => status)).toEqual([410, 410, 410, 410])
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
  })

  it.each([
    ['short', 'elevenchars', 'at least 12'],
    ['long', 'x y'.repeat(50), 'at most 128'],
    ['common', 'Password2026!', 'guessed first'],
    ['personal', 'priyatanaka1', 'your name'],
  ])('refuses a password that is %s and keeps the link', async (_title, password, said) => {
    const { path } = await createSetupLink(server.db, id)
    const page = await send(path, password)
    expect(page.status).toBe(422)
    expect(page.text).toContain(said)
    expect(page.text).not.toContain(password)
    expect((await createHttpBrowser().get(server.url + path)).status).toBe(200)
  })

  it('refuses two passwords that differ, and a post from another site', async () => {
    const { path } = await createSetupLink(server.db, id)
    expect((await send(path, GOOD, `${GOOD}!`)).text).toContain('not the same')
    const foreign = await createHttpBrowser().post(server.url + path, { password: GOOD, repeat: GOOD }, { origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
  })

  it('saves the password once; the person can sign in with it', async () => {
    const { path } = await createSetupLink(server.db, id)
    const saved = await Promise.all([send(path, GOOD), send(path, GOOD)])
    expect(saved.map(({ status }) => status).sort()).toEqual([200, 410])
    expect(fragmentOf(await signIn(server, { email: PRIYA.email, password: GOOD })).has('access_token')).toBe(true)
  })

  it('stores no token that could be used', async () => {
    const { path } = await createSetupLink(server.db, id)
    const { rows } = await sql<{ text: string }>`select encode(token_hash, 'escape') as text from identity_setup_links`.execute(server.db)
    expect(rows.map(({ text }) => text).join()).not.toContain(path.split('/').at(-1))
  })

  it('ends the sessions of the account when its password changes', async () => {
    const browser = createHttpBrowser()
    await setPassword(server.db, id, GOOD)
    await signIn(server, { email: PRIYA.email, password: GOOD }, { browser })
    await setPassword(server.db, id, 'another-copper-12')
    const silent = await browser.get(authorizeUrl(server, 'implicit', { prompt: 'none' }))
    expect(fragmentOf(silent).get('error')).toBe('login_required')
  })

  it('removes what has expired and nothing else', async () => {
    const browser = createHttpBrowser()
    await signIn(server, { email: PRIYA.email, password: 'another-copper-12' }, { browser })
    expect(await removeExpired(server.db, new Date(Date.now() - 30 * 24 * 3_600_000))).toBe(0)
    const silent = await browser.get(authorizeUrl(server, 'implicit', { prompt: 'none' }))
    expect(fragmentOf(silent).has('access_token')).toBe(true)
    expect(await removeExpired(server.db, new Date(Date.now() + 30 * 24 * 3_600_000))).toBeGreaterThan(2)
  })
})

describe('accounts', () => {
  let server: IdentityServer
  beforeAll(async () => {
    server = await startIdentityServer()
  })
  afterAll(() => server.close())

  it('are unique by address, however it is written', async () => {
    await createAccount(server.db, { email: 'lars@northwind.example', name: 'Lars Moreau' })
    await expect(createAccount(server.db, { email: ' LARS@Northwind.example', name: 'Another' })).rejects.toMatchObject({
      constraint: 'identity_accounts_email_unique',
    })
  })

  it('are seeded once and keep what they have', async () => {
    const seed = { email: 'mei@northwind.example', name: 'Mei Schneider', password: 'harbour-lantern-42' }
    const first = await seedAccount(server.db, seed)
    const second = await seedAccount(server.db, { ...seed, name: 'Somebody else', password: 'gravel-orchard-17' })
    expect([first.created, second.created]).toEqual([true, false])
    expect(second.id).toBe(first.id)
    expect(await findAccountByEmail(server.db, 'MEI@northwind.example')).toEqual({ id: first.id, email: seed.email, name: seed.name })
  })
})
