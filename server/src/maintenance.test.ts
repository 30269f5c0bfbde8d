import { createConnector, listConnectors } from '@instep/contract/connectors.ts'
import { getTenant } from '@instep/contract/tenants.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from './testing/app.ts'

const SATURDAY_TEN = '2026-11-21T10:00:00Z'
let instep: TestApp
let now = new Date(SATURDAY_TEN)
const create = () => ({ params: { tenantId: instep.world.one.id }, body: { name: `HR ${now.getTime()}`, definitionId: 'file' } })

beforeAll(async () => {
  instep = await testApp({ clock: { now: () => now } })
  await sql`update tenants set maintenance = '{"enabled": true, "message": ""}' where id = ${instep.world.one.id}`.execute(
    instep.database.db,
  )
})
afterAll(() => instep.close())

describe('the maintenance window', () => {
  it('refuses edits and adds, says until when, and changes nothing', async () => {
    now = new Date(SATURDAY_TEN)
    const { status, body } = await instep.call('tenant', createConnector, create())
    expect([status, body.code, body.params]).toEqual([423, 'MAINTENANCE', { until: '2026-11-21T14:00:00.000Z' }])
    const { body: list } = await instep.call('tenant', listConnectors, { params: { tenantId: instep.world.one.id } })
    expect(list.data).toEqual([])
  })

  it('is told with the tenant, so that the console can say so before anybody tries', async () => {
    const { body } = await instep.call('tenant', getTenant, { params: { id: instep.world.one.id } })
    expect(body.maintenance).toEqual({ enabled: true, message: '', active: true, endsAt: '2026-11-21T14:00:00.000Z' })
  })

  it('does not tell another tenant that it is there', async () => {
    expect((await instep.call('otherTenant', createConnector, create())).status).toBe(404)
  })

  it('holds for a super admin too', async () => {
    expect((await instep.call('super', createConnector, create())).status).toBe(423)
  })

  it('is over at 14:00', async () => {
    now = new Date('2026-11-21T14:00:00Z')
    expect((await instep.call('tenant', createConnector, create())).status).toBe(201)
  })
})
