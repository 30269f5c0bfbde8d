import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Matching } from '@instep/contract/matching.ts'
import { sql } from 'kysely'
import type { Clock } from '../../../../platform/clock.ts'
import type { Database } from '../../../../platform/db/database.ts'
import { uuidv7 } from '../../../../platform/ids.ts'
import { silentLog } from '../../../../platform/log.ts'
import { claimRun, LeaseLost } from '../../../../platform/runs/lease.ts'
import type { RunRow } from '../../../../platform/runs/run.ts'
import { openRunContext, type RunContext } from '../../../../platform/runs/run-context.ts'
import { findRun } from '../../../../platform/runs/run-store.ts'
import type { RunHandler } from '../../../../platform/runs/run-worker.ts'
import { lapseOverrides } from '../../../overrides/public.ts'
import { movePeople } from '../../../users/public.ts'
import { updateUser } from '../../../users/update-user.ts'
import { actOnDatesOf } from '../../act-on-dates.ts'
import { answerCase } from '../../answer-case.ts'
import { updatePlacement } from '../../change-placement.ts'
import { allowDates } from '../../date-holds.ts'
import { applyRun, cancelRun, rejectRun } from '../../decide-run.ts'
import { insertFile } from '../../files.store.ts'
import { updateGrace } from '../../grace-period.ts'
import { updateMatching } from '../../matching-config.ts'
import { setSchedule } from '../../set-schedule.ts'
import { startRun } from '../../start-run.ts'
import { startUndo } from '../../start-undo.ts'
import type { SyncDeps } from '../../sync-deps.ts'
import { syncHandler } from '../../sync-run.ts'
import { ensureUploadFolder, uploadPath } from '../../uploads.ts'
import type { LookupKey } from './directory.ts'
import { mappingOf, type Reading } from './hr.ts'
import { CODES, type RuleSet, rulesOf } from './placement.ts'
import type { Site } from './sites.ts'

/** Where a worker dies: at its n-th word of progress, or around its n-th commit of work (in whose transaction both lie). */
export interface Crash {
  readonly at: 'progress' | 'beforeCommit' | 'inCommit' | 'applied'
  readonly after: number
}

/** What comes between a worker and its run: a death, or an administrator who cancels. */
export type Interference = { readonly crash: Crash } | { readonly cancels: true } | undefined

const BY = { kind: 'admin' as const, id: null, name: 'Model' }

const KEYS: Record<LookupKey, Matching['keys'][number]> = {
  ExternalId: { kind: 'ExternalId', comparison: 'exact' },
  EmployeeId: { kind: 'EmployeeId', comparison: 'exact' },
  'EmployeeId normalised': { kind: 'EmployeeId', comparison: 'normalised' },
}

/** The product with a tenant of its own, as the model drives it: every call returns when its work is done. */
export interface ModelWorld {
  readonly database: Database
  readonly tenantId: string
  readonly connectorId: string
  /** Where uploads lie. */
  readonly dataDir: string
  setTime(now: number): void
  /** Starts a run over a file; undefined where the file is refused. */
  start(text: string, reading: Reading): Promise<string | undefined>
  startUndo(runId: string): Promise<string>
  /** The run that plans again what another left alone. */
  follower(runId: string): Promise<string>
  /** Has the source fetched at six o'clock every day. */
  fetchDaily(): Promise<void>
  /** Carries a run out until it waits or is over, through deaths and cancellations. */
  work(runId: string, interference?: Interference): Promise<RunRow>
  approve(runId: string): Promise<void>
  reject(runId: string): Promise<void>
  match(keys: readonly LookupKey[]): Promise<void>
  place(rules: RuleSet): Promise<void>
  /** How long leavers are kept, in days. */
  keep(days: number): Promise<void>
  /** What a plan says of a place by its id, said by its name. */
  named(change: Readonly<Record<string, unknown>>): Record<string, unknown>
  answer(sourceKey: string, decision: 'create' | 'ignore'): Promise<void>
  edit(userId: string, input: Record<string, unknown>): Promise<void>
  move(from: Site, to: Site): Promise<void>
  /** Lets dates act and overrides lapse; answers whether end dates are held. */
  passTime(): Promise<boolean>
  allowDates(): Promise<void>
  close(): void
}

interface Ids {
  readonly tenantId: string
  readonly connectorId: string
  readonly sites: Readonly<Record<'North' | 'South', string>>
}

