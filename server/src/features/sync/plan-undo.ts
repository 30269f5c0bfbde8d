import { DEFAULT_GUARDS } from '@instep/contract/guard-settings.ts'
import pg from 'pg'
import type { Tx } from '../../platform/db/database.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { findRun } from '../../platform/runs/run-store.ts'
import { batches } from './batches.ts'
import { type ChangedField, changedSince, type FieldChange } from './changed-since.ts'
import { findSource } from './connector-config.store.ts'
import { guard } from './guard.ts'
import { guardFigures } from './guard-figures.ts'
import { type AppliedRow, type Inverse, inverseKind, invertRow } from './invert-row.ts'
import type { PlanCounts, PlannedRow, Reason } from './plan-row.ts'
import { type Compared, type Judged, type PlanClients, type PlanWork, spareInPlan, writePlan } from './plan-run.ts'
import type { PlanWriter } from './plan-writer.ts'
import { stageClock, UNDO_STAGES, waitingStages } from './stage-clock.ts'
import type { SyncRunDeps } from './sync-deps.ts'
import type { UndoInput } from './sync-input.ts'

interface Undoing extends PlanWork {
  readonly tenantId: string
  readonly connectorId: string
  /** The run that is taken back. */
  readonly undoes: string
  readonly appliedThrough: number
  /** When the run began to be carried out. */
  readonly from: Date
}

/** A row of the run with the person as they are now. */
interface DoneRow {
  readonly applied: AppliedRow
  readonly rowNumber: number | null
  readonly sourceKey: string | null
  readonly userId: string
  readonly displayName: string
  readonly employeeId: string
  /** Null: no longer in the directory. */
  readonly person: {
    readonly version: number
    readonly base: Record<string, unknown>
    readonly locked: boolean
    readonly active: boolean
  } | null
  readonly overridden: readonly string[]
  /** Overrides that dropped out with the run. */
  readonly caughtUp: readonly string[]
}

type Cells = [
  kind: AppliedRow['kind'],
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  rowNumber: number | null,
  sourceKey: string | null,
  userId: string,
  displayName: string,
  employeeId: string,
  version: number | null,
  base: Record<string, unknown>,
  locked: boolean,
  active: boolean,
  overridden: string[],
  caughtUp: string[],
]

/** What the run carried out, in its order, each with the person as they are now. */
const doneQuery = ({ tenantId, undoes, appliedThrough }: Undoing): string => {
  const run = pg.escapeLiteral(undoes)
  return `
    select p.kind, p.before, p.after, p.row_number, coalesce(l.source_key, p.source_key), p.user_id, coalesce(u.display_name, p.display_name),
      coalesce(u.employee_number, u.external_id, p.employee_id), u.version, u.base, u.locked, u.active,
      array(select o.field from user_overrides o where o.tenant_id = p.tenant_id and o.user_id = p.user_id),
      array(select c.field from caught_up_overrides c where c.tenant_id = p.tenant_id and c.run_id = p.run_id and c.user_id = p.user_id
        and (c.until is null or c.until > now()))
    from plan_rows p
    left join users u on u.tenant_id = p.tenant_id and u.id = p.user_id
    left join source_links l on l.tenant_id = p.tenant_id and l.user_id = p.user_id
    where p.tenant_id = ${pg.escapeLiteral(tenantId)} and p.run_id = ${run} and p.seq <= ${appliedThrough} and not p.stale
      and p.kind in ('create', 'update', 'deactivate', 'reactivate', 'future', 'leave')
    order by p.seq`
}

const readDone = ([kind, before, after, rowNumber, sourceKey, userId, displayName, employeeId, version, base, ...rest]: Cells): DoneRow => {
  const [locked, active, overridden, caughtUp] = rest
  const person = version === null ? null : { version, base, locked, active }
  return { applied: { kind, before, after }, rowNumber, sourceKey, userId, displayName, employeeId, person, overridden, caughtUp }
}

const TAKEN_BACK = { create: 'createdByRun', deactivate: 'deactivatedByRun', reactivate: 'reactivatedByRun' } as const

