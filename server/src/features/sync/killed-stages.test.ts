import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { type Deaths, killRound, type Part } from './testing/kill/kill-rounds.ts'
import type { Death } from './testing/kill/killed-worker.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Each stage by a statement that it alone sends; a first load and a day of changes share those that both have. */
const STAGES: Record<Part, readonly (readonly Death[])[]> = {
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
  apply: [[{ before: 'insert into source_links' }], [{ before: 'insert into events' }, { before: 'update source_links l set' }]],
  planUndo: [[{ before: 'fetch 500 from done' }]],
  undo: [[{ before: 'update source_links l set record_hash' }, { before: 'insert into events' }]],
  dates: [[{ before: 'insert into events' }, { before: 'order by u.id limit', time: 2 }]],
}

it('loses nothing and does nothing twice when its process is killed in every stage', { timeout: 600_000 }, async () => {
  const times: Partial<Record<Part, number>> = {}
  const deaths: Deaths = (part) => {
    const time = times[part] ?? 0
    times[part] = time + 1
    return STAGES[part][time] ?? []
  }
  const { findings, kills } = await killRound({ database, poolConfig: database.poolConfig }, { people: 20, deaths })
  expect(findings).toEqual([])
  expect(kills).toEqual({ plan: 8, apply: 3, planUndo: 1, undo: 2, dates: 2 })
})
