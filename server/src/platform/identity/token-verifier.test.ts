import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { seedAccount } from './accounts.ts'
import { createHttpBrowser } from './testing/http-browser.ts'
import { authorizeUrl, createHandClock, fragmentOf, type IdentityServer, signIn, startIdentityServer } from './testing/identity-server.ts'
import { createTokenVerifier, type ExternalProvider, TokenError, type TokenVerifier } from './token-verifier.ts'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

const reasonOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'accepted'
  } catch (error) {
    return error instanceof TokenError ? error.reason : `unexpected: ${String(error)}`
  }
}

describe('access tokens of the embedded provider', () => {
  let server: IdentityServer
  let verifier: TokenVerifier
  let sub: string
  let accessToken: string
  let idToken: string
  let foreign: KeyPair

  beforeAll(async () => {
    server = await startIdentityServer({ accessTokenSeconds: 600 })
    const person = { email: 'amara@northwind.example', name: 'Amara Wells', password: 'harbour-lantern-42' }
    sub = (await seedAccount(server.db, person)).id
    server.entries.set(sub, { roles: ['admin.tenant'], disabled: false })
    verifier = createTokenVerifier({ kind: 'embedded', publicUrl: server.url, db: server.db, clock: server.clock })
    const fragment = fragmentOf(await signIn(server, person))
    accessToken = fragment.get('access_token') ?? ''
    idToken = fragment.get('id_token') ?? ''
    foreign = await generateKeyPair('RS256', { extractable: true })
  })
  afterAll(() => server.close())

  const claims = (change: JWTPayload = {}): JWTPayload => ({
    iss: `${server.url}/identity`,
    aud: `${server.url}/v1`,
    sub,
    scope: 'api',
    role: ['admin.super'],
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 600,
    ...change,
  })
  const signed = (payload: JWTPayload, header: { alg: string; kid?: string; typ?: string } = { alg: 'RS256', typ: 'at+jwt' }) =>
    new SignJWT(payload).setProtectedHeader(header).sign(foreign.privateKey)
  const kid = async () => ((await (await fetch(`${server.url}/identity/jwks`)).json()) as { keys: { kid: string }[] }).keys[0]?.kid ?? ''

  it('are accepted with what they say', async () => {
    expect(await verifier.verify(accessToken)).toEqual({
      iss: `${server.url}/identity`,
      sub,
      scopes: ['api', 'api.basic'],
      roles: ['admin.tenant'],
      exp: expect.any(Number),
    })
  })

  it('are refused as expired when their time is over', async () => {
    const clock = createHandClock()
    clock.move(601_000)
    const later = createTokenVerifier({ kind: 'embedded', publicUrl: server.url, db: server.db, clock })
    expect(await reasonOf(later.verify(accessToken))).toBe('expired')
  })

  it('cannot be replaced by the id_token', async () => {
    expect(await reasonOf(verifier.verify(idToken))).toBe('invalid')
  })

  it('are refused when made for another address', async () => {
    const other = createTokenVerifier({ kind: 'embedded', publicUrl: 'https://other.example', db: server.db, clock: server.clock })
    expect(await reasonOf(other.verify(accessToken))).toBe('invalid')
  })

  it('are refused when signed by a foreign key, also under a known key id', async () => {
    expect(await reasonOf(verifier.verify(await signed(claims(), { alg: 'RS256', kid: 'strange', typ: 'at+jwt' })))).toBe('invalid')
    expect(await reasonOf(verifier.verify(await signed(claims(), { alg: 'RS256', kid: await kid(), typ: 'at+jwt' })))).toBe('invalid')
  })

  it('are refused without a signature and with a symmetric one made from a public key', async () => {
    expect(await reasonOf(verifier.verify(new UnsecuredJWT(claims()).encode()))).toBe('invalid')
    const secret = new TextEncoder().encode(await exportSPKI(foreign.publicKey))
    const symmetric = await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: await kid(), typ: 'at+jwt' }).sign(secret)
    expect(await reasonOf(verifier.verify(symmetric))).toBe('invalid')
  })

  it('are refused when any part was changed', async () => {
    const [header = '', payload = '', signature = ''] = accessToken.split('.')
    const raised = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), role: ['admin.super'] }),
    ).toString('base64url')
    expect(await reasonOf(verifier.verify([header, raised, signature].join('.')))).toBe('invalid')
  })

  it('never fail in another way, whatever is sent', async () => {
    const shapes = fc.oneof(
      fc.string(),
      fc.string().map((text) => `${text}.${text}.${text}`),
      fc.base64String({ minLength: 4 }).map((text) => accessToken + text),
      fc.constant(''),
    )
    await fc.assert(
      fc.asyncProperty(shapes, async (text) => (await reasonOf(verifier.verify(text))) === 'invalid'),
      { seed: 7, numRuns: 200 },
    )
  })

  it('keep verifying after the session behind them is gone, until they expire', async () => {
    const browser = createHttpBrowser()
    const silent = await browser.get(authorizeUrl(server, 'implicit', { prompt: 'none' }))
    expect(fragmentOf(silent).get('error')).toBe('login_required')
    expect(await reasonOf(verifier.verify(accessToken))).toBe('accepted')
  })
})

