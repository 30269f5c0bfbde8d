import { openFile } from '@instep/connectors/file/open-file.ts'
import { isPlainText } from '@instep/connectors/file/text-encoding.ts'
import { fieldsOf, holdsFor, movesWithTime } from '@instep/contract/holds-for.ts'
import { DEFAULT_MATCHING } from '@instep/contract/matching.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { todayIn } from '../users/public.ts'
import { appliesItself } from './applies-itself.rules.ts'
import { type CaseDrafts, createCaseDrafts } from './case-drafts.ts'
import { keepCases } from './cases.store.ts'
import { type Comparison, planLeavers, planRecords, planScope } from './compare.ts'
import { type LoadedConfig, loadConfig } from './connector-config.store.ts'
import { type Findings, judgePlan, lookAtSource } from './judge-plan.ts'
import { createMapper } from './map-record.ts'
import { matchUnlinked } from './match-unlinked.ts'
import { onClient } from './on-client.ts'
import { mightBeInScope } from './plan.ts'
import type { PlanCounts } from './plan-row.ts'
import { createPlanWriter, type PlanWriter } from './plan-writer.ts'
import { protectPeople } from './protected-people.store.ts'
import { type ResolvedMapping, resolveMapping } from './resolve-mapping.ts'
import { runEvent } from './run-event.ts'
import { SCHEDULE } from './run-schedules.ts'
import { loadSiteDays } from './site-days.ts'
import { type Staged, stageRecords } from './stage.ts'
import { type StageClock, stageClock, waitingStages } from './stage-clock.ts'
import type { SyncRunDeps } from './sync-deps.ts'
import { isPartial, type SyncInput } from './sync-input.ts'
import { uploadPath } from './uploads.ts'

interface Planning {
  readonly deps: SyncRunDeps
  readonly context: RunContext
  readonly input: SyncInput
  readonly connectorId: string
  readonly config: LoadedConfig
  readonly mapping: ResolvedMapping
  readonly stages: StageClock
  readonly staged: Staged
  readonly header: readonly string[]
}

/** What a plan came to. */
interface Outcome {
  readonly counts: PlanCounts
  readonly findings: Findings
  /** Undefined: nothing could be said about anybody. */
  readonly drafts: CaseDrafts | undefined
}

