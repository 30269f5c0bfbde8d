import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import { runActor, runEvent } from './run-event.ts'
import { waitingStages } from './stage-clock.ts'
import type { RunInput, SyncInput } from './sync-input.ts'

/** Whether rows that a run left alone, because their people had changed, can be planned again: an undo that is asked for again does so itself. */
export const isPlannedAgain = (input: RunInput, stale: number): input is SyncInput => stale > 0 && 'fileId' in input

/**
 * Queues a run over the file of one that is over and left rows alone: everything else is in step by now, so that its plan is those rows as they would be
 * today. In the transaction that ends the other, whose file it takes over.
 */
export const planRest = async (tx: Tx, run: RunRow, { input, stale, at }: { input: SyncInput; stale: number; at: Date }): Promise<void> => {
  const { tenantId, connectorId, correlationId, kind } = run
  const rest: SyncInput = { ...input, droppedColumns: [], follows: run.id }
  const id = uuidv7(at.getTime())
  const made = { createdBy: run.decidedBy ?? run.createdBy, createdAt: at }
  const queued = await insertRun(tx, {
    tenantId,
    id,
    kind,
    connectorId,
    correlationId,
    input: { ...rest },
    stages: waitingStages(),
    ...made,
  })
  if (!queued) throw new Error(`run ${run.id} cannot be followed`)
  await recordEvents(tx, [
    runEvent(queued, { type: 'run.rest.started', at, actor: runActor(run), data: { follows: run.id, count: stale } }),
  ])
}
