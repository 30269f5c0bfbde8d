import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { type Delivery, openDelivery } from './testing/kill/deliveries.ts'
import { type Deaths, killRound, type Part } from './testing/kill/kill-rounds.ts'
import type { Death } from './testing/kill/killed-worker.ts'

let database: TestDatabase
let delivery: Delivery
beforeAll(async () => {
  database = await testDatabase()
  delivery = await openDelivery('sftp')
})
afterAll(async () => {
  await delivery.close()
  await database.close()
})

/** Each stage by a statement that it alone sends; a first load and a day of changes share those that both have. */
const STAGES: Record<Part, readonly (readonly Death[])[]> = {
  schedule: [[{ before: 'insert into "events"' }]],
  fetch: [
    [
      { source: 'asking' },
      { source: 'halfway' },
      { source: 'fetched' },
      { before: 'insert into source_states' },
      // the file is noted, and nothing of it read
      { before: 'delete from staged_records' },
    ],
  ],
  plan: [
    [
      { before: 'copy "staged_records"', laterMs: 2 },
      { before: 'create temporary table unlinked' },
      { before: 'copy "plan_rows"', laterMs: 1 },
      { before: 'insert into "events"' },
    ],
    [
      { before: 'analyze staged_records' },
      { before: 'fetch 500 from changed' },
      { before: 'from plan_rows p' },
      { before: 'commit', time: 4 },
    ],
  ],
  apply: [
    [{ before: 'insert into source_links' }],
    [{ before: 'insert into events' }, { before: 'with recursive above' }, { source: 'settling' }],
  ],
  planUndo: [[{ before: 'fetch 500 from done' }]],
  undo: [[{ before: 'update source_links l set record_hash' }, { before: 'insert into events' }]],
  nothingNew: [[{ source: 'settled' }]],
  dates: [[{ before: 'insert into events' }, { before: 'order by u.id limit', time: 2 }]],
}

it('loses nothing and does nothing twice when its process is killed in every stage', { timeout: 600_000 }, async () => {
  const times: Partial<Record<Part, number>> = {}
  const deaths: Deaths = (part) => {
    const time = times[part] ?? 0
    times[part] = time + 1
    return STAGES[part][time] ?? []
  }
  const { findings, kills } = await killRound({ database, poolConfig: database.poolConfig, delivery }, { people: 20, deaths })
  expect(findings).toEqual([])
  expect(kills).toEqual({ schedule: 1, fetch: 5, plan: 8, apply: 4, planUndo: 1, undo: 2, nothingNew: 1, dates: 2 })
})