const seed = async ({ db }: Database): Promise<Ids> => {
  const ids = { tenantId: uuidv7(), connectorId: uuidv7(), sites: { North: uuidv7(), South: uuidv7() } }
  const { tenantId, connectorId, sites } = ids
  await sql`insert into tenants (id, name, time_zone) values (${tenantId}, ${tenantId}, 'UTC')`.execute(db)
  await sql`
    insert into sites (tenant_id, id, name, time_zone, external_code) values
      (${tenantId}, ${sites.North}, 'North', 'UTC', ${CODES.North}), (${tenantId}, ${sites.South}, 'South', 'Etc/GMT-13', ${CODES.South})`.execute(
    db,
  )
  await sql`
    insert into connectors (tenant_id, id, name, definition_id, kind, ingestion_type) values
      (${tenantId}, ${connectorId}, 'HR', 'file', 'source', 'file'),
      (${tenantId}, ${uuidv7()}, 'Workplace', 'scim', 'target', 'target')`.execute(db)
  return ids
}

/** A context whose worker dies, as one that has lost its lease does. */
const disturbed = (context: RunContext, interference: Interference): RunContext => {
  if (!interference || 'cancels' in interference) return context
  const { at } = interference.crash
  let left = interference.crash.after
  const dieAt = (place: Crash['at']) => {
    if (place !== at) return
    if (left === 0) throw new LeaseLost(context.run.id)
    left -= 1
  }
  return {
    ...context,
    progress: (patch) => {
      dieAt('progress')
      context.progress(patch)
    },
    commit: async (tx, patch) => {
      dieAt('beforeCommit')
      await context.commit(tx, patch)
      dieAt('inCommit')
    },
  }
}

interface Working {
  readonly deps: SyncDeps
  readonly handler: (onApplied: () => void) => RunHandler
  readonly tenantId: string
}

const isDeath = (error: unknown): boolean => {
  if (error instanceof LeaseLost) return true
  throw error
}

const isWaiting = ({ state }: RunRow): boolean => state !== 'queued' && state !== 'running'

const workOn =
  ({ deps, handler, tenantId }: Working): ModelWorld['work'] =>
  async (runId, interference) => {
    const { db } = deps
    let disturbance = interference
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const now = await findRun(db, { tenantId, runId })
      if (!now || isWaiting(now)) break
      const owner = randomUUID()
      const run = await claimRun(db, { owner, kinds: ['sync'], at: deps.clock.now() })
      if (!run) throw new Error('there is no run to be taken')
      const context = openRunContext({ db, log: silentLog, run, owner })
      const onApplied = () => {
        if (disturbance && 'crash' in disturbance && disturbance.crash.at === 'applied') throw new LeaseLost(runId)
      }
      if (disturbance && 'cancels' in disturbance) await cancelRun(deps, { tenantId, runId, by: BY })
      const died = await handler(onApplied)(disturbed(context, disturbance)).then(() => false, isDeath)
      await context.close()
      // the one that takes over comes when the lease of the dead one has ended
      if (died) await sql`update runs set leased_until = now() - interval '1 second' where id = ${runId} and state = 'running'`.execute(db)
      disturbance = undefined
    }
    const ended = await findRun(db, { tenantId, runId })
    if (!ended || !isWaiting(ended)) throw new Error(`the run is ${ended?.state} for ever`)
    return ended
  }

const ADMIN = {
  id: uuidv7(),
  name: 'Model',
  email: 'm@x.example',
  roles: ['admin.tenant' as const],
  permissions: 1023,
  sites: 'all' as const,
}

const editing =
  (deps: SyncDeps, { tenantId, connectorId }: Ids): ModelWorld['edit'] =>
  async (id, input) => {
    const definitionOf = () => ({ kind: 'source', supportedOperations: ['update'] }) as never
    const manualConnector = () => Promise.reject(new Error('nobody is created here'))
    await updateUser(
      { db: deps.db, definitionOf, manualConnector },
      {
        key: { tenantId, connectorId, sites: 'all', id },
        input: input as never,
        ifMatch: { given: false, versions: 'any' },
        change: { actor: { ...ADMIN, tenantId }, at: deps.clock.now(), correlationId: uuidv7() },
      },
    )
  }

const starting =
  (deps: SyncDeps, { tenantId, connectorId }: Ids): ModelWorld['start'] =>
  async (text, reading) => {
    const { db, clock, dataDir } = deps
    const id = uuidv7()
    writeFileSync(uploadPath(dataDir, id), text)
    const file = { tenantId, id, connectorId, name: 'people.csv', size: text.length, format: 'csv' as const }
    await db.transaction().execute((tx) => insertFile(tx, { ...file, createdAt: clock.now(), createdBy: BY }))
    const chosen = { fileId: id, mapping: mappingOf(reading), encoding: undefined, delimiter: undefined }
    const started = startRun(deps, { tenantId, connectorId, ...chosen, by: BY, correlationId: uuidv7() })
    return (await started.catch((error: unknown) => refusedFile(error)))?.id
  }

