import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { applyChunk } from './apply-chunk.ts'
import { loadConfig } from './connector-config.store.ts'
import { isPlannedAgain, planRest } from './plan-rest.ts'
import { noteCycles } from './run-cycles.ts'
import { runEvent } from './run-event.ts'
import { settleSource } from './settle-source.ts'
import { moveWatermark } from './source-states.store.ts'
import { stageClock } from './stage-clock.ts'
import type { SyncRunDeps } from './sync-deps.ts'
import { type RunInput, uploadOf } from './sync-input.ts'
import { forgetUpload, removeUpload } from './uploads.ts'

const CHUNK = 5000

interface PlanSize {
  /** The last sequence. */
  readonly last: number
  /** Rows that are there to be carried out. */
  readonly total: number
  /** Rows that came of a record. */
  readonly records: number
}

const planSize = async ({ db }: SyncRunDeps, { run }: RunContext): Promise<PlanSize> => {
  const { rows } = await sql<PlanSize>`
    select coalesce(max(seq), 0) as last, count(*) filter (where kind not in ('conflict', 'invalid'))::integer as total,
      count(row_number)::integer as records
    from plan_rows where tenant_id = ${run.tenantId} and run_id = ${run.id}`.execute(db)
  return rows[0] ?? { last: 0, total: 0, records: 0 }
}

/** Whether records were read anew of which nothing came into the plan. */
const hasUnplanned = ({ stages }: RunContext['run'], { records }: PlanSize): boolean =>
  stages.some(({ name, count }) => name === 'compare' && count > records)

/**
 * Remembers what records said that were read anew and changed nobody (another mapping, other spaces), so that the next run need not read them
 * again; whoever counted as missing is back. Writes nothing where the memory says so already.
 */
const refreshLinks = async (
  tx: Tx,
  { run, connectorId, mappingVersion }: { run: RunContext['run']; connectorId: string; mappingVersion: number },
) => {
  await sql`
    update source_links l set record_hash = s.record_hash, config_version = ${mappingVersion}::integer, missing_since = null
    from staged_records s
    where s.run_id = ${run.id} and l.tenant_id = ${run.tenantId} and l.connector_id = ${connectorId} and l.source_key = s.source_key
      and (l.record_hash <> s.record_hash or l.config_version <> ${mappingVersion}::integer or l.missing_since is not null)
      and not exists (select from plan_rows p where p.tenant_id = l.tenant_id and p.run_id = s.run_id and p.source_key = l.source_key)`.execute(
    tx,
  )
}

/** So many changes make the planner's figures of the tables wrong; autovacuum would mend them a minute later. */
const MANY = 1000

/** People whom the plan of a run adds, or is about to. */
const newPeople = ({ counts }: RunContext['run']): number => (counts['create'] ?? 0) + (counts['future'] ?? 0)

/** Carries out the plan in chunks, each with its place in the plan in one transaction; after a crash it goes on with the next chunk. */
export const applyRun = async ({ deps, context, input }: { deps: SyncRunDeps; context: RunContext; input: RunInput }): Promise<void> => {
  const { db, clock, chunk = CHUNK } = deps
  const { run, signal } = context
  if (!run.connectorId) throw new Error(`run ${run.id} has no connector`)
  const { tenantId, connectorId } = run
  const undoes = 'undoes' in input ? input.undoes : undefined
  // who is taken back was not read by any mapping
  const mappingVersion =
    'undoes' in input ? 0 : (await loadConfig(db, { tenantId, connectorId, version: input.configVersion })).mappingVersion
  const work = { run, connectorId, mappingVersion, undoes }
  const fileId = uploadOf(input)
  const fetch = 'fetch' in input ? input.fetch : undefined
  const size = await planSize(deps, context)
  const { last, total } = size
  const stages = stageClock(run.stages, (all) => context.progress({ stages: all }))
  let { applied, stale } = run
  stages.start('apply')
  for (let done = run.appliedThrough; done < last; done = Math.min(done + chunk, last)) {
    signal.throwIfAborted()
    const to = Math.min(done + chunk, last)
    await db.transaction().execute(async (tx) => {
      const result = await applyChunk(tx, { ...work, from: done + 1, to, at: clock.now() })
      stages.count(applied + stale + result.applied + result.stale, total)
      await context.commit(tx, {
        appliedThrough: to,
        applied: applied + result.applied,
        stale: stale + result.stale,
        stages: stages.stages,
      })
      applied += result.applied
      stale += result.stale
    })
    // who asked for one person brings them in step at once, and sees what the targets reply
    if (!('only' in input && input.only !== undefined)) deps.onApplied?.()
    // what the planner knows of an empty table would have the next chunk read all of it again and again
    if (done === 0 && last > chunk && newPeople(run) >= MANY) await sql`analyze source_links, manager_references`.execute(db)
  }
  stages.end()
  await db.transaction().execute(async (tx) => {
    const at = clock.now()
    if (hasUnplanned(run, size)) await refreshLinks(tx, work)
    await noteCycles(tx, { run, at })
    if (!isPlannedAgain(input, stale)) await forgetUpload(tx, { tenantId, fileId, at })
    if (fetch?.fetched) await moveWatermark(tx, { tenantId, connectorId }, fetch.fetched.watermark)
    await recordEvents(tx, [runEvent(run, { type: undoes ? 'run.undone' : 'run.applied', at, data: { applied, stale } })])
    await context.commit(tx, { state: stale > 0 ? 'partlySucceeded' : 'succeeded', finishedAt: at, stages: stages.stages })
    if (isPlannedAgain(input, stale)) await planRest(tx, run, { input, stale, at })
  })
  if (!isPlannedAgain(input, stale)) await removeUpload(deps.dataDir, fileId)
  if (fetch) await settleSource(deps, { tenantId, connectorId }, context)
  if (applied >= MANY) await sql`analyze users, source_links, target_accounts, plan_rows, manager_references`.execute(db)
}
