import { randomBytes } from 'node:crypto'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import { insertCheck } from './conformance.store.ts'
import type { ConnectorKey } from './connectors.store.ts'
import { CONFORMANCE_RUN } from './run-conformance.ts'
import { lockScimTarget } from './scim-connector.ts'

/** Names a throw-away account so that whoever finds it knows what it is; no mail can reach it (RFC 6761 section 6.4). */
const throwAwayName = (): string => `instep-check-${randomBytes(6).toString('hex')}@instep-check.invalid`

/** Queues a try of a SCIM target. Throws NOT_FOUND, CONNECTOR_KIND_WRONG, PERMISSION_MISSING, RUN_ACTIVE. */
export const startConformance = async (
  tx: Tx,
  { tenantId, id, by, at, correlationId }: ConnectorKey & { by: EventActor; at: Date; correlationId: string },
): Promise<void> => {
  const target = await lockScimTarget(tx, { tenantId, id })
  const runId = uuidv7(at.getTime())
  const run = await insertRun(tx, {
    tenantId,
    id: runId,
    kind: CONFORMANCE_RUN,
    connectorId: id,
    correlationId,
    input: {},
    stages: [],
    createdBy: by,
    createdAt: at,
  })
  if (!run) throw problem('RUN_ACTIVE')
  const userName = throwAwayName()
  await insertCheck(tx, { tenantId, runId, targetId: id, userName })
  const data = { name: target.name, userName }
  const of = { tenantId, at, stream: 'directory', correlationId, actor: by, subjectId: id, connectorId: id } as const
  await recordEvents(tx, [{ ...of, type: 'connector.conformance.started', data }])
}
