import { beforeAll, describe, expect, it } from 'vitest'
import { createSession } from './create-session.ts'
import type { IdentityConfig } from './runtime-config.ts'
import { SessionExpiredError, SignInError } from './session-errors.ts'
import { createFakeBrowser, type FakeBrowser } from './testing/fake-browser.ts'
import { createFakeProvider, type FakeProvider, goodClaims, ISSUER, identityConfig } from './testing/fake-provider.ts'

const CALLBACK = 'https://console.example/auth/callback'

describe('the session of a tab', () => {
  let provider: FakeProvider
  beforeAll(async () => {
    provider = await createFakeProvider()
  })

  const open = (change: Partial<IdentityConfig> = {}, browser: FakeBrowser = createFakeBrowser((url) => provider.answerRequest(url))) => ({
    browser,
    session: createSession({ identity: identityConfig(change) }, { browser, uiLocale: () => 'fr-FR' }),
  })

  /** What the provider sends back to an authorization request. */
  const answerTo = async (request: string, change: { sub?: string; expiresIn?: number; now: number }): Promise<string> => {
    const asked = new URL(request).searchParams
    const accessToken = `token-at-${change.now}`
    const claims = await goodClaims({ nonce: asked.get('nonce') ?? '' }, accessToken, change.now)
    const idToken = await provider.idToken({ ...claims, ...(change.sub === undefined ? {} : { sub: change.sub }) })
    const fragment = {
      state: asked.get('state') ?? '',
      token_type: 'Bearer',
      access_token: accessToken,
      id_token: idToken,
      expires_in: String(change.expiresIn ?? 3600),
    }
    return `${asked.get('redirect_uri')}#${new URLSearchParams(fragment)}`
  }

  const signedIn = async (change: Partial<IdentityConfig> = {}, expiresIn = 3600) => {
    const opened = open(change)
    await opened.session.start()
    await opened.session.signIn('/users?status=claimed#top')
    const answer = await answerTo(opened.browser.left[0] ?? '', { now: opened.browser.now(), expiresIn })
    return { ...opened, answer, result: await opened.session.completeSignIn(answer) }
  }

  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work
      return 'accepted'
    } catch (error) {
      return error instanceof SignInError ? error.code : `unexpected: ${String(error)}`
    }
  }

  it('refuses a call before any request when nobody is signed in', async () => {
    const { session, browser } = open()
    expect(session.state).toEqual({ kind: 'loading' })
    expect(await session.start()).toEqual({ kind: 'signedOut' })
    expect(() => session.accessToken()).toThrow(new SessionExpiredError())
    expect(() => session.accessToken()).toThrow('User session expired')
    expect(browser.requested).toEqual([])
  })

  it('asks for exactly what the console is registered for', async () => {
    const { session, browser } = open({ extraAuthorize: { audience: 'https://api.example', client_id: 'not-overridable' } })
    await session.signIn('/')
    const asked = Object.fromEntries(new URL(browser.left[0] ?? '').searchParams)
    expect(asked).toEqual({
      client_id: 'console',
      redirect_uri: CALLBACK,
      response_type: 'id_token token',
      scope: 'openid profile api api.basic',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      ui_locales: 'fr-FR',
      audience: 'https://api.example',
    })
  })

  it('asks for a code with PKCE in the code flow', async () => {
    const { session, browser } = open({ flow: 'code' })
    await session.signIn('/')
    const asked = new URL(browser.left[0] ?? '').searchParams
    expect(asked.get('response_type')).toBe('code')
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  })

  it('starts one sign-in when several calls are refused at once', async () => {
    const { session, browser } = open()
    await Promise.all([session.signIn('/users'), session.signIn('/runs'), session.signIn('/')])
    expect(browser.left).toHaveLength(1)
  })

  it('brings the person back to where they were, with the token out of the address bar', async () => {
    const { session, browser, result } = await signedIn()
    expect(result).toEqual({ returnTo: '/users?status=claimed#top' })
    expect(browser.addresses).toEqual(['/auth/callback'])
    expect(session.state).toEqual({
      kind: 'signedIn',
      user: { sub: 'person-1', name: 'Amara Wells', email: 'amara@northwind.example', roles: ['admin.tenant'] },
    })
    expect(session.accessToken()).toBe(`token-at-${browser.now()}`)
  })

  it('takes the token out of the address bar even when the answer is refused', async () => {
    const { session, browser } = open()
    expect(await codeOf(session.completeSignIn(`${CALLBACK}#access_token=stolen&state=foreign`))).toBe('unknown_state')
    expect(browser.addresses).toEqual(['/auth/callback'])
    expect(browser.requested).toEqual([])
  })

  it('gives one result when it is asked twice about one answer, and refuses the answer later', async () => {
    const { session, browser, answer, result } = await signedIn()
    expect(await session.completeSignIn(answer)).toEqual(result)
    const { session: reloaded } = open({}, browser)
    expect(await codeOf(reloaded.completeSignIn(answer))).toBe('unknown_state')
  })

  it('keeps the way back when the provider refuses', async () => {
    const { session, browser } = open()
    await session.signIn('/runs')
    const state = new URL(browser.left[0] ?? '').searchParams.get('state')
    await expect(session.completeSignIn(`${CALLBACK}#error=access_denied&state=${state}`)).rejects.toMatchObject({
      code: 'access_denied',
      returnTo: '/runs',
    })
  })

  it('survives a reload, until the token expires', async () => {
    const { browser } = await signedIn()
    expect(await open({}, browser).session.start()).toMatchObject({ kind: 'signedIn' })
    browser.advance(3_600_000)
    const { session } = open({}, browser)
    expect(await session.start()).toEqual({ kind: 'signedOut' })
    expect([...Array(browser.storage.length).keys()].map((index) => browser.storage.key(index))).toEqual([])
  })

  it('does not take over tokens of another provider', async () => {
    const { browser } = await signedIn()
    expect(await open({ clientId: 'another' }, browser).session.start()).toEqual({ kind: 'signedOut' })
  })

  it('tells once that it is over, and refuses calls from then on', async () => {
    const { session, browser } = await signedIn()
    let told = 0
    session.onExpired(() => {
      told += 1
    })
    browser.advance(3_600_001)
    expect(session.state).toEqual({ kind: 'signedOut' })
    expect(() => session.accessToken()).toThrow(SessionExpiredError)
    session.expire()
    expect(told).toBe(1)
  })

  it('notices the end by itself when the timer slept', async () => {
    const { session, browser } = await signedIn()
    const later = browser.now() + 4_000_000
    browser.now = () => later
    expect(() => session.accessToken()).toThrow(SessionExpiredError)
    expect(session.state).toEqual({ kind: 'signedOut' })
  })

  it('signs out here and at the provider', async () => {
    const { session, browser } = await signedIn()
    await session.signOut()
    const url = new URL(browser.left[1] ?? '')
    expect(url.origin + url.pathname).toBe(`${ISSUER}/end`)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe('https://console.example/auth/logged-out')
    expect(url.searchParams.get('id_token_hint')).toMatch(/^ey/)
    expect(session.state).toEqual({ kind: 'signedOut' })
    expect(browser.storage.length).toBe(0)
  })

  it('signs out here alone when that is the setting, or nobody is signed in', async () => {
    const { session, browser } = await signedIn({ endSession: false })
    await session.signOut()
    await session.signOut()
    expect(browser.left.slice(1)).toEqual(['/auth/logged-out', '/auth/logged-out'])
  })

  it('does not renew unless that is the setting', async () => {
    const { browser } = await signedIn()
    browser.frame = () => expect.fail('a frame was opened')
    browser.advance(3_550_000)
  })

  it('renews a minute before the end and goes on with the new token', async () => {
    const { session, browser } = await signedIn({ silentRenew: true })
    const first = session.accessToken()
    const asked: string[] = []
    const renewedAt = browser.now() + 3_541_000
    let answer = ''
    browser.openFrame = (url, onMessage) => {
      asked.push(url)
      void answerTo(url, { now: renewedAt }).then((made) => {
        answer = made
        onMessage(made)
      })
      return () => {}
    }
    browser.advance(3_541_000)
    await expect.poll(() => session.accessToken()).not.toBe(first)
    expect(new URL(asked[0] ?? '').searchParams.get('prompt')).toBe('none')
    expect(answer).toContain('/auth/silent-renew#')
    browser.advance(3_000_000)
    expect(session.state).toMatchObject({ kind: 'signedIn' })
  })

  it.each([
    ['nothing', () => undefined],
    ['a message that is not the page’s address', () => ({ type: 'noise' })],
    ['an address of another origin', () => 'https://evil.example/auth/silent-renew#error=x'],
    [
      'login_required',
      (url: string) => `https://console.example/auth/silent-renew#error=login_required&state=${new URL(url).searchParams.get('state')}`,
    ],
  ])('stays signed in until the end when a renewal gets %s', async (_title, frame) => {
    const { session, browser } = await signedIn({ silentRenew: true })
    browser.frame = frame
    browser.advance(3_541_000)
    await new Promise((resolve) => setTimeout(resolve, 0))
    browser.advance(10_000)
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(session.state).toMatchObject({ kind: 'signedIn' })
    browser.advance(60_000)
    expect(session.state).toEqual({ kind: 'signedOut' })
  })

  it('ends when a renewal brings somebody else', async () => {
    const { session, browser } = await signedIn({ silentRenew: true })
    const renewedAt = browser.now() + 3_541_000
    browser.openFrame = (url, onMessage) => {
      void answerTo(url, { now: renewedAt, sub: 'person-2' }).then(onMessage)
      return () => {}
    }
    browser.advance(3_541_000)
    await expect.poll(() => session.state).toEqual({ kind: 'signedOut' })
  })

  it('says so when the browser hides what it needs, and when the provider is away or another', async () => {
    const insecure = open()
    insecure.browser.isSecureContext = false
    expect(await codeOf(insecure.session.signIn('/'))).toBe('insecure_context')
    const away = open(
      {},
      createFakeBrowser(() => Promise.reject(new TypeError('network'))),
    )
    expect(await codeOf(away.session.signIn('/'))).toBe('provider_unreachable')
    const other = open(
      {},
      createFakeBrowser(() => Response.json({ issuer: 'https://evil.example' })),
    )
    expect(await codeOf(other.session.signIn('/'))).toBe('issuer')
  })

  it('moves to the registered address first when it was opened elsewhere', async () => {
    const { session, browser } = open({ publicUrl: 'https://instep.example' })
    await session.signIn('/users?status=all')
    expect(browser.left).toEqual(['https://instep.example/users?status=all'])
  })
})
