import { cancelListRun, getListRun, type ListRun } from '@instep/contract/exports.ts'
import * as contract from '@instep/contract/sites.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

const MANY = 1002

let app: TestApp
let tenantId: string
let hr: string
beforeAll(async () => {
  app = await testApp({ workers: true })
  tenantId = app.world.one.id
  hr = await addConnector(app.database.db, { tenantId, name: 'HR' })
})
afterAll(() => app.close())

let site: string
let number = 0
beforeEach(async () => {
  number++
  const body = { name: `Harbour ${number}`, employeeIdPrefix: 'HB', groupId: app.world.one.north }
  site = (await app.call('tenant', contract.createSite, { params: { tenantId }, body })).body.id
})

const settle = (people: number, more: Record<string, unknown> = {}) => {
  const rows = Array.from({ length: people }, () => ({ site_id: site, ...more }))
  return addPeople(app.database.db, { tenantId, connectorId: hr }, rows)
}
const update = (admin: TestAdmin, body: Record<string, unknown>, id = site) =>
  app.call(admin, contract.updateSite, { params: { tenantId, id }, body })
const read = (admin: TestAdmin, runId: string) => app.call(admin, getListRun, { params: { tenantId, runId } })
const ended = async (runId: string | null): Promise<ListRun> => {
  const { body } = await read('tenant', runId ?? '')
  return body.finishedAt ? body : new Promise((resolve) => setTimeout(() => resolve(ended(runId)), 20))
}
const membersOf = async (id: string) => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from users where site_id = ${id}`.execute(app.database.db)
  return rows[0]?.count
}
const told = async (subjects: readonly string[]) => {
  const { rows } = await sql<{ type: string; correlation_id: string; data: Record<string, unknown> }>`
    select type, correlation_id, data from events
    where tenant_id = ${tenantId} and subject_id = any (${[...subjects]}) order by id`.execute(app.database.db)
  return rows
}

/** A run that a worker which is dead now had begun. */
const begun = async (more: { counts?: Record<string, number>; cancelRequested?: boolean; to?: string | null } = {}): Promise<string> => {
  const id = uuidv7()
  const input = { siteId: site, name: `Harbour ${number}`, to: more.to === undefined ? app.world.one.looseSite : more.to }
  const by = { kind: 'admin', id: app.adminIds.tenant, name: 'T' }
  await sql`
    insert into runs (
      tenant_id, id, kind, correlation_id, state, input, counts, created_by, created_at, leased_until, lease_owner, cancel_requested
    ) values (
      ${tenantId}, ${id}, 'emptySite', 'begun', 'running', ${JSON.stringify(input)}, ${JSON.stringify(more.counts ?? {})},
      ${JSON.stringify(by)}, now(), '-infinity', ${uuidv7()}, ${more.cancelRequested ?? false}
    )`.execute(app.database.db)
  return id
}

describe('the people of a site that closes', () => {
  it('are not sent anywhere once it was opened again, or the site where they go has closed', async () => {
    await settle(1)
    const stopped = await begun({ cancelRequested: true })
    expect(await ended(stopped)).toMatchObject({ kind: 'emptySite', state: 'cancelled', done: 0 })
    expect(await membersOf(site)).toBe(1)
  })

  it('move at once where they are few', async () => {
    const people = await settle(3)
    const { body } = await update('tenant', { active: false, moveTo: 'unassigned' })
    expect([body.runId, body.active, body.members]).toEqual([null, false, 0])
    expect((await told(people)).map(({ type }) => type)).toEqual(['user.moved', 'user.moved', 'user.moved'])
  })

  it('move by a run where they are many: the site is closed at once, the locked stay, and it is told once of the site and once of each', async () => {
    const people = await settle(MANY)
    const locked = await settle(2, { locked: true })
    const before = (await membersOf(app.world.one.looseSite)) ?? 0
    const { status, body } = await update('siteGroup', { active: false, moveTo: { siteId: app.world.one.northSite } })
    expect([status, body.active]).toEqual([200, false])
    expect(await ended(body.runId)).toMatchObject({ kind: 'emptySite', state: 'partlySucceeded', done: MANY, leftAlone: 2 })
    expect([await membersOf(site), await membersOf(app.world.one.looseSite)]).toEqual([2, before])
    const [closed, ...others] = (await told([site])).filter(({ type }) => type !== 'site.created')
    expect([closed, others]).toMatchObject([{ type: 'site.closed', data: { runId: body.runId } }, []])
    const moves = await told(people)
    expect(moves).toHaveLength(MANY)
    expect(new Set(moves.map((move) => `${move.type} ${move.correlation_id}`))).toEqual(new Set([`user.moved ${closed?.correlation_id}`]))
    expect(await told(locked)).toEqual([])
    expect((await told([body.runId ?? ''])).map(({ type, data }) => [type, data])).toEqual([
      ['site.emptied', { runId: body.runId, name: `Harbour ${number}`, count: MANY, leftAlone: 2 }],
    ])
    for (const [admin, seen] of [
      ['siteGroup', 200],
      ['tenant', 200],
      ['site', 404],
      ['otherTenant', 404],
    ] as const)
      expect((await read(admin, body.runId ?? '')).status).toBe(seen)
  })

  it('go on after a crash from where they were', async () => {
    await settle(3)
    await update('tenant', { active: false, moveTo: 'stay' })
    expect(await ended(await begun({ counts: { done: 7, total: 10 } }))).toMatchObject({ state: 'succeeded', done: 10, total: 10 })
    expect(await membersOf(site)).toBe(0)
  })

  it('who are still there can be sent elsewhere later', async () => {
    await settle(2)
    await update('tenant', { active: false, moveTo: 'stay' })
    expect((await update('tenant', { active: false, moveTo: { siteId: site } })).body.fields).toHaveProperty('moveTo')
    expect((await update('tenant', { active: false, moveTo: 'stay' })).status).toBe(200)
    expect(await membersOf(site)).toBe(2)
    expect((await update('tenant', { active: false, moveTo: { siteId: app.world.one.looseSite } })).body.runId).toBeNull()
    expect(await membersOf(site)).toBe(0)
    expect((await told([site])).map(({ type }) => type)).toEqual(['site.created', 'site.closed', 'site.emptying'])
  })

  it('stay where they are from the moment on that the run is stopped, by hand or because a site of it opens or closes', async () => {
    const other = await app.call('tenant', contract.createSite, {
      params: { tenantId },
      body: { name: `Other ${number}`, employeeIdPrefix: 'O' },
    })
    const waiting = async () => {
      const id = await begun({ to: other.body.id })
      // no worker takes it before it is asked to stop
      await sql`update runs set leased_until = 'infinity' where id = ${id}`.execute(app.database.db)
      return id
    }
    const goOn = (id: string) => sql`update runs set leased_until = '-infinity' where id = ${id}`.execute(app.database.db)
    await settle(2)
    await update('tenant', { active: false, moveTo: 'stay' })
    for (const stop of [
      (runId: string) => app.call('tenant', cancelListRun, { params: { tenantId, runId } }),
      () => update('tenant', { active: false }, other.body.id),
      () => update('tenant', { active: true }),
    ]) {
      const id = await waiting()
      expect((await stop(id)).status).toBe(200)
      await goOn(id)
      expect(await ended(id)).toMatchObject({ state: 'cancelled', done: 0 })
    }
    expect([await membersOf(site), await membersOf(other.body.id)]).toEqual([2, 0])
  })
})
