import { bulkMove } from '@instep/contract/bulk-move.ts'
import { getListRun, type ListRun } from '@instep/contract/exports.ts'
import * as contract from '@instep/contract/overrides.ts'
import { updateUser } from '@instep/contract/user-edits.ts'
import { getProvenance } from '@instep/contract/user-history.ts'
import { getUser } from '@instep/contract/users.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople, linkPeople } from '../../testing/people.ts'
import { lapseOverrides } from './public.ts'

let app: TestApp
let tenantId: string
let hr: string
const at = { now: new Date('2026-03-04T10:00:00Z') }
beforeAll(async () => {
  app = await testApp({ clock: { now: () => at.now }, workers: true })
  tenantId = app.world.one.id
  hr = await addConnector(app.database.db, { tenantId, name: 'HR' })
})
afterAll(() => app.close())

const settle = async (count: number, site: string, title = 'Baker') => {
  const place = { tenantId, connectorId: hr }
  const people = Array.from({ length: count }, () => ({ title, department: 'Bakery', site_id: site }))
  const ids = await addPeople(app.database.db, place, people)
  await linkPeople(app.database.db, place, ids)
  return ids
}
const override = async (id: string, body: Record<string, unknown>) => {
  const { status } = await app.call('tenant', updateUser, { params: { connectorId: hr, id }, body: body as never })
  expect(status).toBe(200)
}
const list = (admin: TestAdmin, query: Record<string, unknown> = {}) =>
  app.call(admin, contract.listOverrides, { params: { tenantId }, query: { pageSize: 250, ...query } })
const clear = (admin: TestAdmin, body: Record<string, unknown>) =>
  app.call(admin, contract.clearOverrides, { params: { tenantId }, body: body as never })
const ended = async (runId: string): Promise<ListRun> => {
  const { body } = await app.call('tenant', getListRun, { params: { tenantId, runId } })
  return body.finishedAt ? body : new Promise((resolve) => setTimeout(() => resolve(ended(runId)), 20))
}
const titleOf = async (id: string) => (await app.call('tenant', getUser, { params: { connectorId: hr, id } })).body.title

describe('overrides', () => {
  it('are seen within what the caller sees, oldest first, counted by field, with what HR says', async () => {
    const [north = ''] = await settle(1, app.world.one.northSite)
    const [south = ''] = await settle(1, app.world.one.southSite)
    await override(north, { title: 'Master baker', overrideReason: 'New contract', overrideUntil: '2026-03-31' })
    at.now = new Date('2026-03-14T10:00:00Z')
    await override(south, { title: 'Clerk', enterprise: { department: 'Office' } })
    const { body } = await list('tenant')
    expect(body.data.map(({ userId, field, value, base }) => [userId, field, value, base])).toEqual([
      [north, 'title', 'Master baker', 'Baker'],
      [south, 'department', 'Office', 'Bakery'],
      [south, 'title', 'Clerk', 'Baker'],
    ])
    expect(body.data[0]).toMatchObject({
      reason: 'New contract',
      until: '2026-03-31',
      by: expect.any(String),
      at: '2026-03-04T10:00:00.000Z',
    })
    expect([body.count, body.fields]).toEqual([
      { value: 3, exact: true },
      [
        { field: 'title', count: 2 },
        { field: 'department', count: 1 },
      ],
    ])
    expect((await list('site')).body.data.map(({ userId }) => userId)).toEqual([south, south])
    expect((await list('tenant', { olderThanDays: 5 })).body.count.value).toBe(1)
    expect((await list('tenant', { field: 'department' })).body.count.value).toBe(1)
    expect((await list('gdpr')).status).toBe(403)
    expect((await list('otherTenant')).status).toBe(404)
    for (const query of [{ siteId: app.world.one.northSite }, { siteId: uuidv7() }, { connectorId: uuidv7() }])
      expect((await list('site', query)).status).toBe(404)
  })

  it('are continued where the page ended', async () => {
    const first = await list('tenant', { pageSize: 2 })
    const next = await list('tenant', { pageSize: 2, continuationToken: first.body.continuationToken })
    expect([...first.body.data, ...next.body.data]).toEqual((await list('tenant')).body.data)
    expect(next.body.continuationToken).toBeNull()
  })
})

