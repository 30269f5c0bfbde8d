import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maintenanceJobs } from './maintenance-jobs.ts'
import { uuidv7 } from './platform/ids.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'
import { addConnector, addPeople } from './testing/people.ts'
import { SECRETS } from './testing/world.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const run = async (name: string, now: string) => {
  const unused = async () => {}
  const clock = { now: () => new Date(now) }
  const deps = { db: database.db, clock, dataDir: '', secrets: SECRETS, nudge: unused, runSchedules: unused, sendMessages: unused }
  const job = maintenanceJobs(deps).find((one) => one.name === name)
  if (!job) throw new Error(`there is no job ${name}`)
  await job.run()
}

it('what a sync of selected people saw is kept for seven days', async () => {
  const { db } = database
  const tenantId = uuidv7()
  await sql`insert into tenants (id, name) values (${tenantId}, 'Northwind')`.execute(db)
  const connectorId = await addConnector(db, { tenantId, name: 'HR' })
  const [userId] = await addPeople(db, { tenantId, connectorId }, [{ external_id: 'E1' }])
  const runId = uuidv7()
  await sql`
    insert into runs (tenant_id, id, kind, state, correlation_id, input, created_at, created_by)
    values (${tenantId}, ${runId}, 'syncUsers', 'succeeded', 'x', '{}', '2026-03-01T12:00:00Z', '{"kind": "system", "id": null, "name": "x"}')`.execute(
    db,
  )
  await sql`
    insert into synced_people (tenant_id, run_id, user_id, sequence, targets) values (${tenantId}, ${runId}, ${userId}, 1, '[]')`.execute(
    db,
  )
  const kept = async () => (await sql`select from synced_people`.execute(db)).rows.length
  await run('maintenance.syncedPeople', '2026-03-08T11:59:59Z')
  expect(await kept()).toBe(1)
  await run('maintenance.syncedPeople', '2026-03-08T12:00:01Z')
  expect(await kept()).toBe(0)
})
