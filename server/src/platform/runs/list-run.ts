import { type NewEvent, recordEvents } from '../audit/record-event.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { isTransient } from './is-transient.ts'
import { LeaseLost, RunCancelled } from './lease.ts'
import type { RunPatch, RunReason, RunRow } from './run.ts'
import type { RunContext } from './run-context.ts'
import { findRun } from './run-store.ts'
import type { RunHandler } from './run-worker.ts'

/** What came of a run: its last counts, and what its events tell. */
export interface ListRunResult {
  readonly patch: RunPatch
  readonly event: Pick<NewEvent, 'type' | 'data'>
}

interface ListRunDeps {
  readonly db: Db
  readonly clock: Clock
  /** Carries the run out. */
  readonly work: (context: RunContext) => Promise<ListRunResult>
  /** Takes away what a run that did not come to its end has left. */
  readonly discard: (run: RunRow) => Promise<void>
}

/** An event of a run over a list, in the directory's stream and under the run's correlation id. */
export const listRunEvent = (run: RunRow, at: Date, event: Pick<NewEvent, 'type' | 'data'> & { actor?: NewEvent['actor'] }): NewEvent => ({
  tenantId: run.tenantId,
  at,
  stream: 'directory',
  correlationId: run.correlationId,
  actor: event.actor ?? run.createdBy,
  subjectId: run.id,
  type: event.type,
  data: { runId: run.id, ...event.data },
})

/** A handler for runs over lists: ends them as succeeded, cancelled or failed, each with one event; a lost lease leaves them to the next worker. */
export const listRunHandler =
  ({ db, clock, work, discard }: ListRunDeps): RunHandler =>
  async (context) => {
    const { run, signal } = context
    const end = (patch: RunPatch, event: Pick<NewEvent, 'type' | 'data'> & { actor?: NewEvent['actor'] }) =>
      db.transaction().execute(async (tx) => {
        const at = clock.now()
        await recordEvents(tx, [listRunEvent(run, at, event)])
        await context.conclude(tx, { ...patch, finishedAt: at })
      })
    try {
      const { patch, event } = await work(context)
      await end({ state: 'succeeded', ...patch }, event)
    } catch (thrown) {
      const error: unknown = signal.aborted ? signal.reason : thrown
      if (error instanceof RunCancelled) {
        const decidedBy = (await findRun(db, { tenantId: run.tenantId, runId: run.id }))?.decidedBy
        await end({ state: 'cancelled' }, { type: 'listRun.cancelled', ...(decidedBy && { actor: decidedBy }) })
        return discard(run)
      }
      if (signal.aborted || error instanceof LeaseLost || isTransient(error)) throw error
      context.log.error({ run: run.id, err: error }, 'run over a list failed')
      const failure: RunReason = { code: 'INTERNAL', params: {} }
      await end({ state: 'failed', failure }, { type: 'listRun.failed', data: { code: failure.code } })
      await discard(run)
    }
  }
