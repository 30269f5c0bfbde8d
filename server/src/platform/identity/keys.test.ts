import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedAccount } from './accounts.ts'
import { KEY_AGES, loadKeys, rotateKeys } from './keys.ts'
import { createHttpBrowser, type HttpBrowser } from './testing/http-browser.ts'
import { apiAudience, authorizeUrl, fragmentOf, type IdentityServer, signIn, startIdentityServer } from './testing/identity-server.ts'
import { createTokenVerifier, type TokenVerifier } from './token-verifier.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('signing keys', () => {
  let server: IdentityServer
  let browser: HttpBrowser
  let verifier: TokenVerifier
  const person = { email: 'amara@northwind.example', name: 'Amara Wells', password: 'harbour-lantern-42' }

  beforeAll(async () => {
    server = await startIdentityServer()
    browser = createHttpBrowser()
    const { id } = await seedAccount(server.db, person)
    server.entries.set(id, { roles: ['admin.tenant'], disabled: false })
    verifier = createTokenVerifier({ kind: 'embedded', publicUrl: server.url, db: server.db, clock: server.clock })
    await signIn(server, person, { browser })
  })
  afterAll(() => server.close())

  const rotate = (ages = KEY_AGES) => rotateKeys(server.deps, server.clock.now(), ages)
  const freshToken = async () =>
    fragmentOf(await browser.get(authorizeUrl(server, 'implicit', { prompt: 'none' }))).get('access_token') ?? ''
  const kidOf = (token: string) => decodeProtectedHeader(token).kid

  it('are stored encrypted', async () => {
    const { rows } = await sql<{ text: string }>`select encode(private_key, 'escape') as text from identity_keys`.execute(server.db)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.text).not.toMatch(/kty|"d"|RSA/)
  })

  it('are not published with their private part', async () => {
    const { keys } = (await (await fetch(`${server.url}/identity/jwks`)).json()) as { keys: Record<string, unknown>[] }
    expect(keys).toHaveLength(1)
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })

  it('stay as they are while nothing is due', async () => {
    expect(await rotate()).toEqual({ created: [], activated: [], removed: [] })
  })

  it('are created once when several processes start at the same moment', async () => {
    const other = await startIdentityServer()
    await sql`delete from identity_keys`.execute(other.db)
    await Promise.all([1, 2, 3].map(() => rotateKeys(other.deps, other.clock.now())))
    expect(await loadKeys(other.db)).toHaveLength(1)
    await other.close()
  })

  it('rotate without one refused token: publish, wait, sign, keep the old one, remove it', async () => {
    // What a browser keeps for ten minutes: read once now, and once more before a published key may sign.
    const readKeySet = async () => createLocalJWKSet((await (await fetch(`${server.url}/identity/jwks`)).json()) as JSONWebKeySet)
    let cached = await readKeySet()
    const check = async (token: string) => {
      await verifier.verify(token)
      await jwtVerify(token, cached, { audience: apiAudience(server) })
    }
    const first = await freshToken()
    await check(first)

    const published = await rotate({ ...KEY_AGES, activeDays: 0 })
    expect(published).toMatchObject({ created: [expect.any(String)], activated: [] })
    await server.identity.refreshKeys()
    const second = await freshToken()
    expect(kidOf(second)).toBe(kidOf(first))
    await check(second)
    expect(await rotate()).toEqual({ created: [], activated: [], removed: [] })

    cached = await readKeySet()
    server.clock.move(16 * MINUTE)
    expect((await rotate()).activated).toEqual(published.created)
    // Nobody told the provider: it notices by itself.
    server.clock.move(16_000)
    const third = await freshToken()
    expect(kidOf(third)).toBe(published.created[0])
    await check(third)
    await check(second)

    server.clock.move(26 * HOUR)
    expect((await rotate()).removed).toEqual([kidOf(first)])
    expect(await loadKeys(server.db)).toMatchObject([{ kid: published.created[0], stage: 'active' }])
  })
})
