import { setTimeout as sleep } from 'node:timers/promises'
import { createTextWriter, csvHeader, csvRow } from '@instep/connectors/kit/csv-writer.ts'
import type { OneRecord } from '@instep/connectors/kit/fetching-source.ts'
import { permits } from '@instep/contract/roles.ts'
import type { SyncedRecord } from '@instep/contract/source-record.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { isOver, type RunState } from '../../platform/runs/run.ts'
import { findRun, insertRun } from '../../platform/runs/run-store.ts'
import { insertFile } from './files.store.ts'
import { enabledSource } from './source-for-fetch.ts'
import { waitingStages } from './stage-clock.ts'
import type { SyncDeps } from './sync-deps.ts'
import { SYNC_RUN, type SyncInput } from './sync-input.ts'
import { ensureUploadFolder, removeUpload, uploadPath } from './uploads.ts'

/** Who asks that what a source says of single people is brought in. */
export interface BringingIn {
  readonly by: EventActor
  readonly mayImport: boolean
  readonly correlationId: string
}

/** The connector whose records they are; the signal ends the waiting. */
export interface RecordsPlace {
  readonly tenantId: string
  readonly connectorId: string
  readonly signal: AbortSignal
}

/** A record that came, under the key of its person. */
export interface KeyedRecord {
  readonly key: string
  readonly came: OneRecord
}

export type Brought = NonNullable<SyncedRecord['brought']>

export type RecordDeps = Pick<SyncDeps, 'db' | 'clock' | 'pool' | 'openSource' | 'dataDir' | 'maxFileBytes' | 'nudge'>

const POLL_MILLISECONDS = 100
/** A run over a few records takes parts of a second; who asked does not wait longer for a busy machine than this. */
const LONGEST_WAIT = 15_000

const connectorMayImport = async (tx: Tx, { tenantId, connectorId }: RecordsPlace): Promise<boolean> => {
  const { rows } = await sql<{ permissions: number }>`
    select permissions from connectors where tenant_id = ${tenantId} and id = ${connectorId}`.execute(tx)
  return permits('importUsers', rows[0]?.permissions ?? 0)
}

interface NewRun {
  readonly place: RecordsPlace
  readonly bringing: BringingIn
  readonly keys: readonly string[]
  readonly file: { readonly id: string; readonly name: string; readonly size: number }
}

/** Queues the run over a file of these records; undefined where another run of the connector is not over. */
const queue = ({ db, clock }: RecordDeps, { place, bringing, keys, file }: NewRun): Promise<string | 'refused' | undefined> =>
  db.transaction().execute(async (tx) => {
    const { tenantId, connectorId } = place
    const { by, correlationId } = bringing
    const at = clock.now()
    const source = await enabledSource(tx, place, true)
    if (source.configVersion === null || !(await connectorMayImport(tx, place))) return 'refused'
    const made = { createdBy: by, createdAt: at }
    const id = uuidv7(at.getTime())
    const input: SyncInput = {
      fileId: file.id,
      fileName: file.name,
      configVersion: source.configVersion,
      droppedColumns: [],
      only: [...keys],
    }
    const run = await insertRun(tx, { tenantId, id, kind: SYNC_RUN, connectorId, correlationId, input, stages: waitingStages(), ...made })
    if (!run) return undefined
    await insertFile(tx, { tenantId, ...file, connectorId, format: 'csv', ...made })
    const data = { runId: id, file: file.name, name: source.name }
    await recordEvents(tx, [{ tenantId, at, stream: 'directory', type: 'run.started', correlationId, actor: by, connectorId, data }])
    return id
  })

const OUTCOMES: Partial<Record<RunState, Brought['outcome']>> = { succeeded: 'applied', held: 'held', partlySucceeded: 'underWay' }

const outcomeOf = async ({ db }: RecordDeps, { tenantId, signal }: RecordsPlace, runId: string): Promise<Brought> => {
  for (let waited = 0; waited < LONGEST_WAIT; waited += POLL_MILLISECONDS) {
    signal.throwIfAborted()
    const state = (await findRun(db, { tenantId, runId }))?.state
    const outcome = state && (OUTCOMES[state] ?? (isOver(state) ? 'failed' : undefined))
    if (outcome) return { outcome, runId }
    await sleep(POLL_MILLISECONDS)
  }
  return { outcome: 'underWay', runId }
}

/** `E00001.csv`, with others `E00001 +11.csv`: no key is too long for it. */
const nameOf = (keys: readonly string[]): string =>
  `${keys[0]?.slice(0, 200).toWellFormed() ?? ''}${keys.length > 1 ? ` +${keys.length - 1}` : ''}.csv`

/**
 * Has one run over these records alone plan them, lets the guards look at it, carries it out, and waits for that. All have the same columns: where a
 * record lacks one that another has, its empty cell would clear a field that nothing was said about.
 */
export const bringRecordsIn = async (
  deps: RecordDeps,
  place: RecordsPlace,
  { bringing, records }: { bringing: BringingIn; records: readonly KeyedRecord[] },
): Promise<Brought> => {
  if (!bringing.mayImport) return { outcome: 'refused', runId: null }
  const text = [csvHeader(records[0]?.came.columns ?? []), ...records.map(({ came }) => csvRow(came.cells))].join('')
  const keys = records.map(({ key }) => key)
  const file = { id: uuidv7(deps.clock.now().getTime()), name: nameOf(keys), size: Buffer.byteLength(text) }
  await ensureUploadFolder(deps.dataDir)
  const writer = await createTextWriter(uploadPath(deps.dataDir, file.id), deps.maxFileBytes)
  await writer.write(text)
  await writer.close()
  const queued = await queue(deps, { place, bringing, keys, file }).catch(async (error: unknown) => {
    await removeUpload(deps.dataDir, file.id)
    throw error
  })
  if (queued === undefined || queued === 'refused') {
    await removeUpload(deps.dataDir, file.id)
    return { outcome: queued ?? 'otherRun', runId: null }
  }
  deps.nudge()
  return outcomeOf(deps, place, queued)
}
