import { updateConnector } from '@instep/contract/connectors.ts'
import { getScimStatus, listScimTokens, revokeScimToken } from '@instep/contract/scim-in.ts'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { serveScim } from './serve-scim.ts'
import { type Connection, ENTERPRISE, type ScimWorld, scimWorld, withToken } from './testing/scim-world.ts'

/** Who may call, and what somebody sends who means harm: nothing leaks between connectors, nothing is a 500. */
let world: ScimWorld
let entra: Connection
let other: Connection

beforeAll(async () => {
  world = await scimWorld()
  entra = await world.connect()
  other = await world.connect('two')
})
afterAll(() => world.close())

describe('whoever has no token of this connector', () => {
  const CALLS = [
    'GET /Users',
    'GET /ServiceProviderConfig',
    'GET /Nothing',
    'POST /Users',
    'DELETE /Users/x',
    'GET /Users/.search/x',
    'POST /Bulk',
  ]

  it.each(CALLS)('learns nothing, whatever the reason: %s', async (call) => {
    const body = call.startsWith('POST') ? {} : undefined
    const absent = { ...entra, url: entra.url.replace(entra.connectorId, uuidv7()) }
    const nameless = { ...entra, url: entra.url.replace(entra.connectorId, 'nobody') }
    const answers = await Promise.all([
      withToken(entra, '')(call, body),
      withToken(entra, 'sci_wrong')(call, body),
      withToken(entra, other.token)(call, body),
      withToken(other, entra.token)(call, body),
      withToken(absent, entra.token)(call, body),
      withToken(nameless, entra.token)(call, body),
      entra.request(call, body, { authorization: `Basic ${entra.token}` }),
      entra.request(call, body, { authorization: `Bearer ${await world.instep.tokenOf('tenant')}` }),
    ])
    const first = answers[0]?.body
    for (const { status, body: told, headers } of answers) {
      expect([status, told]).toEqual([401, first])
      expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    }
  })

  it('is out as soon as the token is revoked, or the connector switched off', async () => {
    const leaving = await world.connect()
    const { instep } = world
    expect((await leaving.request('GET /Users')).status).toBe(200)
    const update = (enabled: boolean) =>
      instep.call('tenant', updateConnector, { params: { tenantId: leaving.tenantId, id: leaving.connectorId }, body: { enabled } })
    await update(false)
    expect((await leaving.request('GET /Users')).status).toBe(401)
    await update(true)
    expect((await leaving.request('GET /Users')).status).toBe(200)
    const { connectorId } = leaving
    const [token] = (await instep.call('tenant', listScimTokens, { params: { connectorId } })).body.data
    await instep.call('tenant', revokeScimToken, { params: { connectorId, tokenId: token?.id ?? '' } })
    expect((await leaving.request('GET /Users')).status).toBe(401)
  })
})

describe('between connectors', () => {
  it('nothing is seen or changed, and what is not theirs looks like what is not there', async () => {
    const { id } = (await entra.addUser({ userName: 'secret' })).body
    const group = (await entra.request('POST /Groups', { displayName: 'secret', members: [{ value: id }] })).body.id
    for (const call of [
      `GET /Users/${id}`,
      `GET /Groups/${group}`,
      `DELETE /Users/${id}`,
      `DELETE /Groups/${group}`,
      `PUT /Users/${id}`,
      `PATCH /Users/${id}`,
    ]) {
      const body = /^(PUT|PATCH)/.test(call) ? { userName: 'x', Operations: [{ op: 'add', path: 'title', value: 'x' }] } : undefined
      const theirs = await other.request(call, body)
      const none = await other.request(call.replace(/[^/]+$/, uuidv7()), body)
      expect([theirs.status, theirs.body]).toEqual([404, none.body])
    }
    expect((await other.request('GET /Users')).body.totalResults).toBe(0)
    expect((await other.request(`GET /Users?filter=${encodeURIComponent(`groups.value eq "${group}"`)}`)).body.totalResults).toBe(0)
    expect((await entra.request(`GET /Users/${id}`)).body['userName']).toBe('secret')
  })
})

