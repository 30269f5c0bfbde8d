import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import { isFetched } from '../connectors/public.ts'
import type { SourceConnector } from './connector-config.store.ts'
import { insertFile } from './files.store.ts'
import { enabledSource } from './source-for-fetch.ts'
import type { SourceKey } from './source-states.store.ts'
import { waitingStages } from './stage-clock.ts'
import type { SyncDeps } from './sync-deps.ts'
import { SYNC_RUN, type SyncInput } from './sync-input.ts'

interface NewFetch extends SourceKey {
  readonly source: SourceConnector
  readonly configVersion: number
  readonly fetch: NonNullable<SyncInput['fetch']>
  readonly by: EventActor
  readonly correlationId: string
  readonly at: Date
}

/** Queues a run that fetches its file, whose row is there before the file; undefined where a run of the connector is not over. */
export const queueFetch = async (tx: Tx, given: NewFetch): Promise<RunRow | undefined> => {
  const { tenantId, connectorId, source, configVersion, fetch, by, correlationId, at } = given
  const fileId = uuidv7(at.getTime())
  const id = uuidv7(at.getTime())
  const input: SyncInput = { fileId, fileName: '', configVersion, droppedColumns: [], fetch }
  const made = { createdBy: by, createdAt: at }
  const run = await insertRun(tx, { tenantId, id, kind: SYNC_RUN, connectorId, correlationId, input, stages: waitingStages(), ...made })
  if (!run) return undefined
  await insertFile(tx, { tenantId, id: fileId, connectorId, name: '', size: 0, format: 'csv', ...made })
  const data = { runId: id, name: source.name, dryRun: fetch.dryRun }
  await recordEvents(tx, [{ tenantId, at, stream: 'directory', type: 'run.fetching', correlationId, actor: by, connectorId, data }])
  return run
}

/** Starts a run by hand. Throws the problems of the endpoint. */
export const fetchNow = async (
  deps: SyncDeps,
  given: SourceKey & { dryRun: boolean; by: EventActor; correlationId: string },
): Promise<RunRow> => {
  const { tenantId, connectorId, dryRun, by, correlationId } = given
  await enabledSource(deps.db, given)
  if (!(await isFetched(deps.openSource, given))) throw problem('SOURCE_NOT_FETCHED')
  const run = await deps.db.transaction().execute(async (tx) => {
    const source = await enabledSource(tx, given, true)
    if (source.configVersion === null || !source.config.mapping) throw problem('MAPPING_ABSENT')
    const fetch = { began: 'hand', apply: 'approval', dryRun } as const
    const key = { tenantId, connectorId, by, correlationId }
    const queued = await queueFetch(tx, { ...key, source, configVersion: source.configVersion, fetch, at: deps.clock.now() })
    if (!queued) throw problem('RUN_ACTIVE')
    return queued
  })
  deps.nudge()
  return run
}
