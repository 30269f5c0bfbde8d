import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { saveConfig } from '../connectors/public.ts'
import { applyRun, rejectRun } from '../sync/decide-run.ts'
import { setSchedule } from '../sync/set-schedule.ts'
import type { SyncDeps } from '../sync/sync-deps.ts'
import { ADMIN } from '../sync/testing/sync-world.ts'
import { type Connection, type ScimWorld, scimWorld } from './testing/scim-world.ts'

let world: ScimWorld
let entra: Connection
let now = new Date('2026-03-02T06:00:00Z')
const clock = { now: () => now }

beforeAll(async () => {
  world = await scimWorld({ clock, workers: true })
  entra = await world.connect()
  const { tenantId, connectorId } = entra
  const { db } = world.instep.database
  const mapping = {
    fields: {
      externalId: { column: 'externalId' },
      givenName: { column: 'name.givenName' },
      familyName: { column: 'name.familyName' },
    },
  }
  await db.transaction().execute((tx) => saveConfig(tx, { tenantId, connectorId, change: { mapping }, by: ADMIN, at: now }))
  const values = { cron: '0 6 * * *', timeZone: 'UTC', enabled: true, apply: 'approval' as const }
  await setSchedule(deps(), { tenantId, connectorId, by: ADMIN, correlationId: 'c', values })
})
afterAll(() => world.close())

const deps = () => ({ ...world.instep.database, clock, dataDir: world.instep.dataDir, nudge: () => undefined }) as unknown as SyncDeps

const push = (number: number) =>
  entra.addUser({ externalId: `E-${number}`, userName: `e${number}`, name: { givenName: 'Ada', familyName: `Byron ${number}` } })

/** When the next run is due; a push brings it forward after it was answered. */
const dueAt = async (): Promise<string | undefined> => {
  const { rows } = await sql<{ next_at: Date }>`select next_at from source_schedules where connector_id = ${entra.connectorId}`.execute(
    world.instep.database.db,
  )
  return rows[0]?.next_at.toISOString()
}

const passMinute = async (): Promise<void> => {
  now = new Date(now.getTime() + 61_000)
  await world.instep.app.runSchedules()
}

const runs = async () => {
  const { rows } = await sql<{ id: string; state: string; created: string | null }>`
    select id, state, counts ->> 'create' as created from runs where connector_id = ${entra.connectorId} order by id`.execute(
    world.instep.database.db,
  )
  return rows
}
const states = async () => (await runs()).map(({ state, created }) => [state, created])

it('what is pushed while a run waits is brought in as soon as that run is over, not at the next regular time', async () => {
  await push(1)
  await push(2)
  await expect.poll(dueAt).toBe('2026-03-02T06:01:00.000Z')
  await passMinute()
  await vi.waitFor(async () => expect(await states()).toEqual([['planned', '2']]), 10_000)
  const first = (await runs())[0]?.id ?? ''

  const pushedAt = now
  await push(3)
  await expect.poll(dueAt).toBe(new Date(pushedAt.getTime() + 60_000).toISOString())
  await passMinute()
  await passMinute()
  expect(await runs()).toHaveLength(1)

  await applyRun(deps(), { tenantId: entra.tenantId, runId: first, by: ADMIN })
  await vi.waitFor(async () => expect((await states())[0]).toEqual(['succeeded', '2']), 10_000)
  await passMinute()
  await vi.waitFor(async () => expect((await states())[1]).toEqual(['planned', '1']), 10_000)

  // once caught up, the regular time counts again
  await rejectRun(deps(), { tenantId: entra.tenantId, runId: (await runs())[1]?.id ?? '', by: ADMIN })
  await passMinute()
  expect(await runs()).toHaveLength(2)
  expect(await dueAt()).toBe('2026-03-03T06:00:00.000Z')
})
