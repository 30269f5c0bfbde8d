import type { Mapping } from '@instep/contract/sync.ts'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import { saveConfig } from '../connectors/public.ts'
import { assertComplete } from './assert-complete.ts'
import type { SourceConnector } from './connector-config.store.ts'
import { findFile } from './files.store.ts'
import { openUpload, type Upload } from './open-upload.ts'
import { droppedColumns, resolveMapping, sameMapping } from './resolve-mapping.ts'
import { sourceForRuns } from './source-for-runs.ts'
import { waitingStages } from './stage-clock.ts'
import type { SyncDeps } from './sync-deps.ts'
import { SYNC_RUN, type SyncInput } from './sync-input.ts'

interface NewSync extends Pick<Upload, 'encoding' | 'delimiter'> {
  readonly tenantId: string
  readonly connectorId: string
  readonly fileId: string
  /** Without one the remembered mapping is used. */
  readonly mapping: Mapping | undefined
  readonly by: EventActor
  readonly correlationId: string
}

/** Refuses a chosen mapping whose columns are not there; a remembered one that lost columns is held by the guard instead. */
const assertColumnsThere = (mapping: Mapping, header: readonly string[]): void => {
  const [column] = resolveMapping(mapping, header).lostColumns
  if (column !== undefined) throw problem('MAPPING_COLUMN_MISSING', { params: { column } })
}

/** The version of the configuration that the run uses: a new one only when the mapping says something new. */
const versionFor = async (tx: Tx, source: SourceConnector, given: NewSync & { at: Date }): Promise<number> => {
  const { tenantId, connectorId, mapping, by, correlationId, at } = given
  const { configVersion, config } = source
  if (configVersion !== null && config.mapping && (!mapping || sameMapping(config.mapping, mapping))) return configVersion
  if (!mapping) throw problem('MAPPING_ABSENT')
  const version = await saveConfig(tx, { tenantId, connectorId, change: { mapping }, by, at })
  await recordEvents(tx, [
    {
      tenantId,
      at,
      stream: 'directory',
      type: 'connector.mapping.changed',
      correlationId,
      actor: by,
      connectorId,
      data: { version, name: source.name },
    },
  ])
  return version
}

/** Queues a run that plans what the file would change. */
export const startRun = async (deps: SyncDeps, given: NewSync): Promise<RunRow> => {
  const { db, clock, dataDir } = deps
  const { tenantId, connectorId, fileId, encoding, delimiter, by, correlationId } = given
  const source = await sourceForRuns(db, given)
  const mapping = given.mapping ?? source.config.mapping
  if (!mapping) throw problem('MAPPING_ABSENT')
  assertComplete(mapping)
  const file = await findFile(db, given)
  if (!file || file.deletedAt) throw problem('FILE_GONE')
  const { header } = await openUpload({ dataDir, id: file.id, name: file.name, encoding, delimiter })
  if (given.mapping) assertColumnsThere(given.mapping, header)
  const run = await db.transaction().execute(async (tx) => {
    const at = clock.now()
    const locked = await sourceForRuns(tx, given, true)
    const configVersion = await versionFor(tx, locked, { ...given, at })
    const input: SyncInput = {
      fileId,
      fileName: file.name,
      encoding,
      delimiter,
      configVersion,
      droppedColumns: locked.config.mapping && given.mapping ? droppedColumns(locked.config.mapping, given.mapping, header) : [],
    }
    const id = uuidv7(at.getTime())
    const queued = await insertRun(tx, {
      tenantId,
      id,
      kind: SYNC_RUN,
      connectorId,
      correlationId,
      input,
      stages: waitingStages(),
      createdBy: by,
      createdAt: at,
    })
    if (!queued) throw problem('RUN_ACTIVE')
    await recordEvents(tx, [
      {
        tenantId,
        at,
        stream: 'directory',
        type: 'run.started',
        correlationId,
        actor: by,
        connectorId,
        data: { runId: id, file: file.name, name: locked.name },
      },
    ])
    return queued
  })
  deps.nudge()
  return run
}
