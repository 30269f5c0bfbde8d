import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { actOnDates } from './act-on-dates.ts'
import { rejectRun } from './decide-run.ts'
import { tellSilence } from './run-schedules.ts'
import { ADMIN, people, type SyncWorld, syncWorld } from './testing/sync-world.ts'

let world: SyncWorld
beforeEach(async () => {
  world = await syncWorld()
  await sql`
    insert into admins (tenant_id, id, issuer, subject, name, email, roles)
    values (${world.tenantId}, ${uuidv7()}, 'test', ${uuidv7()}, 'Ines Admin', 'ines@x.example', '{admin.tenant}')`.execute(world.deps.db)
})
afterEach(() => world.close())

const messages = async () =>
  (
    await sql<{ template: string; address: string; params: Record<string, unknown>; correlation_id: string }>`
    select template, address, params, correlation_id from messages order by id`.execute(world.deps.db)
  ).rows

describe('administrators are told by mail', () => {
  it('nothing of a run that is not held, or whose plan changes nothing', async () => {
    await world.sync(people(1, 40))
    await world.plan(people(1, 39))
    expect(await messages()).toEqual([])
  })

  it('of a run that a guard holds: why, what it would do, under the run’s correlation id', async () => {
    await world.sync(people(1, 40))
    const run = await world.plan(people(1, 20))
    expect(run.state).toBe('held')
    const counts = expect.objectContaining({ deactivate: 20 })
    expect(await messages()).toEqual([
      {
        template: 'heldRun',
        address: 'ines@x.example',
        correlation_id: run.correlationId,
        params: { runId: run.id, connector: 'HR', file: 'people.csv', held: run.held, others: run.heldBy.length - 1, counts },
      },
    ])
  })

  it('and where a tenant has none of its own, those above the tenants are told instead', async () => {
    const { db } = world.deps
    await sql`
      insert into admins (tenant_id, id, issuer, subject, name, email, roles)
      values (null, ${uuidv7()}, 'test', ${uuidv7()}, 'Sigrid Super', 'sigrid@x.example', '{admin.super}')`.execute(db)
    await world.sync(people(1, 40))
    const { id } = await world.plan(people(1, 20))
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: id, by: ADMIN })
    await sql`update admins set disabled_at = now() where email = 'ines@x.example'`.execute(db)
    await world.plan(people(1, 19))
    expect((await messages()).map(({ address }) => address)).toEqual(['ines@x.example', 'sigrid@x.example'])
  })

  it('once of end dates that wait', async () => {
    world.setTime(new Date('2026-11-20T12:00:00Z'))
    await world.sync(people(1, 40))
    await sql`update users set end_date = '2026-11-20' where external_id < 'E00031'`.execute(world.deps.db)
    const pass = () => actOnDates(world.deps.db, new Date('2026-11-22T12:00:00Z'))
    await pass()
    await pass()
    expect(await messages()).toMatchObject([{ template: 'heldDates', params: { connector: 'HR', count: 30 } }])
  })

  it('once of a scheduled source that brings nothing', async () => {
    const { db } = world.deps
    await sql`
      insert into source_schedules (tenant_id, connector_id, cron, time_zone, enabled, apply, enabled_at, next_at)
      values (${world.tenantId}, ${world.connectorId}, '0 6 * * *', 'UTC', true, 'approval', '2026-11-01T00:00:00Z', '2026-11-02T06:00:00Z')`.execute(
      db,
    )
    await sql`
      insert into source_states (tenant_id, connector_id, last_data_at)
      values (${world.tenantId}, ${world.connectorId}, '2026-11-01T00:00:00.000001Z')`.execute(db)
    const clock = { now: () => new Date('2026-11-03T12:00:00Z') }
    await tellSilence({ db, clock })
    await tellSilence({ db, clock })
    expect(await messages()).toMatchObject([{ template: 'silentSource', params: { connector: 'HR', hours: 60 } }])
  })
})
