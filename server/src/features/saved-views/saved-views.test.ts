import * as contract from '@instep/contract/saved-views.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'

let app: TestApp
let tenantId: string
beforeAll(async () => {
  app = await testApp()
  tenantId = app.world.one.id
})
afterAll(() => app.close())

const STATE = { accountStatus: 'claimed' as const, columns: ['displayName', 'title'] }
const add = (admin: TestAdmin, name: string, state: Record<string, unknown> = {}) =>
  app.call(admin, contract.createView, { params: { tenantId }, body: { name, state: { ...STATE, ...state } } })
const names = async (admin: TestAdmin) => {
  const { status, body } = await app.call(admin, contract.listViews, { params: { tenantId } })
  return status === 200 ? body.data.map(({ name }) => name) : status
}

it('a view is refused with a condition that does not hold together, without a name, and under one that is taken', async () => {
  const filters = { field: 'title', operator: 'before', value: '2026-01-01' }
  expect((await add('tenant', 'Broken', { filters })).body.code).toBe('INVALID')
  expect((await add('tenant', ' ')).body.fields).toHaveProperty('name')
  expect((await add('tenant', 'Bakers')).status).toBe(201)
  expect((await add('tenant', 'bakers')).body.code).toBe('VIEW_NAME_TAKEN')
  expect((await add('tenant', 'Bakers  of\u00a0 Bern')).body.name).toBe('Bakers  of\u00a0 Bern')
  expect((await add('tenant', 'bakers of Bern')).body.code).toBe('VIEW_NAME_TAKEN')
  expect((await add('gdpr', 'Bakers')).status).toBe(403)
  expect((await add('otherTenant', 'Bakers')).status).toBe(404)
})

it('views are their owner’s alone: others neither see, change nor delete them', async () => {
  const { body: view } = await add('site', 'Mine', { filters: { all: [{ field: 'title', operator: 'equals', value: 'Baker' }] } })
  expect(view.state).toMatchObject({ accountStatus: 'claimed', sort: 'displayName', pageSize: 10 })
  expect(await names('site')).toEqual(['Mine'])
  expect(await names('siteGroup')).toEqual([])
  const params = { tenantId, id: view.id }
  for (const id of [view.id, uuidv7()]) {
    expect((await app.call('tenant', contract.updateView, { params: { tenantId, id }, body: { name: 'Theirs' } })).status).toBe(404)
    expect((await app.call('tenant', contract.deleteView, { params: { tenantId, id } })).status).toBe(404)
  }
  expect((await app.call('site', contract.updateView, { params, body: { name: 'Ours' } })).body.name).toBe('Ours')
  expect((await app.call('site', contract.deleteView, { params })).status).toBeLessThan(300)
  expect(await names('site')).toEqual([])
})

it('a view keeps the site group that it was made in, and one of before has none', async () => {
  const siteGroupId = uuidv7()
  const { body: view } = await add('super', 'Of a group', { siteGroupId })
  expect(view.state.siteGroupId).toBe(siteGroupId)
  await sql`update saved_views set state = state - 'siteGroupId' where id = ${view.id}`.execute(app.database.db)
  const { body } = await app.call('super', contract.listViews, { params: { tenantId } })
  expect(body.data.find(({ id }) => id === view.id)?.state.siteGroupId).toBeNull()
  expect((await app.call('super', contract.deleteView, { params: { tenantId, id: view.id } })).status).toBeLessThan(300)
})

it('a view that is kept as it is leaves no trace, and one that changes says from what to what', async () => {
  const { body: view } = await add('super', 'Kept', { searchText: 'ada' })
  const change = (body: Record<string, unknown>) => app.call('super', contract.updateView, { params: { tenantId, id: view.id }, body })
  expect((await change({})).body).toEqual(view)
  expect((await change({ name: 'Kept', state: { searchText: 'ada', ...STATE } })).body).toEqual(view)
  await change({ name: 'Renamed' })
  const { rows } = await sql`select type, before, after from events where subject_id = ${view.id} order by id`.execute(app.database.db)
  expect(rows).toEqual([
    { type: 'view.created', before: null, after: null },
    { type: 'view.updated', before: { name: 'Kept' }, after: { name: 'Renamed' } },
  ])
})

it('at most fifty are kept', async () => {
  for (let number = 0; number < 50; number++) await add('siteGroup', `View ${number}`)
  expect((await add('siteGroup', 'One more')).body.fields).toHaveProperty('name')
  expect(await names('siteGroup')).toHaveLength(50)
})
