import type { EventActor, NewEvent } from '../../platform/audit/record-event.ts'
import type { RunRow } from '../../platform/runs/run.ts'

/** The run itself as the one who does something. */
export const runActor = (run: Pick<RunRow, 'id' | 'createdBy'>): EventActor => ({ kind: 'run', id: run.id, name: run.createdBy.name })

/** An event about a run, in the directory's stream and under the run's correlation id. */
export const runEvent = (
  run: RunRow,
  event: Pick<NewEvent, 'type' | 'at'> & { actor?: EventActor; data?: NewEvent['data'] },
): NewEvent => ({
  tenantId: run.tenantId,
  at: event.at,
  stream: 'directory',
  type: event.type,
  correlationId: run.correlationId,
  actor: event.actor ?? runActor(run),
  connectorId: run.connectorId ?? undefined,
  data: {
    runId: run.id,
    file: String(run.input.fileName ?? ''),
    ...(typeof run.input.undoes === 'string' ? { undoes: run.input.undoes } : {}),
    ...event.data,
  },
})