/** A file that no run is made of. */
const refusedFile = (error: unknown): undefined => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code.startsWith('FILE_') || code === 'MAPPING_COLUMN_MISSING') return undefined
  throw error
}

const answering =
  (deps: SyncDeps, { tenantId }: Ids): ModelWorld['answer'] =>
  async (sourceKey, decision) => {
    const { rows } = await sql<{ id: string }>`
      select id from match_cases where tenant_id = ${tenantId} and source_key = ${sourceKey} and state = 'open'`.execute(deps.db)
    const answer = decision === 'ignore' ? ({ decision, reason: 'is none' } as const) : ({ decision } as const)
    await answerCase(deps, { tenantId, caseId: rows[0]?.id ?? '', by: BY, correlationId: uuidv7(), answer })
  }

const passing =
  ({ db, clock }: SyncDeps, { tenantId }: Ids): ModelWorld['passTime'] =>
  async () => {
    await actOnDatesOf(db, { tenantId, at: clock.now() })
    await lapseOverrides(db, clock.now())
    return (await sql`select from date_holds where tenant_id = ${tenantId}`.execute(db)).rows.length > 0
  }

/** A new tenant on a migrated database, whose runs are carried out by the caller. */
export const modelWorld = async (database: Database): Promise<ModelWorld> => {
  const { db, pool } = database
  const dataDir = mkdtempSync(path.join(tmpdir(), 'instep-model-'))
  await ensureUploadFolder(dataDir)
  const ids = await seed(database)
  const { tenantId, connectorId, sites } = ids
  let now = 0
  const clock: Clock = { now: () => new Date(now) }
  const running = { db, pool, clock, dataDir, openSource: async () => undefined, maxFileBytes: 1_000_000 }
  const deps = { ...running, nudge: () => undefined } as unknown as SyncDeps
  const handler = (onApplied: () => void) => syncHandler({ ...running, onApplied })
  const decision = (runId: string) => ({ tenantId, runId, by: BY, reason: 'as it should be' })
  const siteId = (site: Site) => (site === null ? null : sites[site])
  return {
    database,
    tenantId,
    connectorId,
    dataDir,
    setTime: (at) => {
      now = at
    },
    start: starting(deps, ids),
    startUndo: async (runId) => (await startUndo(deps, { tenantId, runId, by: BY, correlationId: uuidv7() })).id,
    follower: async (runId) => {
      const { rows } = await sql<{
        id: string
      }>`select id from runs where tenant_id = ${tenantId} and input ->> 'follows' = ${runId}`.execute(db)
      return rows[0]?.id ?? ''
    },
    fetchDaily: async () => {
      const values = { cron: '0 6 * * *', timeZone: 'UTC', enabled: true, apply: 'approval' } as const
      await setSchedule(deps, { tenantId, connectorId, values, by: BY, correlationId: uuidv7() })
    },
    work: workOn({ deps, handler, tenantId }),
    approve: async (runId) => void (await applyRun(deps, decision(runId))),
    reject: async (runId) => void (await rejectRun(deps, decision(runId))),
    match: async (keys) => {
      const samePerson = { act: 'off', nameAndBirthDate: false, personalEmail: false, personalPhone: false } as const
      const matching: Matching = { keys: keys.map((key) => KEYS[key]), samePerson }
      await updateMatching(deps, { tenantId, connectorId, matching, by: BY, correlationId: uuidv7() })
    },
    place: async (set) => {
      const placement = { rules: rulesOf(set, sites) }
      await updatePlacement(deps, { tenantId, connectorId, placement, by: BY, correlationId: uuidv7() })
    },
    keep: async (days) => void (await updateGrace(deps, { tenantId, connectorId, grace: { days }, by: BY, correlationId: uuidv7() })),
    named: ({ placement, ...change }) => {
      const name = placement === sites.North ? 'North' : placement === sites.South ? 'South' : placement
      return name === undefined ? change : { ...change, placement: name }
    },
    answer: answering(deps, ids),
    edit: editing(deps, ids),
    move: async (from, to) => {
      const by = { actor: BY, at: clock.now(), correlationId: uuidv7() }
      await db.transaction().execute((tx) => movePeople(tx, { tenantId, from: siteId(from) ?? '', to: siteId(to), by, most: 1000 }))
    },
    passTime: passing(deps, ids),
    allowDates: () => allowDates(db, { tenantId, connectorId, at: clock.now(), by: BY, reason: 'they do', correlationId: uuidv7() }),
    close: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
