import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPasswordCheck } from './passwords.ts'
import { createSignIn } from './sign-in.ts'
import { createHttpBrowser } from './testing/http-browser.ts'
import { authorizeUrl, fragmentOf, type IdentityServer, signIn, startIdentityServer } from './testing/identity-server.ts'
import { AMARA, seedPeople } from './testing/test-people.ts'
import { enrolTotp } from './totp.ts'

describe('guessing passwords and codes', () => {
  let server: IdentityServer
  let ids: { amara: string; jonas: string }

  beforeAll(async () => {
    server = await startIdentityServer({ lockAfter: 5, lockMinutes: 15 })
    ids = await seedPeople(server)
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
