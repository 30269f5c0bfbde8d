import {
  DEFAULT_GUARDS,
  type GuardSettings,
  getGuards,
  listProtectedPeople,
  protectPerson,
  unprotectPerson,
  updateGuards,
} from '@instep/contract/guard-settings.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
let tenantId: string
let hr: string
let people: string[]
beforeAll(async () => {
  app = await testApp()
  tenantId = app.world.one.id
  const { db } = app.database
  hr = await addConnector(db, { tenantId, name: 'HR' })
  people = await addPeople(db, { tenantId, connectorId: hr }, [
    { given_name: 'Ada', work_email: 'ada@x.example' },
    { given_name: 'Bea' },
    { given_name: 'Cleo', vip: true },
  ])
})
afterAll(() => app.close())

const { off: _, ...standard } = DEFAULT_GUARDS
const look = (admin: TestAdmin = 'tenant', connectorId = hr) => app.call(admin, getGuards, { params: { connectorId } })
const set = (settings: GuardSettings, reason?: string, admin: TestAdmin = 'tenant') =>
  app.call(admin, updateGuards, { params: { connectorId: hr }, body: { settings, ...(reason ? { reason } : {}) } })
const eventsOf = async (type: string) =>
  (
    await sql<{ data: Record<string, unknown>; before: unknown; after: unknown; actor: { name: string } }>`
      select data, before, after, actor from events where tenant_id = ${tenantId} and type = ${type} order by id`.execute(app.database.db)
  ).rows
const dayOff: GuardSettings = {
  ...standard,
  limits: {
    ...standard.limits,
    deactivate: { ...standard.limits.deactivate, day: { ...standard.limits.deactivate.day, on: false } },
  },
}

describe('the guards of a source', () => {
  it('are seen at tenant level only, and by nobody of another tenant', async () => {
    expect((await look('site')).status).toBe(403)
    expect((await look('otherTenant')).status).toBe(404)
    expect((await look('tenant', uuidv7())).status).toBe(404)
  })

  it('are the defaults until somebody says otherwise: max(5, 10 %) for whoever goes, in a run and a day', async () => {
    const { body } = await look()
    expect(body).toMatchObject({ version: null, active: 3, defaults: standard, settings: DEFAULT_GUARDS })
    expect(body.settings.limits.deactivate).toEqual({
      run: { on: true, percent: 10, number: 5 },
      day: { on: true, percent: 10, number: 5 },
    })
  })

  it('are not those of a target, nor of people who are added by hand', async () => {
    const manual = await addConnector(app.database.db, { tenantId, name: 'By hand', definitionId: 'manual' })
    expect((await look('tenant', manual)).body).toMatchObject({ code: 'CONNECTOR_KIND_WRONG' })
  })

  it('are not turned off without a reason, nor for a site that there is none of', async () => {
    expect((await set(dayOff)).body).toMatchObject({ code: 'GUARD_REASON_REQUIRED' })
    const limits = { siteId: app.world.two.site, kind: 'create' as const, ...standard.limits.create }
    expect((await set({ ...standard, sites: [limits] })).status).toBe(404)
    expect((await set({ ...standard, sites: [limits, limits] })).body).toMatchObject({ code: 'INVALID' })
    expect((await look()).body.version).toBeNull()
  })

  it('are turned off as a new version, with who, why, before and after; once more changes nothing', async () => {
    const { body } = await set(dayOff, 'Seasonal closure')
    expect(body.version).toBe(1)
    expect(body.settings.off).toMatchObject([{ guard: 'limits.deactivate.day', reason: 'Seasonal closure' }])
    expect((await set(dayOff, 'Again')).body).toEqual(body)
    const events = await eventsOf('connector.guard.changed')
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      data: { name: 'HR', changed: 'limits.deactivate.day', reason: 'Seasonal closure', version: 1 },
      before: { 'limits.deactivate.day': { on: true } },
      after: { 'limits.deactivate.day': { on: false } },
    })
  })

  it('keep who turned one off while others change, and forget it when it is on again', async () => {
    const tighter = {
      ...dayOff,
      limits: { ...dayOff.limits, create: { ...dayOff.limits.create, run: { on: true, percent: 20, number: 50 } } },
    }
    expect((await set(tighter)).body.settings.off).toMatchObject([{ guard: 'limits.deactivate.day', reason: 'Seasonal closure' }])
    expect((await set(standard, 'As it was')).body.settings.off).toMatchObject([{ guard: 'limits.create.run', reason: 'As it was' }])
  })

  it('cannot be changed where the connector admits no change of settings', async () => {
    await sql`update connectors set permissions = 511 where id = ${hr}`.execute(app.database.db)
    expect((await set(dayOff, 'Because')).body).toMatchObject({ code: 'PERMISSION_MISSING' })
    await sql`update connectors set permissions = 1023 where id = ${hr}`.execute(app.database.db)
  })
})

describe('the list of protected people', () => {
  const list = () => app.call('tenant', listProtectedPeople, { params: { connectorId: hr }, query: {} })
  const protect = (userId: string, reason: string, admin: TestAdmin = 'tenant') =>
    app.call(admin, protectPerson, { params: { connectorId: hr, userId }, body: { reason } })
  const remove = (userId: string, reason = 'No longer needed') =>
    app.call('tenant', unprotectPerson, { params: { connectorId: hr, userId }, body: { reason } })

  it('takes nobody of another connector, nobody unknown, nobody without a reason', async () => {
    const other = await addConnector(app.database.db, { tenantId, name: 'Other' })
    const [stranger = ''] = await addPeople(app.database.db, { tenantId, connectorId: other }, [{}])
    expect((await protect(stranger, 'Because')).status).toBe(404)
    expect((await protect(uuidv7(), 'Because')).status).toBe(404)
    expect((await protect(people[0] ?? '', ' ')).body).toMatchObject({ code: 'INVALID' })
    expect((await protect(people[0] ?? '', 'Because', 'site')).status).toBe(403)
    expect((await list()).body).toMatchObject({ data: [], total: 0, vips: 1, admins: 0 })
  })

  it('takes a person with a reason once, and lets them go with one', async () => {
    const [ada = '', bea = ''] = people
    expect((await protect(bea, 'On parental leave')).body).toMatchObject({ userId: bea, reason: 'On parental leave' })
    await protect(bea, 'On parental leave')
    await protect(ada, 'Runs the payroll')
    expect((await list()).body).toMatchObject({ total: 2, data: [{ userId: ada }, { userId: bea }] })
    expect(await eventsOf('user.protected')).toHaveLength(2)
    expect((await remove(ada)).status).toBe(204)
    expect((await remove(ada)).status).toBe(404)
    expect(await eventsOf('user.unprotected')).toMatchObject([{ data: { name: 'HR', reason: 'No longer needed' } }])
    expect((await list()).body.total).toBe(1)
  })

  it('counts an administrator among the people, however the address is written', async () => {
    await sql`update users set work_email = upper((select email from admins where tenant_id = ${tenantId} order by id limit 1)) where id = ${people[0]}`.execute(
      app.database.db,
    )
    expect((await list()).body.admins).toBe(1)
  })
})
