import type { OtherRun } from '@instep/contract/run-state.ts'
import type { Run } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { isOver, type RunRow, type RunState } from '../../platform/runs/run.ts'
import { runColumns } from '../../platform/runs/run-store.ts'
import type { Sight } from '../../platform/runs/watch.ts'
import { targetProgress } from '../provisioning/public.ts'
import { noCounts } from './plan-row.ts'
import { waitingStages } from './stage-clock.ts'
import { SYNC_RUN, type SyncInput } from './sync-input.ts'

interface NamedRun extends RunRow {
  readonly connectorName: string
  readonly undoes: OtherRun | null
  readonly undoneBy: OtherRun | null
  readonly follows: OtherRun | null
  readonly followedBy: OtherRun | null
}
type Targets = Awaited<ReturnType<typeof targetProgress>>

/** How the run began, as its input tells. */
const presentFetch = ({ input }: RunRow): Pick<Run, 'began' | 'dryRun' | 'nothingNew'> => {
  const fetch = input.fetch as SyncInput['fetch']
  return {
    began: fetch?.began ?? (input.only === undefined ? 'upload' : 'person'),
    dryRun: fetch?.dryRun ?? false,
    nothingNew: fetch?.nothingNew ?? false,
  }
}
const other = sql`jsonb_build_object('id', o.id, 'state', o.state, 'fileName', o.input ->> 'fileName', 'createdAt', o.created_at)`

/** A run as `runColumns` has it, with its connector's name `c`, the runs that it takes back and is taken back by, and those that it follows and is followed by. */
const namedColumns = sql`${runColumns}, c.name as "connectorName",
  (select ${other} from runs o where o.tenant_id = r.tenant_id and o.id = (r.input ->> 'undoes')::uuid) as "undoes",
  (
    select ${other} from runs o
    where o.tenant_id = r.tenant_id and o.input ->> 'undoes' = r.id::text and (o.applied > 0 or o.finished_at is null)
    order by o.id desc limit 1
  ) as "undoneBy",
  (select ${other} from runs o where o.tenant_id = r.tenant_id and o.id = (r.input ->> 'follows')::uuid) as "follows",
  (select ${other} from runs o where o.tenant_id = r.tenant_id and o.input ->> 'follows' = r.id::text) as "followedBy"`

/** What the database writes in JSON as an instant has its own form. */
const presentOther = (run: OtherRun | null): OtherRun | null => run && { ...run, createdAt: new Date(run.createdAt).toISOString() }

/** A run as the contract shows it. */
const presentRun = (run: NamedRun): Run => ({
  id: run.id,
  connectorId: run.connectorId ?? '',
  connectorName: run.connectorName,
  correlationId: run.correlationId,
  fileName: typeof run.input.fileName === 'string' && run.input.fileName !== '' ? run.input.fileName : null,
  ...presentFetch(run),
  state: run.state,
  stages: (run.stages.length > 0 ? [...run.stages] : waitingStages()) as Run['stages'],
  counts: { ...noCounts(), ...run.counts },
  applied: run.applied,
  stale: run.stale,
  held: run.held as Run['held'],
  // a run that was held before all reasons were kept has the one
  heldBy: (run.findings.held ?? (run.held ? [run.held] : [])) as Run['heldBy'],
  notes: (run.findings.notes ?? []) as Run['notes'],
  failure: run.failure,
  createdBy: run.createdBy.name,
  decidedBy: (run.decidedBy ?? (isOver(run.state) ? run.cancelledBy : null))?.name ?? null,
  decisionReason: run.decisionReason,
  trial: run.input.trial === true,
  configVersion: typeof run.input.configVersion === 'number' ? run.input.configVersion : null,
  undoes: presentOther(run.undoes),
  undoneBy: presentOther(run.undoneBy),
  follows: presentOther(run.follows),
  followedBy: presentOther(run.followedBy),
  createdAt: run.createdAt.toISOString(),
  startedAt: run.startedAt?.toISOString() ?? null,
  finishedAt: run.finishedAt?.toISOString() ?? null,
  version: run.version,
})

export interface RunsQuery {
  readonly tenantId: string
  readonly connectorId?: string | undefined
  readonly states?: readonly RunState[] | undefined
  /** Without those over one person's record, and without trials. */
  readonly overAll?: boolean
  /** The last run of the page before. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Runs of the tenant, newest first. */
export const listRuns = async (db: Db, query: RunsQuery): Promise<Run[]> => {
  const { rows } = await sql<NamedRun>`
    select ${namedColumns}
    from runs r join connectors c on c.tenant_id = r.tenant_id and c.id = r.connector_id
    where r.tenant_id = ${query.tenantId} and r.kind = ${SYNC_RUN}
      ${query.connectorId ? sql`and r.connector_id = ${query.connectorId}` : sql``}
      ${query.overAll ? sql`and r.input -> 'only' is null and r.input -> 'trial' is null` : sql``}
      ${query.states ? sql`and r.state = any (${query.states as string[]})` : sql``}
      ${query.before ? sql`and r.id < ${query.before}` : sql``}
    order by r.id desc limit ${query.limit}`.execute(db)
  return rows.map(presentRun)
}

interface RunKey {
  readonly tenantId: string
  readonly runId: string
}

/** One run of the tenant. */
const findNamedRun = async (db: Db, { tenantId, runId }: RunKey): Promise<NamedRun | undefined> => {
  const { rows } = await sql<NamedRun>`
    select ${namedColumns}
    from runs r join connectors c on c.tenant_id = r.tenant_id and c.id = r.connector_id
    where r.tenant_id = ${tenantId} and r.id = ${runId} and r.kind = ${SYNC_RUN}`.execute(db)
  return rows[0]
}

/** One run as it is now; NOT_FOUND where the tenant has none of this id. */
export const shownRun = async (db: Db, key: RunKey): Promise<Run> => {
  const run = await findNamedRun(db, key)
  if (!run) throw problem('NOT_FOUND')
  return presentRun(run)
}

/** Where the accounts of the people whom the run has changed so far stand at the targets. */
const targetsOf = async (db: Db, run: RunRow): Promise<Targets> =>
  run.appliedThrough === 0
    ? []
    : targetProgress(db, {
        tenantId: run.tenantId,
        users: sql`
          select p.user_id from plan_rows p
          where p.tenant_id = ${run.tenantId} and p.run_id = ${run.id} and p.seq <= ${run.appliedThrough}
            and p.kind not in ('conflict', 'invalid') and not p.stale`,
      })

/** A run with where its people's accounts stand. */
export const viewRun = async (db: Db, key: RunKey): Promise<(Run & { targets: Targets }) | undefined> => {
  const run = await findNamedRun(db, key)
  return run && { ...presentRun(run), targets: await targetsOf(db, run) }
}

/**
 * What somebody who watches the run sees now. It is over when the run is, and no target owes an answer. The accounts are counted once the
 * rows are applied, because counting a hundred thousand of them at each look would slow down what is looked at.
 */
export const sightOfRun = async (db: Db, key: RunKey): Promise<Sight<Run & { targets: Targets }> | undefined> => {
  const run = await findNamedRun(db, key)
  if (!run) return undefined
  const ended = isOver(run.state)
  const targets = ended ? await targetsOf(db, run) : []
  return {
    value: { ...presentRun(run), targets },
    mark: JSON.stringify([run.version, targets]),
    over: ended && targets.every(({ pending, paused }) => pending + paused === 0),
  }
}
