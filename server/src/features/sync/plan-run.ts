import { fieldsOf, holdsFor, movesWithTime } from '@instep/contract/holds-for.ts'
import { DEFAULT_MATCHING } from '@instep/contract/matching.ts'
import { placementMoves } from '@instep/contract/place-person.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { todayIn } from '../users/public.ts'
import { appliesItself } from './applies-itself.rules.ts'
import { type CaseDrafts, createCaseDrafts } from './case-drafts.ts'
import { forgetUnkeptCases, keepCases } from './cases.store.ts'
import { type Comparison, planLeavers, planRecords, planScope } from './compare.ts'
import { type LoadedConfig, loadConfig } from './connector-config.store.ts'
import { type Findings, judgePlan, lookAtSource } from './judge-plan.ts'
import { createMapper } from './map-record.ts'
import { matchUnlinked, recognised } from './match-unlinked.ts'
import { onClient } from './on-client.ts'
import { openRecords } from './open-records.ts'
import { placeableSites } from './placeable-sites.ts'
import { placingFor } from './placement.rules.ts'
import { mightBeInScope } from './plan.ts'
import type { PlanCounts } from './plan-row.ts'
import { createPlanWriter, type PlanWriter } from './plan-writer.ts'
import { protectPeople } from './protected-people.store.ts'
import { type ResolvedMapping, resolveMapping } from './resolve-mapping.ts'
import { runEvent } from './run-event.ts'
import { SCHEDULE } from './run-schedules.ts'
import { loadSiteDays } from './site-days.ts'
import { type Staged, stageRecords } from './stage.ts'
import { type StageClock, stageClock, TRIAL_STAGES, waitingStages } from './stage-clock.ts'
import { forgetStaged, pruneStaged } from './staged.store.ts'
import type { SyncRunDeps } from './sync-deps.ts'
import { isPartial, type SyncInput, type TrialInput } from './sync-input.ts'
import { tellHeld } from './tell-held.ts'

/** What every plan is made with. */
export interface PlanWork {
  readonly deps: SyncRunDeps
  readonly context: RunContext
  readonly stages: StageClock
  /** Ends the run with its plan. */
  readonly trial?: boolean
  /** What was asked for, where a plan may go on by itself. */
  readonly appliesAfter?: SyncInput
}

interface Planning extends PlanWork {
  readonly input: SyncInput | TrialInput
  readonly droppedColumns: readonly string[]
  readonly connectorId: string
  readonly config: LoadedConfig
  readonly mapping: ResolvedMapping
  readonly staged: Staged
  readonly header: readonly string[]
}

/** COPY and cursors hold a connection each. */
export interface PlanClients {
  readonly reader: pg.ClientBase
  readonly writer: pg.ClientBase
}

/** What a plan came to. */
export interface Compared {
  readonly counts: PlanCounts
  /** Undefined: nobody is asked about. */
  readonly drafts: CaseDrafts | undefined
}

/** What the guards made of it. */
export interface Judged {
  readonly counts: PlanCounts
  readonly findings: Findings
}

type Outcome = Compared & Judged

