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
import { type AskedPerson, readSourceRecord } from './read-source-record.ts'
import { enabledSource } from './source-for-fetch.ts'
import { waitingStages } from './stage-clock.ts'
import type { SyncDeps } from './sync-deps.ts'
import { SYNC_RUN, type SyncInput } from './sync-input.ts'
import { ensureUploadFolder, removeUpload, uploadPath } from './uploads.ts'

export interface AskedSync extends AskedPerson {
  /** Absent: the record is only looked at. */
  readonly bringIn?: { readonly by: EventActor; readonly mayImport: boolean; readonly correlationId: string } | undefined
}

type Bringing = NonNullable<AskedSync['bringIn']>
type Brought = NonNullable<SyncedRecord['brought']>

/** What a run would carry out; a conflict or an invalid record waits for a person as it is. */
const CHANGES: ReadonlySet<string> = new Set(['update', 'deactivate', 'reactivate', 'future', 'leave'])

const POLL_MILLISECONDS = 100
/** A run over one record takes parts of a second; who asked does not wait longer for a busy machine than this. */
const LONGEST_WAIT = 15_000

const connectorMayImport = async (tx: Tx, { tenantId, connectorId }: AskedPerson): Promise<boolean> => {
  const { rows } = await sql<{ permissions: number }>`
    select permissions from connectors where tenant_id = ${tenantId} and id = ${connectorId}`.execute(tx)
  return permits('importUsers', rows[0]?.permissions ?? 0)
}

interface OneRun {
  readonly asked: AskedPerson
  readonly bringing: Bringing
  readonly key: string
  readonly file: { readonly id: string; readonly name: string; readonly size: number }
}

/** Queues the run over a file of one record; undefined where another run of the connector is not over. */
const queue = ({ db, clock }: SyncDeps, { asked, bringing, key, file }: OneRun): Promise<string | 'refused' | undefined> =>
  db.transaction().execute(async (tx) => {
    const { tenantId, connectorId } = asked
    const { by, correlationId } = bringing
    const at = clock.now()
    const source = await enabledSource(tx, asked, true)
    if (source.configVersion === null || !(await connectorMayImport(tx, asked))) return 'refused'
    const made = { createdBy: by, createdAt: at }
    const id = uuidv7(at.getTime())
    const input: SyncInput = { fileId: file.id, fileName: file.name, configVersion: source.configVersion, droppedColumns: [], only: key }
    const run = await insertRun(tx, { tenantId, id, kind: SYNC_RUN, connectorId, correlationId, input, stages: waitingStages(), ...made })
    if (!run) return undefined
    await insertFile(tx, { tenantId, ...file, connectorId, format: 'csv', ...made })
    const data = { runId: id, file: file.name, name: source.name }
    await recordEvents(tx, [{ tenantId, at, stream: 'directory', type: 'run.started', correlationId, actor: by, connectorId, data }])
    return id
  })

const OUTCOMES: Partial<Record<RunState, Brought['outcome']>> = { succeeded: 'applied', held: 'held', partlySucceeded: 'underWay' }

const outcomeOf = async ({ db }: SyncDeps, { tenantId, signal }: AskedPerson, runId: string): Promise<Brought> => {
  for (let waited = 0; waited < LONGEST_WAIT; waited += POLL_MILLISECONDS) {
    signal.throwIfAborted()
    const state = (await findRun(db, { tenantId, runId }))?.state
    const outcome = state && (OUTCOMES[state] ?? (isOver(state) ? 'failed' : undefined))
    if (outcome) return { outcome, runId }
    await sleep(POLL_MILLISECONDS)
  }
  return { outcome: 'underWay', runId }
}

const bringIn = async (
  deps: SyncDeps,
  { asked, bringing, key, came }: Pick<OneRun, 'asked' | 'bringing' | 'key'> & { came: OneRecord },
): Promise<Brought> => {
  if (!bringing.mayImport) return { outcome: 'refused', runId: null }
  const text = `${csvHeader(came.columns)}${csvRow(came.cells)}`
  const file = { id: uuidv7(deps.clock.now().getTime()), name: `${key.slice(0, 200).toWellFormed()}.csv`, size: Buffer.byteLength(text) }
  await ensureUploadFolder(deps.dataDir)
  const writer = await createTextWriter(uploadPath(deps.dataDir, file.id), deps.maxFileBytes)
  await writer.write(text)
  await writer.close()
  const queued = await queue(deps, { asked, bringing, key, file }).catch(async (error: unknown) => {
    await removeUpload(deps.dataDir, file.id)
    throw error
  })
  if (queued === undefined || queued === 'refused') {
    await removeUpload(deps.dataDir, file.id)
    return { outcome: queued ?? 'otherRun', runId: null }
  }
  deps.nudge()
  return outcomeOf(deps, asked, queued)
}

/**
 * The first steps of a sync by hand: reads the record, and where the directory would change by it, has a run over this record alone plan it, lets the
 * guards look at it, and carries it out. Whoever is not in the source now is left to a run over everybody. Throws as `readSourceRecord` does.
 */
export const syncRecord = async (deps: SyncDeps, asked: AskedSync): Promise<SyncedRecord> => {
  const { record, came } = await readSourceRecord(deps, asked)
  const { key, told } = record
  const changes = told !== null && CHANGES.has(told.decision.kind) && told.match.person?.id === asked.userId
  if (!asked.bringIn || !came || key === null || !changes) return { ...record, brought: null }
  return { ...record, brought: await bringIn(deps, { asked, bringing: asked.bringIn, key, came }) }
}
