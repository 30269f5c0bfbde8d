import type { HeldReason } from '@instep/contract/run-findings.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { tellAdmins } from '../messaging/public.ts'
import { findSource } from './connector-config.store.ts'
import type { PlanCounts } from './plan-row.ts'

/** Tells administrators by mail that a run waits for them, why, and what it would do; nothing of a run that is not held. */
export const tellHeld = async (
  tx: Tx,
  { tenantId, id: runId, connectorId, correlationId, input }: RunRow,
  { counts, held: [held, ...others], at }: { counts: PlanCounts; held: readonly HeldReason[]; at: Date },
): Promise<void> => {
  if (!held || !connectorId) return
  const connector = (await findSource(tx, { tenantId, connectorId }))?.name ?? ''
  const file = typeof input.fileName === 'string' && input.fileName ? input.fileName : connector
  const params = { runId, connector, file, held, others: others.length, counts }
  await tellAdmins(tx, { tenantId, template: 'heldRun', params, occasion: runId, correlationId, at })
}