describe('access tokens of an external provider', () => {
  let keys: KeyPair
  let http: Server
  let issuer: string
  let claimedIssuer: string

  beforeAll(async () => {
    keys = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'outside', alg: 'RS256', use: 'sig' }
    http = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      const discovery = { issuer: claimedIssuer, jwks_uri: `${issuer}/jwks` }
      response.end(JSON.stringify(request.url === '/jwks' ? { keys: [jwk] } : discovery))
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    claimedIssuer = issuer
  })
  afterAll(() => {
    http.closeAllConnections()
    http.close()
  })

  const provider = (change: Partial<ExternalProvider> = {}): ExternalProvider => ({
    issuer,
    clientId: 'instep-console',
    audiences: ['api://instep'],
    rolePath: ['realm_access', 'roles'],
    subjectClaim: 'sub',
    scopeClaim: 'scope',
    algorithms: ['RS256'],
    roleSource: 'accessToken',
    endSession: true,
    ...change,
  })
  const verifier = (change: Partial<ExternalProvider> = {}) =>
    createTokenVerifier({ kind: 'external', provider: provider(change), clock: systemClock })
  const token = (change: Record<string, unknown> = {}, header: { typ?: string } = {}) =>
    new SignJWT({ iss: issuer, aud: 'api://instep', sub: 'person-1', exp: Math.floor(Date.now() / 1000) + 60, scope: 'api', ...change })
      .setProtectedHeader({ alg: 'RS256', kid: 'outside', ...header })
      .sign(keys.privateKey)

  it.each<[string, Record<string, unknown>, Partial<ExternalProvider>]>([
    ['another audience', { aud: 'api://other' }, {}],
    ['another issuer', { iss: 'https://other.example' }, {}],
    ['a nonce, which only an id_token has', { nonce: 'n' }, {}],
    ['an access token hash, which only an id_token has', { at_hash: 'h' }, {}],
    ['the console as audience', { aud: ['api://instep', 'instep-console'] }, {}],
    ['no subject', { sub: undefined }, {}],
    ['a subject that is no text', { oid: 7 }, { subjectClaim: 'oid' }],
    ['the wrong type in its header', {}, { typ: 'at+jwt' }],
    ['no expiry', { exp: undefined }, {}],
  ])('are refused with %s', async (_title, change, settings) => {
    expect(await reasonOf(verifier(settings).verify(await token(change)))).toBe('invalid')
  })

  it('are read as Keycloak writes them', async () => {
    const payload = { realm_access: { roles: ['instep-admins', 'offline_access'] }, scope: 'openid api' }
    const verified = await verifier({ roleMap: { 'instep-admins': 'admin.tenant' } }).verify(await token(payload))
    expect(verified).toMatchObject({ sub: 'person-1', roles: ['admin.tenant'], scopes: ['openid', 'api'] })
  })

  it('are read as Entra ID writes them', async () => {
    const settings = {
      rolePath: ['roles'],
      subjectClaim: 'oid',
      scopeClaim: 'scp',
      scopeMap: { 'api.read': 'api.basic', 'api.all': 'api' },
    }
    const verified = await verifier(settings).verify(
      await token({ oid: 'stable', sub: 'pairwise', scp: 'api.all api.read other', roles: ['admin.site'] }),
    )
    expect(verified).toMatchObject({ sub: 'stable', roles: ['admin.site'], scopes: ['api', 'api.basic'] })
  })

  it('are read as Auth0 and Okta write them: dots in names, lists of scopes, audiences in lists', async () => {
    const settings = { rolePath: ['https://instep.example/roles'], scopeClaim: 'scp' }
    const payload = {
      'https://instep.example/roles': ['admin.gdpr'],
      scp: ['api', 'api.basic'],
      aud: ['api://instep', `${issuer}/userinfo`],
    }
    expect(await verifier(settings).verify(await token(payload))).toMatchObject({ roles: ['admin.gdpr'], scopes: ['api', 'api.basic'] })
  })

  it('give no roles when those come from the database or the id_token', async () => {
    const payload = { realm_access: { roles: ['admin.super'] } }
    expect((await verifier({ roleSource: 'database' }).verify(await token(payload))).roles).toEqual([])
    expect((await verifier({ roleSource: 'idToken' }).verify(await token(payload))).roles).toEqual([])
  })

  it('cannot be judged while the provider is away or names another issuer', async () => {
    const away = createTokenVerifier({ kind: 'external', provider: provider({ issuer: 'http://127.0.0.1:9' }), clock: systemClock })
    expect(await reasonOf(away.verify(await token({ iss: 'http://127.0.0.1:9' })))).toBe('unavailable')
    claimedIssuer = 'https://other.example'
    const mixed = verifier()
    expect(await reasonOf(mixed.verify(await token()))).toBe('unavailable')
    claimedIssuer = issuer
    expect(await reasonOf(mixed.verify(await token()))).toBe('accepted')
  })

  it('cannot be configured with a symmetric algorithm or none', () => {
    for (const algorithms of [['HS256'], ['none'], ['RS256', 'HS512'], []])
      expect(() => verifier({ algorithms })).toThrow('not an algorithm')
  })
})
