import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openFileSource } from '@instep/connectors/file/file-source.ts'
import type { FetchingSource } from '@instep/connectors/kit/fetching-source.ts'
import type { Mapping, PlanRow, Run } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import type { EventActor } from '../../../platform/audit/record-event.ts'
import type { Clock } from '../../../platform/clock.ts'
import { createSecrets } from '../../../platform/crypto/secrets.ts'
import { uuidv7 } from '../../../platform/ids.ts'
import { silentLog } from '../../../platform/log.ts'
import type { RunState } from '../../../platform/runs/run.ts'
import { createRunWorker, type RunHandler } from '../../../platform/runs/run-worker.ts'
import { watch } from '../../../platform/runs/watch.ts'
import { type TestDatabase, testDatabase } from '../../../testing/database.ts'
import { openSource } from '../../connectors/public.ts'
import { applyRun } from '../decide-run.ts'
import { insertFile } from '../files.store.ts'
import { listPlanRows } from '../plan.views.ts'
import { sightOfRun } from '../runs.views.ts'
import { startRun } from '../start-run.ts'
import type { SyncDeps } from '../sync-deps.ts'
import { syncHandler } from '../sync-run.ts'
import { ensureUploadFolder, uploadPath } from '../uploads.ts'

/** A file as a table of text; the first row is the header. */
export type Table = readonly (readonly string[])[]

export const ADMIN: EventActor = { kind: 'admin', id: null, name: 'Tadeo Tenant' }
export const HEADER = ['id', 'first', 'last', 'mail', 'start', 'store'] as const

export const MAPPING: Mapping = {
  fields: {
    externalId: { column: 'id' },
    givenName: { column: 'first' },
    familyName: { column: 'last' },
    workEmail: { column: 'mail' },
    startDate: { column: 'start', dateFormat: 'DMY' },
    locationName: { column: 'store' },
  },
}

/** A row of the file for somebody. */
export const person = (
  id: string,
  change: { first?: string; last?: string; mail?: string; start?: string; store?: string } = {},
): string[] => {
  const {
    first = 'Ada',
    last = `Byron ${id}`,
    mail = `${id.trim() || 'nobody'}@example.com`,
    start = '01/02/2024',
    store = 'North',
  } = change
  return [id, first, last, mail, start, store]
}

/** People `first` to `last`, both included. */
export const people = (first: number, last: number): string[][] =>
  Array.from({ length: last - first + 1 }, (_, index) => person(`E${String(first + index).padStart(5, '0')}`))

export interface SyncWorld {
  readonly database: TestDatabase
  readonly deps: SyncDeps
  readonly tenantId: string
  readonly connectorId: string
  readonly otherConnectorId: string
  readonly targetId: string
  /** Sets the clock that the use cases and runs see. */
  setTime(at: Date): void
  /** Stores a file as an upload would. */
  store(content: Table | string | Buffer): Promise<string>
  /** Starts a run over a file and waits until it is planned, held or over. */
  plan(content: Table | string | Buffer, mapping?: Mapping): Promise<Run>
  /** Starts a run and does not wait. */
  start(fileId: string, mapping?: Mapping): Promise<string>
  apply(run: Pick<Run, 'id'>, reason?: string): Promise<Run>
  /** Plans and applies, with a reason where it is held. */
  sync(content: Table | string | Buffer, mapping?: Mapping): Promise<Run>
  until(runId: string, states: readonly RunState[]): Promise<Run>
  rows(run: Pick<Run, 'id'>): Promise<PlanRow[]>
  /** People of the connector by external id. */
  people(): Promise<Map<string, PersonRow>>
  files(): string[]
  close(): Promise<void>
}