describe('what the server says of itself', () => {
  it('is what it does', async () => {
    expect((await entra.request('GET /ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true },
      etag: { supported: true },
      bulk: { maxOperations: 1000, maxPayloadSize: 1_048_576 },
    })
    const types = (await entra.request('GET /ResourceTypes')).body.Resources
    expect(types.map(({ id, endpoint }) => [id, endpoint])).toEqual([
      ['User', '/Users'],
      ['Group', '/Groups'],
    ])
    const schemas = (await entra.request('GET /Schemas')).body.Resources
    for (const schema of schemas) expect((await entra.request(`GET /Schemas/${schema['id']}`)).body).toEqual(schema)
    expect((await entra.request('GET /ResourceTypes/User')).body).toEqual(types[0])
    expect(schemas.map(({ id }) => id)).toContain(ENTERPRISE)
    expect((await entra.request('GET /Schemas/none')).status).toBe(404)
    expect((await entra.request('GET /Schemas?filter=x')).status).toBe(403)
    expect((await entra.request('GET /Me')).status).toBe(501)
    expect((await entra.request('GET /Nothing')).status).toBe(404)
  })
})

describe('a body that means harm', () => {
  const deep = (depth: number) => `{"urn:x:2.0:User":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},"userName":"deep"}`
  const CASES: [string, string, number][] = [
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['a list', '[]', 400],
    ['a text', '"x"', 400],
    ['U+0000 in a value', '{"userName":"a\\u0000b"}', 400],
    ['U+0000 in a name', '{"userName":"x","urn:a:2.0:User":{"a\\u0000":1}}', 400],
    ['half a character', '{"userName":"\\ud800"}', 400],
    ['a prototype', '{"userName":"x","__proto__":{"a":1}}', 400],
    ['a hundred thousand levels', deep(100_000), 400],
    ['thirty levels', deep(30), 400],
    ['five megabytes', JSON.stringify({ userName: 'x', title: 'x'.repeat(5_000_000) }), 413],
    ['a resource too large', JSON.stringify({ userName: 'x', title: 'x'.repeat(300_000) }), 400],
    ['a name that no index takes', JSON.stringify({ userName: 'x'.repeat(10_000) }), 400],
    ['an extension whose name is none', '{"userName":"x","urn:a b:2.0:User":{"c":1}}', 400],
    [
      'ten thousand characters, which is only long',
      JSON.stringify({ userName: 'long', displayName: '😀'.repeat(5000), [ENTERPRISE]: { department: 'x'.repeat(10_000) } }),
      201,
    ],
    [
      'ten thousand values',
      JSON.stringify({ userName: 'many', emails: Array.from({ length: 4000 }, (_, i) => ({ value: `a${i}@b.example` })) }),
      201,
    ],
    ['numbers beyond numbers', '{"userName":"big","urn:a:2.0:User":{"n":1e999}}', 201],
  ]
  it.each(CASES)('of %s is answered, and not by a 500', async (_, body, status) => {
    const answer = await entra.request('POST /Users', body)
    expect([answer.status, answer.body.detail]).toEqual([status, status === 201 ? undefined : expect.any(String)])
  })

  it('of another type is refused', async () => {
    expect((await entra.request('POST /Users', 'userName=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    expect((await entra.request('POST /Users', { userName: 'json' }, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(
      201,
    )
  })

  it('leaves its reason for whoever looks after the connector, without the token', async () => {
    await entra.addUser({ displayName: 'Nobody' })
    const { body } = await world.instep.call('tenant', getScimStatus, { params: { connectorId: entra.connectorId } })
    expect(body.lastError).toMatchObject({ method: 'POST', status: 400, detail: 'userName is required.', by: 'Entra ID' })
    expect(JSON.stringify(body)).not.toContain(entra.token)
  })
})

describe('too many requests', () => {
  it('are refused before anybody looks at the token, and for one connector only', async () => {
    const { database, secrets } = world.instep
    const http = Fastify()
    const pushed: string[] = []
    await serveScim(http, {
      db: database.db,
      clock: systemClock,
      secrets,
      publicUrl: 'http://localhost:9',
      onPushed: (id) => pushed.push(id),
      perMinute: 3,
    })
    const ask = (connection: Connection, url = '/Users', payload?: object) =>
      http.inject({
        method: payload ? 'POST' : 'GET',
        url: `/scim/v2/${connection.connectorId}${url}`,
        headers: { authorization: `Bearer ${connection.token}` },
        ...(payload ? { payload } : {}),
      })
    expect((await ask(entra, '/Users', { userName: 'counted' })).statusCode).toBe(201)
    expect((await ask(entra, '/Users', { userName: 'COUNTED' })).statusCode).toBe(409)
    expect(pushed).toEqual([entra.connectorId])
    await ask({ ...entra, token: 'wrong' })
    const refused = await ask(entra)
    expect([refused.statusCode, refused.json().status, Number(refused.headers['retry-after']) > 0]).toEqual([429, '429', true])
    expect((await ask(other)).statusCode).toBe(200)
    await http.close()
  })
})

describe('when the database is not there', () => {
  it('the answer is a 500 or 503 that tells nothing', async () => {
    const broken = await world.connect()
    const { db } = world.instep.database
    await sql`alter table scim_users rename to scim_users_away`.execute(db)
    const answer = await broken.request('GET /Users')
    await sql`alter table scim_users_away rename to scim_users`.execute(db)
    expect([answer.status, answer.body.detail]).toEqual([500, 'Something went wrong.'])
  })
})
