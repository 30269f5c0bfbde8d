import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import { configuredSource } from './change-config.ts'
import { findVersion } from './config-versions.views.ts'
import { TRIAL_STAGES, waitingStages } from './stage-clock.ts'
import { newestStaged } from './staged.store.ts'
import type { SyncDeps } from './sync-deps.ts'
import { SYNC_RUN, type TrialInput } from './sync-input.ts'

interface NewTrial {
  readonly tenantId: string
  readonly connectorId: string
  readonly version: number
  readonly by: EventActor
  readonly correlationId: string
}

type LastRead = Pick<TrialInput, 'from' | 'fileName'>

/** What was read last: an upload that no run has read, where it is newer than what the newest finished run has staged. */
const lastRead = async (tx: Tx, { tenantId, connectorId }: NewTrial): Promise<LastRead> => {
  const { rows } = await sql<{ id: string; name: string; createdAt: Date }>`
    select id, name, created_at as "createdAt" from files
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and deleted_at is null order by id desc limit 1`.execute(tx)
  const [file] = rows
  const staged = await newestStaged(tx, { tenantId, connectorId })
  if (file && (!staged || file.createdAt > staged.createdAt)) return { from: { fileId: file.id }, fileName: file.name }
  if (!staged) throw problem('FILE_GONE')
  return { from: { stagedBy: staged.runId }, fileName: staged.fileName }
}

/**
 * Queues a run that plans what a version of the configuration would make of what was read last. Throws NOT_FOUND, CONNECTOR_KIND_WRONG,
 * MAPPING_ABSENT, FILE_GONE where nothing that was read is kept, RUN_ACTIVE.
 */
export const startTrial = async (deps: SyncDeps, trial: NewTrial): Promise<RunRow> => {
  const { tenantId, connectorId, version, by, correlationId } = trial
  const run = await deps.db.transaction().execute(async (tx) => {
    const { name } = await configuredSource(tx, trial, true)
    const tried = await findVersion(tx, trial)
    if (!tried) throw problem('NOT_FOUND')
    if (!tried.config.mapping) throw problem('MAPPING_ABSENT')
    const at = deps.clock.now()
    const input: TrialInput = { trial: true, configVersion: version, ...(await lastRead(tx, trial)) }
    const id = uuidv7(at.getTime())
    const stages = waitingStages(TRIAL_STAGES)
    const row = { tenantId, id, kind: SYNC_RUN, connectorId, correlationId, input: { ...input }, stages, createdBy: by, createdAt: at }
    const queued = await insertRun(tx, row)
    if (!queued) throw problem('RUN_ACTIVE')
    const data = { runId: id, version, file: input.fileName ?? '', name }
    await recordEvents(tx, [{ tenantId, at, stream: 'directory', type: 'run.trial.started', correlationId, actor: by, connectorId, data }])
    return queued
  })
  deps.nudge()
  return run
}