/** How a plan comes about: who would change, then what the guards say to it, in the transaction that the plan is written in. */
export interface PlanSteps<Work> {
  readonly compare: (work: Work, reader: pg.ClientBase, writer: PlanWriter) => Promise<Compared>
  readonly judge: (work: Work, tx: Tx, counts: PlanCounts) => Promise<Judged>
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
  const today = await todayIn(deps.db, tenantId, deps.clock.now())
  return {
    client: reader,
    scope: {
      tenantId,
      connectorId,
      runId,
      mappingVersion: config.mappingVersion,
      rereads: (mapping.scope !== undefined && movesWithTime(mapping.scope)) || placementMoves(config.placement?.rules ?? []),
    },
    map: createMapper(mapping),
    inScope: mapping.scope && {
      fields: new Set(fieldsOf(mapping.scope)),
      holds: holdsFor(mapping.scope, today),
    },
    days: await loadSiteDays(deps.db, { tenantId, at: deps.clock.now() }),
    placing: placingFor(config.placement, await placeableSites(deps.db, tenantId), today),
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

/** Finds out who the records are that are linked to nobody, as `matchUnlinked` does. Where nothing can be said about anybody, nobody is found. */
export const matchRecords = async (
  { db, scope: { tenantId, connectorId, runId }, config, mapping, signal }: Matching,
  { client, map, inScope }: Pick<Comparison, 'client' | 'map' | 'inScope'>,
) =>
  matchUnlinked({
    client,
    scope: { tenantId, connectorId, runId, otherConnectors: await otherConnectors(db, { tenantId, connectorId }) },
    matching: config.matching ?? DEFAULT_MATCHING,
    columns: mapping.columns,
    isLeftOut: (cells) => inScope !== undefined && !mightBeInScope(map(cells), inScope),
    signal,
  })

const comparePeople = async (planning: Planning, reader: pg.ClientBase, writer: PlanWriter): Promise<Compared> => {
  const { deps, context, input, mapping, stages, staged } = planning
  const comparison = await comparisonOf(planning, reader, writer)
  const readable = isReadable(mapping)
  stages.start('match')
  const met = await matchRecords({ ...planning, db: deps.db, scope: comparison.scope, signal: context.signal }, comparison)
  stages.count(recognised(staged, met), null)
  // a source that tells what changed says nothing about whom it does not name
  if (readable && !isPartial(input)) await planLeavers(comparison)
  const outOfScope = readable ? await planScope(comparison) : 0
  stages.start('compare')
  const { planned, ignored } = readable ? await planRecords(comparison) : { planned: 0, ignored: 0 }
  await writer.end()
  stages.end()
  const unchanged = readable ? staged.records - planned - outOfScope - ignored : 0
  return { counts: { ...writer.counts, outOfScope, ignored, unchanged }, drafts: readable ? comparison.drafts : undefined }
}

/** Spares whom a sync never deactivates; answers how many of each kind are left. */
export const spareInPlan = async (
  tx: Tx,
  key: { tenantId: string; connectorId: string; runId: string },
  counts: PlanCounts,
): Promise<PlanCounts> => {
  const left: Record<string, number> = { ...counts }
  for (const [kind, count] of Object.entries(await protectPeople(tx, key))) {
    left[kind] = (left[kind] ?? 0) - count
    left.conflict = (left.conflict ?? 0) + count
  }
  return left as PlanCounts
}

/** Spares whom a sync never deactivates, then lets the guards look at what is left. */
const judgePeople = async (
  { deps, context, input, connectorId, config, mapping, staged, droppedColumns }: Planning,
  tx: Tx,
  counts: PlanCounts,
): Promise<Judged> => {
  const { run, signal } = context
  const key = { tenantId: run.tenantId, connectorId, runId: run.id }
  const left = await spareInPlan(tx, key, counts)
  const sight = await lookAtSource(deps, { ...key, input, profile: staged.profile, now: deps.clock.now(), signal })
  // a record that is asked for alone may lack what it has nothing to say about: those fields stay as they are
  const mayLack = 'only' in input && input.only !== undefined && isReadable(mapping)
  const lostColumns = mayLack ? [] : [...mapping.lostColumns, ...droppedColumns]
  return {
    counts: left,
    findings: await judgePlan(tx, { ...key, guards: config.guard, sight, lostColumns, partial: isPartial(input) }),
  }
}

const finishTrial = async ({ deps, context, stages }: PlanWork, tx: Tx, { counts, findings }: Outcome): Promise<void> => {
  const at = deps.clock.now()
  const tried = { tenantId: context.run.tenantId, runId: context.run.id }
  await forgetStaged(tx, tried)
  await forgetUnkeptCases(tx, tried)
  await recordEvents(tx, [runEvent(context.run, { type: 'run.tried', at, data: { ...counts } })])
  await context.commit(tx, {
    state: 'succeeded',
    counts,
    held: findings.held[0] ?? null,
    findings,
    stages: stages.stages,
    finishedAt: at,
  })
}

const finishPlan = async (
  { deps, context, stages, appliesAfter }: PlanWork,
  tx: Tx,
  { counts, findings, drafts }: Outcome,
): Promise<void> => {
  const held = findings.held[0] ?? null
  const at = deps.clock.now()
  const goesOn = appliesAfter !== undefined && appliesItself(appliesAfter, { counts, held })
  const byItself = appliesAfter?.fetch?.began === 'schedule' ? SCHEDULE : context.run.createdBy
  if (drafts) await keepCases(tx, { run: context.run, drafts, at, partial: appliesAfter !== undefined && isPartial(appliesAfter) })
  await recordEvents(tx, [
    runEvent(context.run, { type: 'run.planned', at, data: { ...counts } }),
    ...(held ? [runEvent(context.run, { type: 'run.held', at, data: { reason: held.code, ...held.params } })] : []),
    ...(goesOn ? [runEvent(context.run, { type: 'run.approved', at, actor: byItself })] : []),
  ])
  await tellHeld(tx, context.run, { counts, held: findings.held, at })
  const waits = { state: held ? 'held' : 'planned' } as const
  const next = goesOn ? ({ state: 'queued', decidedBy: byItself, decidedAt: at } as const) : waits
  await context.commit(tx, { ...next, counts, held, findings, stages: stages.stages })
}

/**
 * Compares what was staged with the directory. The plan, its counts and the state that follows are one transaction: a crash leaves no half
 * plan, and a worker that has lost its lease cannot commit one.
 */
export const writePlan = async <Work extends PlanWork>(
  work: Work,
  { reader, writer: client }: PlanClients,
  steps: PlanSteps<Work>,
): Promise<void> => {
  const { tenantId, id: runId } = work.context.run
  await reader.query('begin')
  // a cursor is planned for its first rows unless told that all are wanted
  await reader.query('set local cursor_tuple_fraction = 1')
  await client.query('begin')
  await client.query('delete from plan_rows where tenant_id = $1 and run_id = $2', [tenantId, runId])
  const writer = createPlanWriter(client, { tenantId, runId })
  try {
    const { counts, drafts } = await steps.compare(work, reader, writer)
    const tx = onClient(client)
    const outcome = { ...(await steps.judge(work, tx, counts)), drafts }
    await (work.trial ? finishTrial : finishPlan)(work, tx, outcome)
    await client.query('commit')
  } catch (error) {
    writer.abandon()
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    await reader.query('rollback').catch(() => undefined)
  }
}

/** Reads the file, compares it with the directory and leaves a plan that waits for a decision. Starts afresh after a crash. */
export const planRun = async (
  { deps, context, input }: { deps: SyncRunDeps; context: RunContext; input: SyncInput | TrialInput },
  clients: PlanClients,
): Promise<void> => {
  const { run, signal } = context
  const { tenantId, connectorId } = run
  if (!connectorId) throw new Error(`run ${run.id} has no connector`)
  await pruneStaged(deps.db, { tenantId, connectorId })
  const source = await openRecords(deps, { tenantId, input, client: clients.writer })
  const config = await loadConfig(deps.db, { tenantId, connectorId, version: input.configVersion })
  const mapping = resolveMapping(config.mapping, source.header)
  const trial = 'trial' in input
  const stages = stageClock(waitingStages(trial ? TRIAL_STAGES : undefined), (all) => context.progress({ stages: all }))
  stages.start('read')
  const staged = await stageRecords(clients.reader, {
    tenantId,
    runId: run.id,
    source,
    encoding: source.encoding,
    mapping,
    signal,
    progress: (records) => stages.count(records, null),
    keep: (tx, profile) => context.commit(tx, { sourceProfile: profile }),
  })
  const droppedColumns = trial ? [] : input.droppedColumns
  const about = { deps, context, stages, trial, ...(trial ? {} : { appliesAfter: input }) }
  await writePlan({ ...about, input, droppedColumns, connectorId, config, mapping, staged, header: source.header }, clients, {
    compare: comparePeople,
    judge: judgePeople,
  })
}