/** Connectors whose people reach the same targets: all other sources, as long as there is a target. */
const otherConnectors = async (db: Db, { tenantId, connectorId }: { tenantId: string; connectorId: string }): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from connectors
    where tenant_id = ${tenantId} and kind = 'source' and id <> ${connectorId}
      and exists (select from connectors where tenant_id = ${tenantId} and kind = 'target' and enabled)`.execute(db)
  return rows.map(({ id }) => id)
}

const comparisonOf = async (planning: Planning, reader: pg.ClientBase, writer: PlanWriter): Promise<Comparison> => {
  const { deps, context, config, connectorId, mapping, stages, staged } = planning
  const { tenantId, id: runId } = context.run
  return {
    client: reader,
    scope: {
      tenantId,
      connectorId,
      runId,
      mappingVersion: config.mappingVersion,
      rereads: mapping.scope !== undefined && movesWithTime(mapping.scope),
    },
    map: createMapper(mapping),
    inScope: mapping.scope && {
      fields: new Set(fieldsOf(mapping.scope)),
      holds: holdsFor(mapping.scope, await todayIn(deps.db, tenantId, deps.clock.now())),
    },
    days: await loadSiteDays(deps.db, { tenantId, at: deps.clock.now() }),
    unreadableKeys: staged.unreadableKeys,
    writer,
    drafts: await createCaseDrafts(reader, planning.header),
    signal: context.signal,
    progress: (count) => stages.count(count, null),
  }
}

/** Whether anything can be said about a person: not without a required column, nor without one that the scope asks for. */
export const isReadable = ({ lost, scope }: ResolvedMapping): boolean =>
  !['externalId', 'givenName', 'familyName', ...(scope ? fieldsOf(scope) : [])].some((field) => lost.has(field as UserFieldName))

interface Matching extends Pick<Planning, 'config' | 'mapping'> {
  readonly db: Db
  readonly scope: Pick<Comparison['scope'], 'tenantId' | 'connectorId' | 'runId'>
  readonly signal: AbortSignal
}

/** Finds out who the records are that are linked to nobody. Where nothing can be said about anybody, nobody is found. */
export const matchRecords = async (
  { db, scope: { tenantId, connectorId, runId }, config, mapping, signal }: Matching,
  { client, map, inScope }: Pick<Comparison, 'client' | 'map' | 'inScope'>,
): Promise<void> => {
  await matchUnlinked({
    client,
    scope: { tenantId, connectorId, runId, otherConnectors: await otherConnectors(db, { tenantId, connectorId }) },
    matching: config.matching ?? DEFAULT_MATCHING,
    columns: mapping.columns,
    isLeftOut: (cells) => inScope !== undefined && !mightBeInScope(map(cells), inScope),
    signal,
  })
}

const comparePeople = async (
  planning: Planning,
  reader: pg.ClientBase,
  writer: PlanWriter,
): Promise<Pick<Outcome, 'counts' | 'drafts'>> => {
  const { deps, context, input, mapping, stages, staged } = planning
  const comparison = await comparisonOf(planning, reader, writer)
  const readable = isReadable(mapping)
  stages.start('match')
  await matchRecords({ ...planning, db: deps.db, scope: comparison.scope, signal: context.signal }, comparison)
  // a source that tells what changed says nothing about whom it does not name
  if (readable && !isPartial(input)) await planLeavers(comparison)
  const outOfScope = readable ? await planScope(comparison) : 0
  stages.count(writer.counts.deactivate, null)
  stages.start('compare')
  const { planned, ignored } = readable ? await planRecords(comparison) : { planned: 0, ignored: 0 }
  await writer.end()
  stages.end()
  const unchanged = readable ? staged.records - planned - outOfScope - ignored : 0
  return { counts: { ...writer.counts, outOfScope, ignored, unchanged }, drafts: readable ? comparison.drafts : undefined }
}

/** Spares whom a sync never deactivates, then lets the guards look at what is left. */
const judge = async (
  { deps, context, input, connectorId, config, mapping, staged }: Planning,
  tx: Tx,
  counts: PlanCounts,
): Promise<Pick<Outcome, 'counts' | 'findings'>> => {
  const { run, signal } = context
  const key = { tenantId: run.tenantId, connectorId, runId: run.id }
  const spared = Object.entries(await protectPeople(tx, key))
  const left: Record<string, number> = { ...counts }
  for (const [kind, count] of spared) {
    left[kind] = (left[kind] ?? 0) - count
    left.conflict = (left.conflict ?? 0) + count
  }
  const sight = await lookAtSource(deps, { ...key, input, profile: staged.profile, now: deps.clock.now(), signal })
  const lostColumns = [...mapping.lostColumns, ...input.droppedColumns]
  return {
    counts: left as PlanCounts,
    findings: await judgePlan(tx, { ...key, guards: config.guard, sight, lostColumns, partial: isPartial(input) }),
  }
}

const finishPlan = async (
  { deps, context, input, stages, staged }: Planning,
  tx: Tx,
  { counts, findings, drafts }: Outcome,
): Promise<void> => {
  const held = findings.held[0] ?? null
  const at = deps.clock.now()
  const goesOn = appliesItself(input, { counts, held })
  if (drafts) await keepCases(tx, { run: context.run, drafts, at })
  await recordEvents(tx, [
    runEvent(context.run, { type: 'run.planned', at, data: { ...counts } }),
    ...(held ? [runEvent(context.run, { type: 'run.held', at, data: { reason: held.code, ...held.params } })] : []),
    ...(goesOn ? [runEvent(context.run, { type: 'run.approved', at, actor: SCHEDULE })] : []),
  ])
  const waits = { state: held ? 'held' : 'planned' } as const
  const next = goesOn ? ({ state: 'queued', decidedBy: SCHEDULE, decidedAt: at } as const) : waits
  await context.commit(tx, { ...next, counts, held, findings, sourceProfile: staged.profile, stages: stages.stages })
}

/**
 * Compares what was staged with the directory. The plan, its counts and the state that follows are one transaction: a crash leaves no half
 * plan, and a worker that has lost its lease cannot commit one.
 */
const writePlan = async (planning: Planning, reader: pg.ClientBase, client: pg.ClientBase): Promise<void> => {
  const { tenantId, id: runId } = planning.context.run
  await reader.query('begin')
  // a cursor is planned for its first rows unless told that all are wanted
  await reader.query('set local cursor_tuple_fraction = 1')
  await client.query('begin')
  await client.query('delete from plan_rows where tenant_id = $1 and run_id = $2', [tenantId, runId])
  const writer = createPlanWriter(client, { tenantId, runId })
  try {
    const { counts, drafts } = await comparePeople(planning, reader, writer)
    const tx = onClient(client)
    await finishPlan(planning, tx, { ...(await judge(planning, tx, counts)), drafts })
    await client.query('commit')
  } catch (error) {
    writer.abandon()
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    await reader.query('rollback').catch(() => undefined)
  }
}

/** Removes what runs of this connector staged earlier; the newest finished one's records stay, so that it can be explained. */
const pruneStaged = async (db: Db, { tenantId, connectorId }: { tenantId: string; connectorId: string }): Promise<void> => {
  await sql`
    delete from staged_records where run_id in (
      select id from runs where tenant_id = ${tenantId} and connector_id = ${connectorId} and finished_at is not null
      order by id desc offset 1
    )`.execute(db)
}

/** Reads the file, compares it with the directory and leaves a plan that waits for a decision. Starts afresh after a crash. */
export const planRun = async (
  { deps, context, input }: { deps: SyncRunDeps; context: RunContext; input: SyncInput },
  clients: { reader: pg.ClientBase; writer: pg.ClientBase },
): Promise<void> => {
  const { run, signal } = context
  const { tenantId, connectorId } = run
  if (!connectorId) throw new Error(`run ${run.id} has no connector`)
  await pruneStaged(deps.db, { tenantId, connectorId })
  const path = uploadPath(deps.dataDir, input.fileId)
  const source = await openFile({
    path,
    name: input.fileName,
    encoding: input.encoding,
    delimiter: input.delimiter,
  })
  const config = await loadConfig(deps.db, { tenantId, connectorId, version: input.configVersion })
  const mapping = resolveMapping(config.mapping, source.header)
  const stages = stageClock(waitingStages(), (all) => context.progress({ stages: all }))
  stages.start('read')
  const staged = await stageRecords(clients.reader, {
    tenantId,
    runId: run.id,
    source,
    encoding: source.encoding === 'utf-8' && (await isPlainText(path)) ? 'ascii' : source.encoding,
    mapping,
    signal,
    progress: (records) => stages.count(records, null),
  })
  await writePlan(
    { deps, context, input, connectorId, config, mapping, stages, staged, header: source.header },
    clients.reader,
    clients.writer,
  )
}
