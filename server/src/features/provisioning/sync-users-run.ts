import type { TargetSync } from '@instep/contract/user-sync.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { listRunEvent, listRunHandler } from '../../platform/runs/list-run.ts'
import type { RunRow } from '../../platform/runs/run.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'
import { type SyncUserDeps, syncUser } from './sync-user.ts'

/** The kind of run that brings selected people in step. */
export const SYNC_USERS_RUN = 'syncUsers'

const Input = z.object({ userIds: z.array(z.string()), preview: z.boolean() })
type Input = z.infer<typeof Input>

export interface NewUsersSync {
  readonly tenantId: string
  readonly userIds: readonly string[]
  readonly preview: boolean
  readonly by: EventActor
  readonly correlationId: string
}

/** Queues the run; undefined when one of the people is not of the tenant. */
export const startUsersSync = (
  { db, clock }: { db: Db; clock: Clock },
  { tenantId, userIds, preview, by, correlationId }: NewUsersSync,
): Promise<RunRow | undefined> =>
  db.transaction().execute(async (tx) => {
    const at = clock.now()
    const named = [...new Set(userIds)]
    const { rows } = await sql`
      select from provisioning_users where tenant_id = ${tenantId} and user_id = any(${named}::uuid[])`.execute(tx)
    if (rows.length < named.length) return undefined
    const input: Input = { userIds: named, preview }
    const id = uuidv7(at.getTime())
    const made = { createdBy: by, createdAt: at }
    const run = await insertRun(tx, { tenantId, id, kind: SYNC_USERS_RUN, connectorId: null, correlationId, input, stages: [], ...made })
    if (!run) throw new Error('a run without a connector is always taken')
    const data = { count: named.length, preview }
    await recordEvents(tx, [listRunEvent(run, at, { type: 'userSync.started', data })])
    return run
  })

/**
 * Carries out such runs, person by person, each with all results in one transaction. After a crash it goes on with the person that was not finished:
 * to bring somebody in step twice does no harm. `leftAlone` counts accounts that failed.
 */
export const syncUsersHandler = (deps: SyncUserDeps): RunHandler =>
  listRunHandler({
    ...deps,
    discard: async () => {},
    work: async (context) => {
      const { run, signal } = context
      const { userIds, preview } = Input.parse(run.input)
      const counts = { done: run.counts['done'] ?? 0, total: userIds.length, leftAlone: run.counts['leftAlone'] ?? 0 }
      for (const userId of userIds.slice(counts.done)) {
        signal.throwIfAborted()
        const asked = { tenantId: run.tenantId, userId, preview, by: run.createdBy, correlationId: run.correlationId }
        const results = (await syncUser(deps, asked)) ?? []
        counts.leftAlone += results.filter(({ result }) => result === 'failed').length
        counts.done += 1
        await deps.db.transaction().execute(async (tx) => {
          await addResults(tx, { run, userId, results })
          await context.commit(tx, { counts: { ...counts } })
        })
      }
      return {
        patch: { counts, state: counts.leftAlone > 0 ? 'partlySucceeded' : 'succeeded' },
        event: { type: 'userSync.finished', data: { count: counts.done, failed: counts.leftAlone, preview } },
      }
    },
  })

/** Text as a database keeps it: a target may reply anything. */
const keepable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value

const addResults = async (
  tx: Tx,
  { run, userId, results }: { run: RunRow; userId: string; results: readonly TargetSync[] },
): Promise<void> => {
  if (results.length === 0) return
  await sql`
    insert into user_sync_results (tenant_id, run_id, sequence, user_id, target_id, result, deed, changes, cause, detail, requests)
    select ${run.tenantId}, ${run.id}, coalesce(last.sequence, 0) + g.place, ${userId}, g."targetId", g.result, g.deed, g.changes, g.cause, g.detail, g.requests
    from rows from (
      json_to_recordset(${JSON.stringify(results, keepable)}::json) as ("targetId" uuid, result text, deed text, changes jsonb, cause text, detail text, requests jsonb)
    ) with ordinality as g ("targetId", result, deed, changes, cause, detail, requests, place),
    (select max(sequence) as sequence from user_sync_results where tenant_id = ${run.tenantId} and run_id = ${run.id}) last`.execute(tx)
}
