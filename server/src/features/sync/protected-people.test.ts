import { DEFAULT_GUARDS, type GuardSettings } from '@instep/contract/guard-settings.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { actOnDates } from './act-on-dates.ts'
import { answerCase } from './answer-case.ts'
import { listCases } from './cases.views.ts'
import { applyRun, rejectRun } from './decide-run.ts'
import { protectPerson } from './protect-person.ts'
import { ADMIN, people, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'
import { updateGuards } from './update-guards.ts'

let world: SyncWorld
beforeEach(async () => {
  world = await syncWorld()
})
afterEach(() => world.close())

const idOf = async (externalId: string) => (await world.people()).get(externalId)?.id ?? ''
const protect = (userId: string, connectorId = world.connectorId) =>
  protectPerson(world.deps, { tenantId: world.tenantId, connectorId, userId, reason: 'Runs the payroll', by: ADMIN, correlationId: 'x' })
const end = (externalIds: string[]) =>
  sql`
    update users set end_date = '2020-01-31', base = base || '{"endDate": "2020-01-31"}' where external_id = any (${externalIds})`.execute(
    world.deps.db,
  )
const inactive = async () =>
  [...(await world.people()).values()]
    .filter(({ active }) => !active)
    .map(({ external_id }) => external_id)
    .sort()

/** Puts somebody on the list in a transaction that is committed once somebody else waits for them. */
const protectWhile = async (userId: string, work: () => Promise<unknown>): Promise<void> => {
  const { tenantId, connectorId, database } = world
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('select from users where id = $1 for key share', [userId])
    await client.query(
      `insert into protected_people (tenant_id, connector_id, user_id, reason, created_by, created_at) values ($1, $2, $3, 'x', '{}', now())`,
      [tenantId, connectorId, userId],
    )
    const done = work()
    await expect
      .poll(async () => (await sql`select from pg_locks where not granted`.execute(database.db)).rows.length, { timeout: 10_000 })
      .toBeGreaterThan(0)
    await client.query('commit')
    await done
  } finally {
    client.release()
  }
}

describe('nobody goes who is protected in the very moment', () => {
  it('in which a run is carried out', async () => {
    await world.sync(people(1, 40))
    const run = await world.plan(people(2, 40))
    await protectWhile(await idOf('E00001'), async () => {
      await applyRun(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN })
    })
    expect(await world.until(run.id, ['succeeded', 'partlySucceeded'])).toMatchObject({ state: 'partlySucceeded', applied: 0, stale: 1 })
    expect(await inactive()).toEqual([])
  })

  it('in which an end date acts', async () => {
    await world.sync(people(1, 40))
    await end(['E00001', 'E00002'])
    await protectWhile(await idOf('E00001'), () => actOnDates(world.deps.db, new Date()))
    expect(await inactive()).toEqual(['E00002'])
  })
})

it('somebody on the list stays on it when an answer takes them into another source', async () => {
  const { db } = world.deps
  await world.sync(people(1, 40))
  // another source kept them until they left
  const id = await idOf('E00001')
  await sql`update connectors set definition_id = 'file', ingestion_type = 'file' where id = ${world.otherConnectorId}`.execute(db)
  await sql`update users set connector_id = ${world.otherConnectorId}, active = false, base = base || '{"active": false}' where id = ${id}`.execute(
    db,
  )
  await sql`delete from source_links where user_id = ${id}`.execute(db)
  await protect(id, world.otherConnectorId)
  const run = await world.plan(people(1, 40))
  const [found] = await listCases(db, { tenantId: world.tenantId, state: 'open', limit: 2 })
  const act = { tenantId: world.tenantId, caseId: found?.id ?? '', by: ADMIN, correlationId: 'x' }
  await answerCase(world.deps, { ...act, answer: { decision: 'link' } })
  await rejectRun(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN })
  await world.sync(people(1, 40))
  expect(await inactive()).toEqual([])
  const gone = await world.plan(people(2, 40))
  expect((await world.rows(gone)).map(({ kind, reasons }) => [kind, reasons.map(({ code }) => code)])).toEqual([
    ['conflict', ['missingFromFile', 'protectedListed']],
  ])
})

describe('the guard of a day counts runs and end dates together', () => {
  it('leavers after people whose end dates came', async () => {
    await world.sync(people(1, 40))
    await end(['E00001', 'E00002', 'E00003'])
    expect(await actOnDates(world.deps.db, new Date())).toBe(3)
    const run = await world.plan([...people(1, 3), ...people(7, 40)])
    expect(run.held).toMatchObject({ code: 'massDeactivation', params: { window: 'day', now: 3, recent: 3, count: 6 } })
  })

  it('end dates after leavers', async () => {
    await world.sync(people(1, 40))
    await world.sync(people(4, 40))
    await end(['E00004', 'E00005', 'E00006'])
    expect(await actOnDates(world.deps.db, new Date())).toBe(0)
    const { rows } = await sql<{ held: unknown }>`select held from date_holds`.execute(world.deps.db)
    expect(rows).toMatchObject([{ held: { code: 'massDeactivation', params: { window: 'day', now: 3, recent: 3 } } }])
  })

  it('and the limit of a site holds for end dates too, in one pass and over the day', async () => {
    const north = [...people(1, 20)]
    const south = people(21, 40).map(([id = '']) => person(id, { store: 'South' }))
    await world.sync([...north, ...south])
    const one = { on: true, percent: 0, number: 1 }
    const settings: GuardSettings = { ...DEFAULT_GUARDS, sites: [{ siteId: null, kind: 'deactivate', run: one, day: one }] }
    const { tenantId, connectorId } = world
    await updateGuards(world.deps, { tenantId, connectorId, settings, reason: 'Because', by: ADMIN, correlationId: 'x' })
    await end(['E00001', 'E00021'])
    expect(await actOnDates(world.deps.db, new Date())).toBe(2)
    await end(['E00002'])
    expect(await actOnDates(world.deps.db, new Date())).toBe(0)
    const { rows } = await sql<{ held: unknown }>`select held from date_holds`.execute(world.deps.db)
    expect(rows).toMatchObject([{ held: { code: 'overLimit', params: { site: 'North', window: 'day', recent: 1 } } }])
  })
})
