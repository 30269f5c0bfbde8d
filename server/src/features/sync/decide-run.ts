import { PERMISSIONS } from '@instep/contract/roles.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { isOver, type RunPatch, type RunRow, type RunState } from '../../platform/runs/run.ts'
import { lockRun, patchRun } from '../../platform/runs/run-store.ts'
import { runEvent } from './run-event.ts'
import type { SyncDeps } from './sync-deps.ts'
import { SYNC_RUN, uploadOf } from './sync-input.ts'
import { forgetUpload, removeUpload } from './uploads.ts'

/** A decision of an administrator about a run. */
export interface Decision {
  readonly tenantId: string
  readonly runId: string
  readonly by: EventActor
  readonly reason?: string | undefined
}

/** A run brings people in, which its connector must admit as well as the administrator (decisions.md section 6). */
export const assertMayImport = async (tx: Tx, { tenantId, connectorId }: Pick<RunRow, 'tenantId' | 'connectorId'>): Promise<void> => {
  const { rows } = await sql`
    select from connectors where tenant_id = ${tenantId} and id = ${connectorId} and (permissions & ${PERMISSIONS.importUsers}) <> 0`.execute(
    tx,
  )
  if (rows.length === 0) throw problem('PERMISSION_MISSING')
}

const lockDecided = async (tx: Tx, decision: Decision, states: readonly RunState[]): Promise<RunRow> => {
  const run = await lockRun(tx, decision)
  if (run?.kind !== SYNC_RUN) throw problem('NOT_FOUND')
  await assertMayImport(tx, run)
  if (run.input.trial && isOver(run.state)) throw problem('RUN_TRIAL')
  if (!states.includes(run.state)) throw problem('RUN_STATE_WRONG', { params: { state: run.state } })
  return run
}

const decided = ({ by, reason }: Decision, at: Date): RunPatch => ({ decidedBy: by, decidedAt: at, decisionReason: reason || null })

/** A plan that says nothing about anybody because a required column is lost: there is nothing to approve. */
const isEmptyHanded = (run: RunRow): boolean => run.held?.code === 'lostColumn' && Object.values(run.counts).every((count) => count === 0)

/** Lets the worker carry out exactly the plan. A held run takes a reason; one that could not be planned can only be rejected. */
export const applyRun = async (deps: SyncDeps, decision: Decision): Promise<RunRow> => {
  const run = await deps.db.transaction().execute(async (tx) => {
    const waiting = await lockDecided(tx, decision, ['planned', 'held'])
    if (isEmptyHanded(waiting)) throw problem('RUN_STATE_WRONG', { params: { state: waiting.state } })
    if (waiting.state === 'held' && !decision.reason) throw problem('RUN_REASON_REQUIRED')
    const at = deps.clock.now()
    const data = decision.reason ? { reason: decision.reason } : {}
    await recordEvents(tx, [runEvent(waiting, { type: 'run.approved', at, actor: decision.by, data })])
    return patchRun(tx, decision, { ...decided(decision, at), state: 'queued' })
  })
  deps.nudge()
  return run
}

const endRun = async (
  deps: SyncDeps,
  decision: Decision,
  run: { state: 'rejected' | 'cancelled'; from: readonly RunState[] },
): Promise<RunRow> => {
  const ended = await deps.db.transaction().execute(async (tx) => {
    const waiting = await lockDecided(tx, decision, run.from)
    const at = deps.clock.now()
    const data = decision.reason ? { reason: decision.reason } : {}
    // a worker that is at it ends the run itself, as soon as it sees the flag, in the name of whoever asked first
    if (waiting.cancelRequested) return waiting
    if (waiting.state === 'running') return patchRun(tx, decision, { cancelRequested: true, cancelledBy: decision.by })
    await forgetUpload(tx, { tenantId: decision.tenantId, fileId: uploadOf(waiting.input), at })
    await recordEvents(tx, [runEvent(waiting, { type: `run.${run.state}`, at, actor: decision.by, data })])
    // who had approved it stays readable
    return patchRun(tx, decision, { ...(waiting.decidedAt ? {} : decided(decision, at)), state: run.state, finishedAt: at })
  })
  if (ended.finishedAt) await removeUpload(deps.dataDir, uploadOf(ended.input))
  return ended
}

/** Throws the plan away; nothing has changed. */
export const rejectRun = (deps: SyncDeps, decision: Decision): Promise<RunRow> =>
  endRun(deps, decision, { state: 'rejected', from: ['planned', 'held'] })

/** Stops a run that is being planned or carried out; what is carried out by then stays, and can be undone. */
export const cancelRun = (deps: SyncDeps, decision: Decision): Promise<RunRow> =>
  endRun(deps, decision, { state: 'cancelled', from: ['queued', 'running'] })

/** Makes a waiting plan anew from the same source, by what has been answered meanwhile. */
export const planAgain = async (deps: SyncDeps, decision: Decision): Promise<void> => {
  await deps.db.transaction().execute(async (tx) => {
    const waiting = await lockDecided(tx, decision, ['planned', 'held'])
    await recordEvents(tx, [runEvent(waiting, { type: 'run.plannedAgain', at: deps.clock.now(), actor: decision.by })])
    await patchRun(tx, decision, { state: 'queued', held: null, counts: {}, stages: [] })
  })
  deps.nudge()
}