describe('taking overrides back', () => {
  it('is refused without the bit, and finds nobody whom the caller does not see', async () => {
    const [north = ''] = await settle(1, app.world.one.northSite)
    await override(north, { title: 'Captain' })
    await sql`update admins set permissions = 1023 & ~128 where id = ${app.adminIds.site}`.execute(app.database.db)
    expect((await clear('site', { filter: {} })).body.code).toBe('PERMISSION_MISSING')
    await sql`update admins set permissions = 1023 where id = ${app.adminIds.site}`.execute(app.database.db)
    const { status, body } = await clear('site', { overrides: [{ userId: north, field: 'title' }] })
    expect(status).toBe(202)
    expect(await ended(body.runId)).toMatchObject({ kind: 'clearOverrides', state: 'succeeded', done: 0, total: 0 })
    expect(await titleOf(north)).toBe('Captain')
    expect((await app.call('siteGroup', getListRun, { params: { tenantId, runId: body.runId } })).status).toBe(404)
  })

  it('of named ones leaves the others and the locked alone', async () => {
    const [one = '', two = '', locked = ''] = await settle(3, app.world.one.looseSite)
    for (const id of [one, two, locked]) await override(id, { title: 'Captain', enterprise: { department: 'Sea' } })
    await sql`update users set locked = true where id = ${locked}`.execute(app.database.db)
    const { body } = await clear('tenant', { overrides: [one, locked].map((userId) => ({ userId, field: 'title' })) })
    expect(await ended(body.runId)).toMatchObject({ state: 'partlySucceeded', done: 1, total: 2, leftAlone: 1 })
    expect(await Promise.all([one, two, locked].map(titleOf))).toEqual(['Baker', 'Captain', 'Captain'])
  })

  it('of all that a filter finds takes thousands', async () => {
    const ids = await settle(1200, app.world.one.looseSite, 'Porter')
    await sql`
      insert into user_overrides (tenant_id, user_id, field, value, by, at)
      select ${tenantId}, id, 'costCenter', '"C1"', '{"kind":"admin","id":null,"name":"T"}', ${at.now} from unnest(${ids}::uuid[]) as t (id)`.execute(
      app.database.db,
    )
    await sql`update users set overridden = true, cost_center = 'C1' where id = any (${ids}::uuid[])`.execute(app.database.db)
    const { body } = await clear('tenant', { filter: { field: 'costCenter' } })
    expect(await ended(body.runId)).toMatchObject({ state: 'succeeded', done: 1200, total: 1200, leftAlone: 0 })
    expect((await list('tenant', { field: 'costCenter' })).body.count.value).toBe(0)
    const told =
      await sql`select from events where correlation_id = ${(await ended(body.runId)).correlationId} and type = 'user.override.restored'`.execute(
        app.database.db,
      )
    expect(told.rows).toHaveLength(1200)
  })

  it('goes on after a crash where it was, and leaves alone what was set since it was asked for', async () => {
    const ids = await settle(3, app.world.one.looseSite)
    const [, , since = ''] = ids
    for (const id of ids) await override(id, { title: 'Captain' })
    await sql`update user_overrides set at = ${at.now}::timestamptz + interval '1 minute' where user_id = ${since}`.execute(app.database.db)
    const runId = uuidv7()
    await sql`
      insert into runs (tenant_id, id, kind, correlation_id, state, input, counts, created_by, created_at, leased_until, lease_owner)
      values (${tenantId}, ${runId}, 'clearOverrides', 'crashed', 'running', ${JSON.stringify({
        sites: 'all',
        filter: {},
        named: ids.map((userId) => ({ userId, field: 'title' })),
      })}, '{"done": 7, "total": 9, "leftAlone": 0}', ${JSON.stringify({ kind: 'admin', id: null, name: 'T' })}, ${at.now}, '-infinity', ${uuidv7()})`.execute(
      app.database.db,
    )
    expect(await ended(runId)).toMatchObject({ state: 'succeeded', done: 9, total: 9 })
    expect(await Promise.all(ids.map(titleOf))).toEqual(['Baker', 'Baker', 'Captain'])
  })

  it('happens by itself once the last day is over where the person works', async () => {
    const [somebody = ''] = await settle(1, app.world.one.southSite)
    await override(somebody, { title: 'Deputy', overrideUntil: '2026-03-31' })
    // London is an hour ahead of UTC by then
    await lapseOverrides(app.database.db, new Date('2026-03-31T22:59:59Z'))
    expect(await titleOf(somebody)).toBe('Deputy')
    expect(await lapseOverrides(app.database.db, new Date('2026-03-31T23:00:00Z'))).toBeGreaterThan(0)
    expect(await titleOf(somebody)).toBe('Baker')
  })
})

