import { fieldsOf, holdsFor, movesWithTime } from '@instep/contract/holds-for.ts'
import type { HeldReason } from '@instep/contract/sync.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { todayIn } from '../users/public.ts'
import { type Comparison, planLeavers, planRecords, planScope } from './compare.ts'
import { type LoadedConfig, loadConfig } from './connector-config.store.ts'
import { guard } from './guard.ts'
import { guardFigures } from './guard-figures.ts'
import { createMapper } from './map-record.ts'
import { onClient } from './on-client.ts'
import { openSource } from './open-source.ts'
import type { PlanCounts } from './plan-row.ts'
import { createPlanWriter, type PlanWriter } from './plan-writer.ts'
import { type ResolvedMapping, resolveMapping } from './resolve-mapping.ts'
import { runEvent } from './run-event.ts'
import { type Staged, stageRecords } from './stage.ts'
import { type StageClock, stageClock, TRIAL_STAGES, waitingStages } from './stage-clock.ts'
import { forgetStaged, pruneStaged } from './staged.store.ts'
import type { SyncRunDeps } from './sync-deps.ts'
import type { SyncInput, TrialInput } from './sync-input.ts'

/** What every plan is made with. */
export interface PlanWork {
  readonly deps: SyncRunDeps
  readonly context: RunContext
  readonly stages: StageClock
  /** Ends the run with its plan. */
  readonly trial?: boolean
}

interface Planning extends PlanWork {
  readonly droppedColumns: readonly string[]
  readonly connectorId: string
  readonly config: LoadedConfig
  readonly mapping: ResolvedMapping
  readonly staged: Staged
}

/** COPY and cursors hold a connection each. */
export interface PlanClients {
  readonly reader: pg.ClientBase
  readonly writer: pg.ClientBase
}

/** What a plan came to. */
export interface Outcome {
  readonly counts: PlanCounts
  readonly held: HeldReason | null
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
      otherConnectors: await otherConnectors(deps.db, { tenantId, connectorId }),
    },
    map: createMapper(mapping),
    inScope: mapping.scope && {
      fields: new Set(fieldsOf(mapping.scope)),
      holds: holdsFor(mapping.scope, await todayIn(deps.db, tenantId, deps.clock.now())),
    },
    unreadableKeys: staged.unreadableKeys,
    writer,
    signal: context.signal,
    progress: (count) => stages.count(count, null),
  }
}

/** Whether anything can be said about a person: not without a required column, nor without one that the scope asks for. */
const isReadable = ({ lost, scope }: ResolvedMapping): boolean =>
  !['externalId', 'givenName', 'familyName', ...(scope ? fieldsOf(scope) : [])].some((field) => lost.has(field as UserFieldName))

const comparePeople = async (planning: Planning, reader: pg.ClientBase, writer: PlanWriter): Promise<Outcome> => {
  const { deps, context, droppedColumns, connectorId, mapping, stages, staged } = planning
  const comparison = await comparisonOf(planning, reader, writer)
  const readable = isReadable(mapping)
  stages.start('match')
  const leavers = readable ? await planLeavers(comparison) : 0
  const { outOfScope, ...left } = readable ? await planScope(comparison) : { outOfScope: 0, deactivations: 0 }
  stages.count(writer.counts.deactivate, null)
  stages.start('compare')
  const planned = readable ? await planRecords(comparison) : 0
  await writer.end()
  stages.end()
  const figures = await guardFigures(deps.db, { tenantId: context.run.tenantId, connectorId, at: deps.clock.now() })
  const lostColumns = [...mapping.lostColumns, ...droppedColumns]
  return {
    counts: { ...writer.counts, outOfScope, unchanged: readable ? staged.records - planned - outOfScope : 0 },
    held: guard({ ...figures, records: staged.records, deactivations: leavers + left.deactivations, lostColumns }),
  }
}

const finishTrial = async ({ deps, context, stages }: PlanWork, tx: Tx, { counts, held }: Outcome): Promise<void> => {
  const at = deps.clock.now()
  await forgetStaged(tx, { tenantId: context.run.tenantId, runId: context.run.id })
  await recordEvents(tx, [runEvent(context.run, { type: 'run.tried', at, data: { ...counts } })])
  await context.commit(tx, { state: 'succeeded', counts, held, stages: stages.stages, finishedAt: at })
}

const finishPlan = async ({ deps, context, stages }: PlanWork, tx: Tx, { counts, held }: Outcome): Promise<void> => {
  const at = deps.clock.now()
  await recordEvents(tx, [
    runEvent(context.run, { type: 'run.planned', at, data: { ...counts } }),
    ...(held ? [runEvent(context.run, { type: 'run.held', at, data: { reason: held.code, ...held.params } })] : []),
  ])
  await context.commit(tx, { state: held ? 'held' : 'planned', counts, held, stages: stages.stages })
}

/**
 * Compares what was staged with the directory. The plan, its counts and the state that follows are one transaction: a crash leaves no half
 * plan, and a worker that has lost its lease cannot commit one.
 */
export const writePlan = async <Work extends PlanWork>(
  work: Work,
  { reader, writer: client }: PlanClients,
  compare: (work: Work, reader: pg.ClientBase, writer: PlanWriter) => Promise<Outcome>,
): Promise<void> => {
  const { tenantId, id: runId } = work.context.run
  await reader.query('begin')
  // a cursor is planned for its first rows unless told that all are wanted
  await reader.query('set local cursor_tuple_fraction = 1')
  await client.query('begin')
  await client.query('delete from plan_rows where tenant_id = $1 and run_id = $2', [tenantId, runId])
  const writer = createPlanWriter(client, { tenantId, runId })
  try {
    const outcome = await compare(work, reader, writer)
    await (work.trial ? finishTrial : finishPlan)(work, onClient(client), outcome)
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
  const source = await openSource(deps, { tenantId, input, client: clients.writer })
  const config = await loadConfig(deps.db, { tenantId, connectorId, version: input.configVersion })
  const mapping = resolveMapping(config.mapping, source.header)
  const trial = 'trial' in input
  const stages = stageClock(waitingStages(trial ? TRIAL_STAGES : undefined), (all) => context.progress({ stages: all }))
  stages.start('read')
  const staged = await stageRecords(clients.reader, {
    tenantId,
    runId: run.id,
    source,
    mapping,
    signal,
    progress: (records) => stages.count(records, null),
  })
  const droppedColumns = 'trial' in input ? [] : input.droppedColumns
  await writePlan({ deps, context, trial, droppedColumns, connectorId, config, mapping, stages, staged }, clients, comparePeople)
}
