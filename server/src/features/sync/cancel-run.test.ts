import { existsSync } from 'node:fs'
import type { FetchingSource } from '@instep/connectors/kit/fetching-source.ts'
import type { Run } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { cancelRun } from './decide-run.ts'
import { fetchNow } from './start-fetch.ts'
import { startUndo } from './start-undo.ts'
import { ADMIN, people, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'
import { uploadPath } from './uploads.ts'

let world: SyncWorld
let release = async () => {}
afterEach(async () => {
  await release()
  await world.close()
})

const STOPPER = { ...ADMIN, name: 'Stella Stop' }
const cancel = (runId: string) => cancelRun(world.deps, { tenantId: world.tenantId, runId, by: STOPPER })

type StageName = Run['stages'][number]['name']

/** Has whoever writes into a table wait for as long as a lock is held. */
const waitingWriters = (table: string) => [
  `create function wait_here() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$`,
  `create trigger wait_here before insert on ${table} for each statement execute function wait_here()`,
  'select pg_advisory_xact_lock(1)',
]
/** What keeps a run in a stage: statements of one transaction, for as long as it is open. */
const HOLDS: Record<'read' | 'match' | 'compare', readonly string[]> = {
  read: waitingWriters('staged_records'),
  match: ['lock table users in access exclusive mode'],
  compare: waitingWriters('plan_rows'),
}

/** Holds runs in a stage until `release`. */
const holdIn = async (stage: keyof typeof HOLDS): Promise<void> => {
  const client: pg.PoolClient = await world.database.pool.connect()
  const [last = '', ...before] = [...HOLDS[stage]].reverse()
  for (const statement of before.reverse()) await client.query(statement)
  await client.query('begin')
  await client.query(last)
  release = async () => {
    release = async () => {}
    await client.query('rollback')
    client.release()
  }
}

const stageOf = async (runId: string): Promise<StageName | undefined> => {
  const { rows } = await sql<{ name: StageName }>`
    select s ->> 'name' as name from runs, jsonb_array_elements(stages) s where id = ${runId} and s ->> 'state' = 'running'`.execute(
    world.deps.db,
  )
  return rows[0]?.name
}
const reaches = (runId: string, stage: StageName) => vi.waitFor(async () => expect(await stageOf(runId)).toBe(stage), { timeout: 10_000 })

const newestEvent = async () => {
  const { rows } = await sql<{ type: string; by: string }>`
    select type, actor ->> 'name' as by from events where type like 'run.%' order by id desc limit 1`.execute(world.deps.db)
  return rows[0]
}
const DIRECTORY = ['users', 'source_links', 'user_overrides', 'target_accounts', 'match_cases'] as const
const fingerprint = async () => {
  const tables = await Promise.all(
    DIRECTORY.map((table) => sql`select count(*), max(xmin::text::bigint) as newest from ${sql.table(table)}`.execute(world.deps.db)),
  )
  return tables.map(({ rows }) => rows)
}

/** Cancels a run that is held in a stage, lets it go on, and looks at what is left of it; the directory is as it was before. */
const expectGone = async (runId: string, { stage, before }: { stage: StageName; before: unknown }) => {
  await reaches(runId, stage)
  await cancel(runId)
  await release()
  const run = await world.until(runId, ['cancelled', 'planned', 'held', 'succeeded'])
  expect(run).toMatchObject({ state: 'cancelled', applied: 0, counts: {}, decidedBy: STOPPER.name })
  expect(await newestEvent()).toEqual({ type: 'run.cancelled', by: STOPPER.name })
  expect(await world.rows(run)).toEqual([])
  expect(await fingerprint()).toEqual(before)
}

describe('a run that is cancelled while it is planned', () => {
  it.each(['read', 'match', 'compare'] as const)(
    'in the stage %s leaves nothing behind, and the next one does all of it',
    async (stage) => {
      world = await syncWorld()
      await world.sync(people(1, 20))
      const changed = [...people(1, 18), person('E00019', { first: 'Augusta' }), person('E00021')]
      const fileId = await world.store(changed)
      const before = await fingerprint()
      await holdIn(stage)
      await expectGone(await world.start(fileId), { stage, before })
      await vi.waitFor(() => expect(existsSync(uploadPath(world.deps.dataDir, fileId))).toBe(false))
      const next = await world.sync(changed)
      expect(next).toMatchObject({ state: 'succeeded', counts: { create: 1, update: 1, deactivate: 1, unchanged: 18 } })
    },
  )

  it('of an undo takes nothing back, and it can be asked for again', async () => {
    world = await syncWorld()
    const undone = await world.sync(people(1, 20))
    const undo = () => startUndo(world.deps, { tenantId: world.tenantId, runId: undone.id, by: ADMIN, correlationId: uuidv7() })
    const before = await fingerprint()
    await holdIn('compare')
    await expectGone((await undo()).id, { stage: 'compare', before })
    const { id } = await undo()
    expect((await world.until(id, ['planned', 'held'])).counts).toMatchObject({ deactivate: 20 })
  })

  it('while it fetches breaks off the fetch and keeps no file', async () => {
    const begun = Promise.withResolvers<string>()
    const source: FetchingSource = {
      test: async () => ({ found: null }),
      fetch: ({ path, signal }) => {
        begun.resolve(path)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
      close: async () => undefined,
    }
    world = await syncWorld({ source: () => source })
    await world.sync(people(1, 20))
    const before = await fingerprint()
    const { id } = await fetchNow(world.deps, { ...world, by: ADMIN, correlationId: uuidv7(), dryRun: false })
    const file = await begun.promise
    await expectGone(id, { stage: 'read', before })
    expect(existsSync(file)).toBe(false)
  })
})
