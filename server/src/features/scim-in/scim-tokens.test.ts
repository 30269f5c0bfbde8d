import { createConnector } from '@instep/contract/connectors.ts'
import { createScimToken, getScimStatus, listScimTokens, revokeScimToken, rotateScimToken } from '@instep/contract/scim-in.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type Connection, pushEvents, type ScimWorld, scimWorld, withToken } from './testing/scim-world.ts'

let world: ScimWorld
let entra: Connection
let now = new Date('2026-03-01T12:00:00Z')
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()

beforeAll(async () => {
  world = await scimWorld({ clock: { now: () => now } })
  entra = await world.connect()
})
afterAll(() => world.close())

const call: ScimWorld['instep']['call'] = (...given) => world.instep.call(...given)
const params = () => ({ connectorId: entra.connectorId })
const status = async (token: string) => (await withToken(entra, token)('GET /Users')).status

describe('tokens', () => {
  it('are not made for another kind of connector, of another tenant, or with an end that is over', async () => {
    const { tenantId } = entra
    const file = (await call('tenant', createConnector, { params: { tenantId }, body: { name: 'A file', definitionId: 'file' } })).body.id
    const make = (admin: 'tenant' | 'otherTenant' | 'site', connectorId: string, expiresAt: string | null = null) =>
      call(admin, createScimToken, { params: { connectorId }, body: { label: 'x', expiresAt } })
    expect((await make('tenant', file)).body.code).toBe('CONNECTOR_KIND_WRONG')
    expect((await make('otherTenant', entra.connectorId)).status).toBe(404)
    expect((await make('site', entra.connectorId)).status).toBe(403)
    expect((await make('tenant', entra.connectorId, later(-1))).body.code).toBe('SCIM_TOKEN_EXPIRY_PAST')
    const nobody = { connectorId: entra.connectorId, tokenId: uuidv7() }
    expect((await call('tenant', revokeScimToken, { params: nobody })).status).toBe(404)
    expect((await call('tenant', rotateScimToken, { params: nobody, body: {} })).status).toBe(404)
  })

  it('are told once and kept as a keyed hash', async () => {
    const { body } = await call('tenant', createScimToken, { params: params(), body: { label: 'Okta', expiresAt: later(24 * 15) } })
    expect(body.secret).toMatch(/^sci_[\w-]{43}$/)
    expect(body.token).toMatchObject({ label: 'Okta', state: 'active', createdBy: 'Tadeo Tenant', lastUsedAt: null })
    const listed = await call('tenant', listScimTokens, { params: params() })
    expect(listed.body.data).toContainEqual(body.token)
    expect(JSON.stringify(listed.body)).not.toContain(body.secret)
    const { rows } = await sql<{ all: string }>`
      select (select jsonb_agg(k) from scim_tokens k)::text || (select jsonb_agg(e) from events e)::text as all`.execute(
      world.instep.database.db,
    )
    expect(rows[0]?.all).toContain('Okta')
    expect(rows[0]?.all).not.toContain(body.secret)
  })

  it('warn two weeks before their end, and end', async () => {
    const { body } = await call('tenant', createScimToken, { params: params(), body: { label: 'Short', expiresAt: later(24 * 15) } })
    const state = async () => (await call('tenant', listScimTokens, { params: params() })).body.data.find(({ id }) => id === body.token.id)
    expect((await state())?.state).toBe('active')
    now = new Date(later(24))
    expect((await state())?.state).toBe('expiring')
    expect(await status(body.secret)).toBe(200)
    expect((await state())?.lastUsedAt).toBe(now.toISOString())
    now = new Date(later(24 * 14))
    expect((await state())?.state).toBe('expired')
    expect(await status(body.secret)).toBe(401)
  })

  it('are both good while one takes the place of the other', async () => {
    const old = await call('tenant', createScimToken, { params: params(), body: { label: 'Rotated' } })
    now = new Date(later(0.01))
    const rotated = await call('tenant', rotateScimToken, {
      params: { ...params(), tokenId: old.body.token.id },
      body: { overlapHours: 2 },
    })
    expect(rotated.body.token.label).toBe('Rotated')
    expect([await status(old.body.secret), await status(rotated.body.secret)]).toEqual([200, 200])
    now = new Date(later(2))
    expect([await status(old.body.secret), await status(rotated.body.secret)]).toEqual([401, 200])
    const { rows } = await sql<{
      type: string
    }>`select type from events where type like 'scim.token.%' and data ->> 'label' = 'Rotated' order by id`.execute(
      world.instep.database.db,
    )
    expect(rows.map(({ type }) => type)).toEqual(['scim.token.created', 'scim.token.rotated'])
  })

  it('are no more than twenty', async () => {
    const okta = await world.connect()
    const make = () => call('tenant', createScimToken, { params: { connectorId: okta.connectorId }, body: { label: 'many' } })
    const answers = await Promise.all(Array.from({ length: 22 }, make))
    expect(answers.filter(({ status: code }) => code === 201)).toHaveLength(19)
    expect(answers.find(({ status: code }) => code === 409)?.body).toMatchObject({ code: 'SCIM_TOKENS_TOO_MANY', params: { limit: 20 } })
  })
})

describe('the status', () => {
  it('tells the address and what was pushed, newest first', async () => {
    const okta = await world.connect()
    const { id } = (await okta.addUser({ userName: 'ada' })).body
    now = new Date(later(1))
    await okta.addUser({ userName: 'bob', active: false })
    now = new Date(later(1))
    await okta.request('POST /Groups', { displayName: 'Bakers', members: [{ value: id }] })
    const { body } = await call('tenant', getScimStatus, { params: { connectorId: okta.connectorId } })
    expect(body).toMatchObject({
      baseUrl: `http://localhost:9/scim/v2/${okta.connectorId}`,
      users: 2,
      inactive: 1,
      groups: 1,
      lastPushAt: now.toISOString(),
      lastError: null,
    })
    expect(body.recent.map(({ eventType, by }) => [eventType, by])).toEqual([
      ['scim.group.pushed', 'Entra ID'],
      ['scim.user.pushed', 'Entra ID'],
      ['scim.user.pushed', 'Entra ID'],
    ])
    expect(await pushEvents(world, okta)).toHaveLength(3)
  })
})