it('each value says where it comes from', async () => {
  const [somebody = ''] = await settle(1, app.world.one.southSite)
  await override(somebody, { title: 'Skipper', overrideReason: 'Asked for it' })
  const of = async (admin: TestAdmin) => app.call(admin, getProvenance, { params: { connectorId: hr, id: somebody } })
  expect((await of('siteGroup')).status).toBe(404)
  const { body } = await of('site')
  const field = (name: string) => body.data.find((row) => row.field === name)
  expect(field('title')).toMatchObject({ value: 'Skipper', origin: 'override', override: { base: 'Baker', reason: 'Asked for it' } })
  expect(field('department')).toMatchObject({ value: 'Bakery', origin: 'source', connectorName: 'HR', override: null })
  expect(field('division')).toMatchObject({ value: null, origin: 'none' })
  expect(field('accessCodeDelivery')).toMatchObject({ value: 'none', origin: 'default' })
})

it('the site says where it comes from, and each security attribute by itself', async () => {
  const [somebody = ''] = await settle(1, app.world.one.southSite)
  const shoe = uuidv7()
  const of = async () => (await app.call('tenant', getProvenance, { params: { connectorId: hr, id: somebody } })).body.data
  const field = async (name: string) => (await of()).find((row) => row.field === name)
  expect(await field('siteId')).toMatchObject({ value: app.world.one.southSite, origin: 'source', override: null })
  expect(await field(`claimFields.${shoe}`)).toBeUndefined()
  await override(somebody, { extension: { claimFields: { [shoe]: '42' } }, overrideReason: 'Measured' })
  const said = { origin: 'override', override: { base: null, by: 'Tadeo Tenant', reason: 'Measured' } }
  expect((await of()).filter((row) => row.field.startsWith('claimFields.'))).toMatchObject([
    { field: `claimFields.${shoe}`, value: '42', ...said },
  ])
  const move = { targetSiteId: app.world.one.northSite, identityIds: [somebody] }
  await app.call('tenant', bulkMove, { params: { connectorId: hr }, body: move })
  expect(await field('siteId')).toMatchObject({ value: app.world.one.northSite, origin: 'manual', by: 'Tadeo Tenant' })
})

it('a value that was given back to the source is not said to be whoever gave it back', async () => {
  const [somebody = ''] = await settle(1, app.world.one.southSite)
  await override(somebody, { title: 'Skipper' })
  await override(somebody, { overrides: { title: null } })
  const { body } = await app.call('tenant', getProvenance, { params: { connectorId: hr, id: somebody } })
  expect(body.data.find(({ field }) => field === 'title')).toMatchObject({ value: 'Baker', origin: 'source', by: null, at: null })
})
