import type { SyncedRecord } from '@instep/contract/source-record.ts'
import type { TargetSync } from '@instep/contract/user-sync.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { listRunEvent, listRunHandler } from '../../platform/runs/list-run.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'
import { type SyncUserDeps, syncUser } from './sync-user.ts'

/** The kind of run that brings selected people in step. */
export const SYNC_USERS_RUN = 'syncUsers'

const Input = z.object({ userIds: z.array(z.string()), preview: z.boolean(), mayImport: z.boolean().default(false) })
type Input = z.infer<typeof Input>

export interface NewUsersSync {
  readonly tenantId: string
  readonly userIds: readonly string[]
  readonly preview: boolean
  /** Whether what the source says anew of them may be brought in. */
  readonly mayImport: boolean
  readonly by: EventActor
  readonly correlationId: string
}

/** Queues the run; undefined when one of the people is not of the tenant. */
export const startUsersSync = (
  { db, clock }: { db: Db; clock: Clock },
  { tenantId, userIds, preview, mayImport, by, correlationId }: NewUsersSync,
): Promise<RunRow | undefined> =>
  db.transaction().execute(async (tx) => {
    const at = clock.now()
    const named = [...new Set(userIds)]
    const { rows } = await sql`
      select from provisioning_users where tenant_id = ${tenantId} and user_id = any(${named}::uuid[])`.execute(tx)
    if (rows.length < named.length) return undefined
    const input: Input = { userIds: named, preview, mayImport }
    const id = uuidv7(at.getTime())
    const made = { createdBy: by, createdAt: at }
    const run = await insertRun(tx, { tenantId, id, kind: SYNC_USERS_RUN, connectorId: null, correlationId, input, stages: [], ...made })
    if (!run) throw new Error('a run without a connector is always taken')
    const data = { count: named.length, preview }
    await recordEvents(tx, [listRunEvent(run, at, { type: 'userSync.started', data })])
    return run
  })

/** Who asks that what a source says anew is brought in. */
export interface BringIn {
  readonly by: EventActor
  readonly mayImport: boolean
  readonly correlationId: string
}

export interface SyncUsersDeps extends SyncUserDeps {
  /** Reads what the sources say of people, and brings it in where that is asked for; whoever has no source is not among the answers. */
  readonly syncRecords: (asked: {
    readonly tenantId: string
    readonly people: readonly { readonly connectorId: string; readonly userId: string }[]
    readonly signal: AbortSignal
    readonly bringIn?: BringIn | undefined
  }) => Promise<ReadonlyMap<string, SyncedRecord>>
}

/** So many people's records are read, and brought in together, before their targets are asked: a source has few runs to carry out, and progress is seen. */
const SLICE = 50

const connectorsOf = async (db: Db, { tenantId, userIds }: { tenantId: string; userIds: readonly string[] }) => {
  const { rows } = await sql<{ userId: string; connectorId: string }>`
    select user_id as "userId", connector_id as "connectorId" from provisioning_users
    where tenant_id = ${tenantId} and user_id = any(${userIds as string[]}::uuid[])`.execute(db)
  return rows
}

/** Whose records the run has read before; what it has brought in since would count as nothing new if it were read again. */
const alreadyRead = async (db: Db, { tenantId, id }: RunRow): Promise<Set<string>> => {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from synced_people where tenant_id = ${tenantId} and run_id = ${id}`.execute(db)
  return new Set(rows.map(({ userId }) => userId))
}

/** The records of a slice, kept together, and then person by person the targets, each with what is kept of them in one transaction. */
const syncSlice = async (
  deps: SyncUsersDeps,
  context: RunContext,
  { userIds, input, counts }: { userIds: readonly string[]; input: Input; counts: { done: number; total: number; leftAlone: number } },
): Promise<void> => {
  const { run, signal } = context
  const { preview, mayImport } = input
  const { tenantId, correlationId, createdBy: by } = run
  const read = await alreadyRead(deps.db, run)
  const unread = userIds.filter((userId) => !read.has(userId))
  const people = await connectorsOf(deps.db, { tenantId, userIds: unread })
  const bringIn = preview ? undefined : { by, mayImport, correlationId }
  const records = await deps.syncRecords({ tenantId, people, signal, bringIn })
  await deps.db.transaction().execute(async (tx) => {
    await keepRecords(tx, { run, records, userIds: unread, input })
    await context.commit(tx, { counts: { ...counts } })
  })
  for (const userId of userIds) {
    signal.throwIfAborted()
    const targets = (await syncUser(deps, { tenantId, userId, preview, by, correlationId })) ?? []
    counts.leftAlone += targets.filter(({ result }) => result === 'failed').length
    counts.done += 1
    await deps.db.transaction().execute(async (tx) => {
      await keepTargets(tx, { run, userId, targets })
      await context.commit(tx, { counts: { ...counts } })
    })
  }
}

/**
 * Carries out such runs. After a crash it goes on with the person that was not finished and what it had read: to bring somebody in step twice does no
 * harm. `leftAlone` counts accounts that failed.
 */
export const syncUsersHandler = (deps: SyncUsersDeps): RunHandler =>
  listRunHandler({
    ...deps,
    discard: async () => {},
    work: async (context) => {
      const { run } = context
      const input = Input.parse(run.input)
      const { userIds, preview } = input
      const counts = { done: run.counts['done'] ?? 0, total: userIds.length, leftAlone: run.counts['leftAlone'] ?? 0 }
      await deps.db.transaction().execute((tx) => context.commit(tx, { counts: { ...counts } }))
      while (counts.done < userIds.length)
        await syncSlice(deps, context, { userIds: userIds.slice(counts.done, counts.done + SLICE), input, counts })
      return {
        patch: { counts, state: counts.leftAlone > 0 ? 'partlySucceeded' : 'succeeded' },
        event: { type: 'userSync.finished', data: { count: counts.done, failed: counts.leftAlone, preview } },
      }
    },
  })

/** Text as a database keeps it: a source or a target may say anything. */
const keepable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value

/** Keeps what was read of people, in the order that they were named in; nothing of whoever is gone meanwhile. */
const keepRecords = async (
  tx: Tx,
  { run, records, userIds, input }: { run: RunRow; records: ReadonlyMap<string, SyncedRecord>; userIds: readonly string[]; input: Input },
): Promise<void> => {
  const rows = userIds.map((userId) => ({ userId, sequence: input.userIds.indexOf(userId) + 1, source: records.get(userId) ?? null }))
  await sql`
    insert into synced_people (tenant_id, run_id, user_id, sequence, source)
    select ${run.tenantId}, ${run.id}, u.user_id, r.sequence, r.source
    from jsonb_to_recordset(${JSON.stringify(rows, keepable)}::jsonb) as r ("userId" uuid, sequence integer, source jsonb)
    join provisioning_users u on u.tenant_id = ${run.tenantId} and u.user_id = r."userId"`.execute(tx)
}

const keepTargets = async (
  tx: Tx,
  { run, userId, targets }: { run: RunRow; userId: string; targets: readonly TargetSync[] },
): Promise<void> => {
  await sql`
    update synced_people set targets = ${JSON.stringify(targets, keepable)}::jsonb
    where tenant_id = ${run.tenantId} and run_id = ${run.id} and user_id = ${userId}`.execute(tx)
}