export interface PersonRow {
  readonly id: string
  readonly external_id: string
  readonly given_name: string
  readonly family_name: string
  readonly display_name: string
  readonly work_email: string | null
  readonly start_date: string | null
  readonly location_name: string | null
  readonly site_id: string | null
  readonly active: boolean
  readonly deactivated_at: Date | null
  readonly version: number
  readonly base: Record<string, unknown>
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
export const csvOf = (table: Table): string => table.map((row) => `${row.map(cell).join(',')}\n`).join('')
const bytesOf = (content: Table | string | Buffer): string | Buffer =>
  typeof content === 'string' || Buffer.isBuffer(content) ? content : csvOf([HEADER, ...content])

const SETTLED = ['planned', 'held', 'failed', 'cancelled'] as const
const OVER = ['succeeded', 'partlySucceeded', 'failed'] as const

const seed = async ({ db }: TestDatabase, ids: { tenantId: string; connectorId: string; otherConnectorId: string; targetId: string }) => {
  const { tenantId, connectorId, otherConnectorId, targetId } = ids
  await sql`insert into tenants (id, name) values (${tenantId}, ${tenantId})`.execute(db)
  await sql`insert into sites (tenant_id, id, name) values (${tenantId}, ${uuidv7()}, 'North'), (${tenantId}, ${uuidv7()}, 'South')`.execute(
    db,
  )
  await sql`
    insert into connectors (tenant_id, id, name, definition_id, kind, ingestion_type) values
      (${tenantId}, ${connectorId}, 'HR', 'file', 'source', 'file'),
      (${tenantId}, ${otherConnectorId}, 'Contractors', 'manual', 'source', 'manual'),
      (${tenantId}, ${targetId}, 'Workplace', 'scim', 'target', 'target')`.execute(db)
}

type Ids = Pick<SyncWorld, 'tenantId' | 'connectorId' | 'otherConnectorId' | 'targetId'>

const storing =
  ({ db, clock, dataDir }: SyncDeps, { tenantId, connectorId }: Ids): SyncWorld['store'] =>
  async (content) => {
    const id = uuidv7()
    const bytes = bytesOf(content)
    writeFileSync(uploadPath(dataDir, id), bytes)
    const format = 'csv' as const
    const file = { tenantId, id, connectorId, name: 'people.csv', size: bytes.length, format, createdAt: clock.now(), createdBy: ADMIN }
    await db.transaction().execute((tx) => insertFile(tx, file))
    return id
  }

const waiting =
  ({ db }: SyncDeps, { tenantId }: Ids): SyncWorld['until'] =>
  async (runId, states) => {
    const look = async () => {
      const sight = await sightOfRun(db, { tenantId, runId })
      if (!sight) throw new Error('no such run')
      return { ...sight, over: sight.value.finishedAt !== null }
    }
    for await (const run of watch(look, { signal: AbortSignal.timeout(20_000), pollMilliseconds: 5 }))
      if (states.includes(run.state)) return run
    throw new Error(`the run never was ${states.join(' or ')}`)
  }

const readPeople =
  ({ db }: SyncDeps, { tenantId, connectorId }: Ids): SyncWorld['people'] =>
  async () => {
    const { rows } = await sql<PersonRow>`
      select id, external_id, given_name, family_name, display_name, work_email, start_date, location_name, site_id, active, deactivated_at,
        version, base
      from users where tenant_id = ${tenantId} and connector_id = ${connectorId}`.execute(db)
    return new Map(rows.map((row) => [row.external_id, row]))
  }

export interface WorldOptions {
  readonly wrap?: (handler: RunHandler) => RunHandler
  /** Rows of a plan that are carried out in one transaction. */
  readonly chunk?: number
  /** Below which watched folders lie. */
  readonly folderRoot?: string
  /** What the source is instead of files. */
  readonly source?: () => FetchingSource
}

/** Sources as the application opens them. */
const openingSources = (db: TestDatabase['db'], { folderRoot, source }: WorldOptions) => {
  const standard = { folderRoot, allowPrivate: true, stableSeconds: 0 }
  return openSource({
    db,
    secrets: createSecrets(Buffer.alloc(32, 7)),
    factories: {
      file: (settings, { hostKey }) => source?.() ?? openFileSource(settings, { ...standard, hostKey }),
    },
  })
}

/** A tenant with a file source, another source and a target, and a worker that carries out its runs; on a database of its own. */
export const syncWorld = async (options: WorldOptions = {}): Promise<SyncWorld> => {
  const database = await testDatabase()
  const { db, pool } = database
  const dataDir = mkdtempSync(path.join(tmpdir(), 'instep-sync-'))
  await ensureUploadFolder(dataDir)
  const ids: Ids = { tenantId: uuidv7(), connectorId: uuidv7(), otherConnectorId: uuidv7(), targetId: uuidv7() }
  const { tenantId, connectorId } = ids
  await seed(database, ids)
  let now: Date | undefined
  const clock: Clock = { now: () => now ?? new Date() }
  const fetching = { openSource: openingSources(db, options), maxFileBytes: 1_000_000 }
  const { chunk, wrap } = options
  const handler = syncHandler({ db, pool, clock, dataDir, ...fetching, ...(chunk && { chunk }) })
  const worker = createRunWorker({
    db,
    clock,
    log: silentLog,
    handlers: { sync: wrap?.(handler) ?? handler },
    pollMilliseconds: 25,
  })
  const deps = { db, pool, clock, dataDir, ...fetching, nudge: worker.nudge } as SyncDeps
  worker.start()

  const until = waiting(deps, ids)
  const store = storing(deps, ids)
  const start: SyncWorld['start'] = async (fileId, mapping) => {
    const chosen = { fileId, mapping, encoding: undefined, delimiter: undefined }
    return (await startRun(deps, { tenantId, connectorId, ...chosen, by: ADMIN, correlationId: uuidv7() })).id
  }
  const plan: SyncWorld['plan'] = async (content, mapping = MAPPING) => until(await start(await store(content), mapping), SETTLED)
  const apply: SyncWorld['apply'] = async ({ id }, reason) => {
    await applyRun(deps, { tenantId, runId: id, by: ADMIN, reason })
    return until(id, OVER)
  }
  return {
    ...ids,
    database,
    deps,
    until,
    store,
    start,
    plan,
    apply,
    setTime: (at) => {
      now = at
    },
    sync: async (content, mapping) => apply(await plan(content, mapping), 'as it should be'),
    rows: ({ id }) => listPlanRows(db, { tenantId, runId: id, after: 0, limit: 10_000 }),
    people: readPeople(deps, ids),
    files: () => (existsSync(path.join(dataDir, 'files')) ? readdirSync(path.join(dataDir, 'files')) : []),
    close: async () => {
      await worker.stop()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
