import { getOverview } from '@instep/contract/dashboard.ts'
import { allowDates } from '@instep/contract/date-holds.ts'
import { listOpenReferences } from '@instep/contract/reporting-lines.ts'
import { getUser } from '@instep/contract/users.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { resolveNewReferences } from '../users/public.ts'
import { actOnDates } from './act-on-dates.ts'

let instep: TestApp
let connectorId: string
const NOW = new Date('2026-03-04T10:00:00Z')

beforeAll(async () => {
  instep = await testApp({ clock: { now: () => NOW } })
  connectorId = await addConnector(instep.database.db, { tenantId: instep.world.one.id, name: 'HR' })
})
afterAll(() => instep.close())

const population = () => ({ tenantId: instep.world.one.id, connectorId })
const overview = (admin: 'tenant' | 'site') =>
  instep.call(admin, getOverview, { params: { tenantId: instep.world.one.id } }).then(({ body }) => body.heldDates)

describe('end dates that wait', () => {
  const allow = (admin: 'tenant' | 'site' | 'otherTenant', reason = 'The season is over') =>
    instep.call(admin, allowDates, { params: { connectorId }, body: { reason } })

  it('are nobody’s to allow while none wait, below tenant level, elsewhere, or without a reason', async () => {
    expect((await allow('tenant')).body.code).toBe('DATES_NOT_HELD')
    expect((await allow('site')).status).toBe(403)
    expect((await allow('otherTenant')).status).toBe(404)
    expect((await allow('tenant', ' ')).status).toBe(400)
  })

  it('are shown on the dashboard at tenant level, and let go once', async () => {
    const end = { end_date: '2026-03-01' }
    await addPeople(instep.database.db, population(), [end, end, end, end, end, end, {}])
    await actOnDates(instep.database.db, NOW)
    expect(await overview('tenant')).toMatchObject([{ connectorName: 'HR', ending: 6, allowed: false }])
    expect(await overview('site')).toBe(null)
    const { status, body } = await allow('tenant')
    expect([status, body.allowed]).toEqual([200, true])
    expect((await allow('tenant')).status).toBe(409)
    await actOnDates(instep.database.db, NOW)
    expect(await overview('tenant')).toEqual([])
  })
})

describe('a manager', () => {
  it('is named on the profile to whoever may see them, and told as unknown where nobody is found', async () => {
    const { southSite, northSite } = instep.world.one
    const here = { site_id: southSite }
    const [, , near = '', far = '', lost = ''] = await addPeople(instep.database.db, population(), [
      { external_id: 'NEAR', given_name: 'Grace', ...here },
      { external_id: 'FAR', site_id: northSite },
      { manager: 'NEAR', ...here },
      { manager: 'FAR', ...here },
      { manager: 'LOST', ...here },
    ])
    await sql`
      insert into manager_references (tenant_id, user_id, connector_id, value)
      select tenant_id, id, connector_id, manager from users where manager is not null`.execute(instep.database.db)
    await resolveNewReferences(instep.database.db)
    const told = async (admin: 'tenant' | 'site', id: string) => {
      const { body } = await instep.call(admin, getUser, { params: { connectorId, id } })
      return [body.reportsTo?.displayName, body.managerOpen]
    }
    expect(await told('site', near)).toEqual(['Grace Byron', false])
    expect(await told('tenant', far)).toEqual(['Ada Byron', false])
    expect(await told('site', far)).toEqual([undefined, false])
    expect(await told('tenant', lost)).toEqual([undefined, true])
    const { body } = await instep.call('tenant', listOpenReferences, { params: { connectorId }, query: { pageSize: 1 } })
    expect([body.count, body.data.map(({ manager, why }) => [manager, why]), body.continuationToken]).toEqual([
      { value: 1, exact: true },
      [['LOST', 'notFound']],
      null,
    ])
  })
})
