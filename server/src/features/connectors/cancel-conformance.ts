import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { isOver } from '../../platform/runs/run.ts'
import { lockRun, patchRun } from '../../platform/runs/run-store.ts'
import { lastCheck } from './conformance.store.ts'
import type { ConnectorKey } from './connectors.store.ts'
import { lockScimTarget } from './scim-connector.ts'

/**
 * Ends the try of a target that is under way: a worker that is at it removes the throw-away account and ends the run itself. Throws NOT_FOUND,
 * CONNECTOR_KIND_WRONG, PERMISSION_MISSING, and RUN_STATE_WRONG when the last try is over.
 */
export const cancelConformance = async (
  tx: Tx,
  { tenantId, id, by, at, correlationId }: ConnectorKey & { by: EventActor; at: Date; correlationId: string },
): Promise<void> => {
  const { name } = await lockScimTarget(tx, { tenantId, id })
  const last = await lastCheck(tx, { tenantId, targetId: id })
  if (!last) throw problem('NOT_FOUND')
  const key = { tenantId, runId: last.id }
  const run = await lockRun(tx, key)
  if (!run || isOver(run.state)) throw problem('RUN_STATE_WRONG', { params: { state: run?.state ?? last.state } })
  if (run.cancelRequested) return
  if (run.state === 'running') {
    await patchRun(tx, key, { cancelRequested: true, decidedBy: by })
    return
  }
  const of = { tenantId, at, stream: 'directory', correlationId, actor: by, subjectId: id, connectorId: id } as const
  await recordEvents(tx, [{ ...of, type: 'connector.conformance.cancelled', data: { name, left: 0 } }])
  await patchRun(tx, key, { state: 'cancelled', decidedBy: by, decidedAt: at, finishedAt: at })
}
