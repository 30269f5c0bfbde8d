import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type pg from 'pg'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { Problem } from '../../platform/http/problem.ts'
import { isTransient } from '../../platform/runs/is-transient.ts'
import { LeaseLost, RunCancelled } from '../../platform/runs/lease.ts'
import type { RunReason, RunRow } from '../../platform/runs/run.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { findRun } from '../../platform/runs/run-store.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'
import { applyRun } from './apply-run.ts'
import { fetchForRun } from './fetch-run.ts'
import { planRun } from './plan-run.ts'
import { planUndo } from './plan-undo.ts'
import { runEvent } from './run-event.ts'
import type { SyncRunDeps } from './sync-deps.ts'
import { RunInput, uploadOf } from './sync-input.ts'
import { forgetUpload, removeUpload } from './uploads.ts'

/** Two connections of the pool; a connection on which something went wrong is closed instead of given back. */
const withClients = async (
  pool: pg.Pool,
  work: (clients: { reader: pg.PoolClient; writer: pg.PoolClient }) => Promise<void>,
): Promise<void> => {
  const reader = await pool.connect()
  const writer = await pool.connect().catch((error: unknown) => {
    reader.release()
    throw error
  })
  let failed = true
  try {
    await work({ reader, writer })
    failed = false
  } finally {
    reader.release(failed)
    writer.release(failed)
  }
}

/** Why a run cannot go on, where that is an answer and not an accident. */
const failureOf = (error: unknown): RunReason | undefined => {
  if (error instanceof ConnectorError) return { code: error.code, params: error.params }
  if (error instanceof Problem) return { code: error.code, params: {} }
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'open')
    return { code: 'FILE_GONE', params: {} }
  return undefined
}

/** What is told of a run that was stopped: by whom, and how much of it is carried out. The run as it was claimed does not know yet. */
const stopped = async (tx: Tx, run: RunRow): Promise<{ type: string; actor?: EventActor; data?: Record<string, number> }> => {
  const { cancelledBy, applied = 0 } = (await findRun(tx, { tenantId: run.tenantId, runId: run.id })) ?? {}
  const actor = cancelledBy ? { actor: cancelledBy } : {}
  return applied > 0 ? { type: 'run.stopped', data: { applied }, ...actor } : { type: 'run.cancelled', ...actor }
}

const end = async (deps: SyncRunDeps, context: RunContext, failure: RunReason | undefined): Promise<void> => {
  const { run } = context
  const at = deps.clock.now()
  const fileId = uploadOf(run.input)
  await deps.db.transaction().execute(async (tx) => {
    await forgetUpload(tx, { tenantId: run.tenantId, fileId, at })
    await recordEvents(tx, [
      failure
        ? runEvent(run, { type: 'run.failed', at, data: { code: failure.code, ...failure.params } })
        : runEvent(run, { at, ...(await stopped(tx, run)) }),
    ])
    await context.conclude(tx, { state: failure ? 'failed' : 'cancelled', failure: failure ?? null, finishedAt: at })
  })
  await removeUpload(deps.dataDir, fileId)
}

const isOthers = (error: unknown): boolean => error instanceof LeaseLost || isTransient(error)

/**
 * Carries out a sync run: plans it, and after the decision applies the plan. A source that cannot be read ends the run as failed with the
 * source's code; trouble of the database or a lost lease leaves it to whoever takes it next.
 */
export const syncHandler =
  (deps: SyncRunDeps): RunHandler =>
  async (context) => {
    const { run, signal } = context
    try {
      const input = RunInput.parse(run.input)
      if (run.decidedAt) return await applyRun({ deps, context, input })
      if ('undoes' in input) return await withClients(deps.pool, (clients) => planUndo({ deps, context, input }, clients))
      const ready = 'fetch' in input && input.fetch ? await fetchForRun({ deps, context, input, fetch: input.fetch }) : input
      if (!ready) return await removeUpload(deps.dataDir, uploadOf(input))
      // events name the file, which was not known when the run was taken
      const named = { ...context, run: { ...run, input: ready } }
      await withClients(deps.pool, (clients) => planRun({ deps, context: named, input: ready }, clients))
    } catch (thrown) {
      const error: unknown = signal.aborted ? signal.reason : thrown
      if (error instanceof RunCancelled) return end(deps, context, undefined)
      const failure = failureOf(error)
      if (signal.aborted || isOthers(error)) throw error
      if (!failure) context.log.error({ run: run.id, err: error }, 'sync run failed')
      await end(deps, context, failure ?? { code: 'INTERNAL', params: {} })
    }
  }
