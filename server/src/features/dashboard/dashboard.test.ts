import * as contract from '@instep/contract/dashboard.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  const { db } = app.database
  const { one } = app.world
  const connectorId = await addConnector(db, { tenantId: one.id, name: 'HR' })
  const north = { site_id: one.northSite, location_name: 'North' }
  const south = { site_id: one.southSite, location_name: 'South' }
  await addPeople(db, { tenantId: one.id, connectorId }, [
    { ...north, claim_state: 'claimed', department: 'Kitchen', title: 'Chef' },
    { ...north, claim_state: 'invited', department: 'Kitchen' },
    { ...north, active: false, claim_state: 'claimed', department: 'Logistics' },
    { ...south, department: 'Finance' },
    { ...south, department: 'Finance' },
    { ...south, department: 'Finance' },
    {},
  ])
  await addPeople(
    db,
    { tenantId: one.id, connectorId },
    'ABCDE'.split('').map((title) => ({ ...south, title, department: `Z ${title}` })),
  )
  const run = {
    tenant_id: one.id,
    kind: 'sync',
    correlation_id: 'c',
    input: '{}',
    created_by: JSON.stringify({ kind: 'admin', id: null, name: 'T' }),
  }
  for (let n = 0; n < 6; n++) {
    const state = n === 0 ? 'held' : 'succeeded'
    await db
      .insertInto('runs')
      .values({ ...run, id: uuidv7(), connector_id: connectorId, state, created_at: new Date() })
      .execute()
  }
  const trial = { ...run, input: '{"trial": true}', id: uuidv7(), connector_id: connectorId, state: 'failed', created_at: new Date() }
  await db.insertInto('runs').values(trial).execute()
})
afterAll(() => app.close())

const overview = (admin: TestAdmin, siteId?: string) =>
  app.call(admin, contract.getOverview, { params: { tenantId: app.world.one.id }, ...(siteId ? { query: { siteId } } : {}) })
const people = async (admin: TestAdmin, siteId?: string) => {
  const { body } = await overview(admin, siteId)
  return Object.fromEntries(Object.entries(body.people).map(([status, { value }]) => [status, value]))
}

it('is refused to the data-protection admin, and to another tenant', async () => {
  expect((await overview('gdpr')).status).toBe(403)
  expect((await overview('otherTenant')).status).toBe(404)
})

it('counts people by status within what the caller may see', async () => {
  expect(await people('tenant')).toEqual({ all: 12, active: 11, claimed: 1, notClaimed: 1, notInvited: 9, inactive: 1 })
  expect(await people('siteGroup')).toEqual({ all: 3, active: 2, claimed: 1, notClaimed: 1, notInvited: 0, inactive: 1 })
  expect(await people('tenant', app.world.one.northSite)).toEqual(await people('siteGroup'))
  expect((await overview('siteGroup', app.world.one.southSite)).status).toBe(404)
})

it('shows the five values that most active people have, most first, then by name', async () => {
  const { body } = await overview('tenant')
  expect(body.departments).toEqual([
    { name: 'Finance', count: 3 },
    { name: 'Kitchen', count: 2 },
    { name: 'Z A', count: 1 },
    { name: 'Z B', count: 1 },
    { name: 'Z C', count: 1 },
  ])
  expect(body.locations).toEqual([
    { name: 'South', count: 8 },
    { name: 'North', count: 2 },
  ])
  expect((await overview('siteGroup')).body.titles).toEqual([{ name: 'Chef', count: 1 }])
})

it('shows the past five syncs, no trials, and those that are held, at tenant level only', async () => {
  const { body } = await overview('tenant')
  expect(body.lastRuns?.map(({ state }) => state)).toEqual(Array(5).fill('succeeded'))
  expect(body.heldRuns?.map(({ state, connectorName }) => [state, connectorName])).toEqual([['held', 'HR']])
  expect((await overview('site')).body).toMatchObject({ lastRuns: null, heldRuns: null })
})
