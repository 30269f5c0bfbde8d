import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { isOver, type RunRow } from '../../platform/runs/run.ts'
import { insertRun, lockRun } from '../../platform/runs/run-store.ts'
import { assertMayImport } from './decide-run.ts'
import { UNDO_STAGES, waitingStages } from './stage-clock.ts'
import type { SyncDeps } from './sync-deps.ts'
import { SYNC_RUN, type UndoInput } from './sync-input.ts'

interface NewUndo {
  readonly tenantId: string
  /** The run that is to be taken back. */
  readonly runId: string
  readonly by: EventActor
  readonly correlationId: string
}

/**
 * Queues a run that plans how another is taken back. Its connector may be disabled: whoever has stopped a source must be able to mend what it did.
 * Throws NOT_FOUND, RUN_NOT_UNDOABLE where the run has changed nobody or is not over, RUN_ACTIVE.
 */
export const startUndo = async (deps: SyncDeps, given: NewUndo): Promise<RunRow> => {
  const { tenantId, by, correlationId } = given
  const run = await deps.db.transaction().execute(async (tx) => {
    const undone = await lockRun(tx, given)
    if (undone?.kind !== SYNC_RUN || !undone.connectorId) throw problem('NOT_FOUND')
    await assertMayImport(tx, undone)
    if (!isOver(undone.state) || undone.applied === 0) throw problem('RUN_NOT_UNDOABLE')
    const at = deps.clock.now()
    const fileName = typeof undone.input.fileName === 'string' ? undone.input.fileName : null
    const input: UndoInput = { undoes: undone.id, fileName }
    const id = uuidv7(at.getTime())
    const { connectorId } = undone
    const stages = waitingStages(UNDO_STAGES)
    const queued = await insertRun(tx, {
      tenantId,
      id,
      kind: SYNC_RUN,
      connectorId,
      correlationId,
      input: { ...input },
      stages,
      createdBy: by,
      createdAt: at,
    })
    if (!queued) throw problem('RUN_ACTIVE')
    const { rows } = await sql<{ name: string }>`select name from connectors where tenant_id = ${tenantId} and id = ${connectorId}`.execute(
      tx,
    )
    const data = { runId: id, undoes: undone.id, file: fileName ?? '', name: rows[0]?.name ?? '' }
    await recordEvents(tx, [{ tenantId, at, stream: 'directory', type: 'run.undo.started', correlationId, actor: by, connectorId, data }])
    return queued
  })
  deps.nudge()
  return run
}