/** Why the row is what it is: what the run did, what was changed since and by whom, and what overrides make of it. */
const reasonsOf = (
  { applied: { kind }, userId, overridden, caughtUp }: DoneRow,
  inverse: Inverse,
  changes: Map<string, FieldChange>,
): Reason[] => {
  const given = Object.keys(inverse.after)
  const did = kind in TAKEN_BACK && 'active' in inverse.after ? TAKEN_BACK[kind as keyof typeof TAKEN_BACK] : 'changedByRun'
  return [
    ...(given.length > 0 ? [{ code: did }] : []),
    ...inverse.changed.map((field): Reason => {
      const change = changes.get(`${userId} ${field}`)
      return change
        ? { code: 'changedSince', field, params: { name: change.name, at: change.at.toISOString() } }
        : { code: 'changedLater', field }
    }),
    ...given.filter((field) => overridden.includes(field)).map((field) => ({ code: 'overrideStays', field })),
    ...given
      .filter((field) => caughtUp.includes(field) && !overridden.includes(field))
      .map((field) => ({ code: 'overrideReturns', field })),
    ...(given.length === 0 && inverse.changed.length === 0 ? [{ code: 'alreadyUndone' }] : []),
  ]
}

const planRow = (row: DoneRow, inverse: Inverse, changes: Map<string, FieldChange>): PlannedRow => {
  const { person, rowNumber, sourceKey, userId, displayName, employeeId } = row
  const facts = { rowNumber, sourceKey, displayName, employeeId, recordHash: null }
  const refused = { ...facts, kind: 'conflict' as const, userId, userVersion: null, before: {}, after: {} }
  if (!person) return { ...refused, reasons: [{ code: 'personGone' }] }
  const kind = inverseKind(inverse)
  const reasons = reasonsOf(row, inverse, changes)
  if (kind && person.locked) return { ...refused, reasons: [{ code: 'locked' }] }
  if (!kind) return { ...refused, reasons }
  return { ...facts, kind, userId, userVersion: person.version, before: inverse.before, after: inverse.after, reasons }
}

/** Plans the inverse of what the run did. */
const planInverse = async (undoing: Undoing, client: pg.ClientBase, writer: PlanWriter): Promise<void> => {
  const { deps, context, stages, tenantId, undoes: runId, from } = undoing
  let rows = 0
  for await (const batch of batches<Cells>(client, 'done', doneQuery(undoing))) {
    context.signal.throwIfAborted()
    const done = batch.map(readDone).map((row) => ({ row, inverse: invertRow(row.applied, row.person?.base ?? {}) }))
    const changed = done.flatMap(({ row: { userId }, inverse }) => inverse.changed.map((field): ChangedField => ({ userId, field })))
    const changes = await changedSince(deps.db, { tenantId, runId, from }, changed)
    for (const { row, inverse } of done) {
      await writer.add(planRow(row, inverse, changes))
    }
    rows += done.length
    stages.count(rows, null)
  }
}

const compareBack = async (undoing: Undoing, reader: pg.ClientBase, writer: PlanWriter): Promise<Compared> => {
  undoing.stages.start('compare')
  await planInverse(undoing, reader, writer)
  await writer.end()
  undoing.stages.end()
  return { counts: writer.counts, drafts: undefined }
}

/** The guards in force look at an undo as at any run; of its source there is nothing to say, because none was read. */
const judgeBack = async ({ deps, context, tenantId, connectorId }: Undoing, tx: Tx, counts: PlanCounts): Promise<Judged> => {
  const key = { tenantId, connectorId, runId: context.run.id }
  const left = await spareInPlan(tx, key, counts)
  const settings = (await findSource(tx, key))?.config.guard ?? DEFAULT_GUARDS
  const figures = await guardFigures(tx, { ...key, at: deps.clock.now(), settings })
  return { counts: left, findings: { held: guard({ ...figures, records: 1, lostColumns: [], source: [] }, settings), notes: [] } }
}

/**
 * Plans how a run is taken back: the inverse of every row that it carried out, as far as nothing else has happened to it. The plan waits for a
 * decision like any other.
 */
export const planUndo = async (
  { deps, context, input }: { deps: SyncRunDeps; context: RunContext; input: UndoInput },
  clients: PlanClients,
): Promise<void> => {
  const { tenantId, connectorId, id } = context.run
  const undone = await findRun(deps.db, { tenantId, runId: input.undoes })
  if (!undone || !connectorId) throw new Error(`run ${id} has nothing to undo`)
  const stages = stageClock(waitingStages(UNDO_STAGES), (all) => context.progress({ stages: all }))
  const { appliedThrough, decidedAt, createdAt } = undone
  await writePlan(
    { deps, context, stages, tenantId, connectorId, undoes: undone.id, appliedThrough, from: decidedAt ?? createdAt },
    clients,
    { compare: compareBack, judge: judgeBack },
  )
}
