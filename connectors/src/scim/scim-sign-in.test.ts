import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TargetUser } from '../kit/target.ts'
import { createScimTarget } from './scim-target.ts'
import { type DialectStandIn, startDialectStandIn, type Traits } from './testing/dialect-stand-in.ts'

const ana: TargetUser = { active: true, fields: { externalId: 'E1', givenName: 'Ana', familyName: 'Silva', workEmail: 'ana@example.com' } }

let now: Date
let standIn: DialectStandIn
const start = async (traits: Traits) => {
  standIn = await startDialectStandIn(traits)
}
beforeEach(() => {
  now = new Date('2026-03-01T12:00:00Z')
})
afterEach(() => standIn.close())

/** Gives tokens of one minute and a half, one after the other. */
const startTokens = async (answer?: { status: number; body: unknown }) => {
  const asked: { authorization: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    asked.push({ authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() })
    response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer?.body ?? { access_token: `token-${asked.length}`, expires_in: 90 }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`, asked, close }
}

const openOAuth = (tokenUrl: string, properties: object = {}) =>
  createScimTarget(
    { baseUrl: standIn.baseUrl, authentication: 'oauth', tokenUrl, clientId: 'instep', tokenScope: 'scim', ...properties },
    { clientSecret: 's&cret' },
    { now: () => now },
  )

describe('an address inside the operator’s own network', () => {
  const at = (baseUrl: string, tokenUrl: string) => () =>
    createScimTarget(
      { baseUrl, authentication: 'oauth', tokenUrl, clientId: 'instep' },
      { clientSecret: 's' },
      { allowPrivate: false, now: () => now },
    )
  beforeEach(() => start({}))

  it.each([
    ['https://10.0.0.5/scim/v2', 'https://tokens.example.com/token', 'baseUrl'],
    ['https://127.0.0.1/scim/v2', 'https://tokens.example.com/token', 'baseUrl'],
    ['https://localhost/scim/v2', 'https://tokens.example.com/token', 'baseUrl'],
    ['https://[::ffff:192.168.1.1]/scim/v2', 'https://tokens.example.com/token', 'baseUrl'],
    ['https://scim.example.com/v2', 'https://192.168.1.1/token', 'tokenUrl'],
  ])('is refused where it may not be asked: %s, %s', (baseUrl, tokenUrl, property) => {
    expect(at(baseUrl, tokenUrl)).toThrow(
      expect.objectContaining({ code: 'TARGET_ADDRESS_REFUSED', params: expect.objectContaining({ property, reason: 'private' }) }),
    )
  })
})

describe('OAuth client credentials', () => {
  it.each([
    ['refuses the client', { status: 400, body: { error: 'invalid_client' } }, { code: 'TARGET_UNAUTHORISED' }],
    ['answers without a token', { status: 200, body: {} }, { code: 'TARGET_UNAUTHORISED' }],
    ['answers with no JSON object', { status: 200, body: 'token' }, { code: 'TARGET_UNAUTHORISED' }],
    ['sends more than any token is long', { status: 200, body: { access_token: 'a'.repeat(200_000) } }, { code: 'TARGET_UNAUTHORISED' }],
    ['is unavailable', { status: 503, body: {} }, { code: 'TARGET_UNAVAILABLE', retryable: true }],
  ])('sends nothing to the target where the token server %s', async (_name, answer, expected) => {
    await start({})
    const tokens = await startTokens(answer)
    const target = openOAuth(tokens.url)
    await expect(target.create(target.documentOf(ana))).rejects.toMatchObject(expected)
    expect(standIn.asked).toEqual([])
    await Promise.all([target.close(), tokens.close()])
  })

  it('says that nobody answers at the address of tokens, and that nothing was sent', async () => {
    await start({})
    const target = openOAuth('http://127.0.0.1:1/token')
    await expect(target.create(target.documentOf(ana))).rejects.toMatchObject({ code: 'TARGET_UNREACHABLE', retryable: true })
    await target.close()
  })

  it('asks once for many requests, and again before the token ends', async () => {
    await start({})
    const tokens = await startTokens()
    const target = openOAuth(tokens.url)
    await Promise.all(Array.from({ length: 8 }, () => target.check()))
    expect(tokens.asked).toEqual([
      { authorization: `Basic ${Buffer.from('instep:s%26cret').toString('base64')}`, body: 'grant_type=client_credentials&scope=scim' },
    ])
    now = new Date(now.getTime() + 31_000)
    await target.check()
    expect(tokens.asked).toHaveLength(2)
    await Promise.all([target.close(), tokens.close()])
  })

  it('gets another token once where one is not accepted, and never repeats it', async () => {
    await start({ authorization: (header) => header === 'Bearer token-2' })
    const tokens = await startTokens()
    const target = openOAuth(tokens.url, { clientAuthentication: 'body' })
    await target.create(target.documentOf(ana))
    expect(standIn.asked).toEqual(['POST /Users', 'POST /Users'])
    expect(tokens.asked[0]?.body).toContain('client_secret=s%26cret')
    await target.close()
    await standIn.close()

    await start({ authorization: () => false })
    const refused = openOAuth(tokens.url)
    const error = await refused.check().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'TARGET_UNAUTHORISED' })
    expect(String(error)).toContain('***')
    expect(String(error)).not.toContain('token-')
    expect(standIn.asked).toHaveLength(2)
    await Promise.all([refused.close(), tokens.close()])
  })
})

it('signs in with name and password', async () => {
  const expected = `Basic ${Buffer.from('ana:secret').toString('base64')}`
  await start({ authorization: (header) => header === expected })
  const target = createScimTarget({ baseUrl: standIn.baseUrl, authentication: 'basic', userName: 'ana' }, { password: 'secret' })
  await expect(target.check()).resolves.toEqual({ detail: 'SCIM 2.0, 0 accounts' })
  await target.close()
})

describe('a password', () => {
  const openBasic = (password: string) =>
    createScimTarget({ baseUrl: standIn.baseUrl, authentication: 'basic', userName: 'ana' }, { password })
  const refusedBy = async (password: string, said: string): Promise<string> => {
    await start({ discovery: { '/Users': { schemas: [ERROR], status: '400', detail: said } } })
    const target = openBasic(password)
    const error = await target.check().catch((thrown: unknown) => thrown)
    await target.close()
    return `${String(error)} ${JSON.stringify(error)}`
  }
  const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

  it.each([
    ['escaped', 'a"b/c+d', 'the password a"b/c+d is wrong'],
    ['of one letter', 'q', 'the password q is wrong'],
    ['in an address', 'a b&c', 'no such place: /login?password=a%20b%26c'],
    ['where the words are cut', 'long-enough-password', `${'x'.repeat(290)} long-enough-password`],
  ])('is not repeated %s', async (_name, password, said) => {
    const told = await refusedBy(password, said)
    expect(told).toContain('***')
    for (const secret of [password, JSON.stringify(password).slice(1, -1), encodeURIComponent(password), 'long-enough'])
      expect(told).not.toContain(secret)
  })

  it('of one letter changes nothing of what a target holds', async () => {
    await start({})
    const target = openBasic('a')
    const document = target.documentOf(ana)
    const { remoteId } = await target.create(document)
    expect(standIn.accounts.has(remoteId)).toBe(true)
    expect(await target.find(document)).toMatchObject({ remoteId, document })
    await target.close()
  })
})
