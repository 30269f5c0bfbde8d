import { sql } from 'kysely'
import { z } from 'zod'
import type { NewEvent } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { keepSitesOpen } from '../../platform/db/site-locks.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { listRunHandler } from '../../platform/runs/list-run.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'

type By = Pick<NewEvent, 'actor' | 'at' | 'correlationId'>

/** A place among the people of a site, to go on from. */
type Place = readonly [listStatus: number, nameKey: string, id: string]

/**
 * Puts at most so many people of one site, the locked ones excepted, elsewhere (null: the Unassigned bucket), and says so in each one's record.
 * Answers how many went and where to go on; no place when there was nobody any more.
 */
export type MovePeople = (
  tx: Tx,
  given: { tenantId: string; from: string; to: string | null; by: By; after?: Place | undefined; most: number },
) => Promise<{ moved: number; last: Place | undefined }>

/** The kind of run that moves the people of a site that was closed. */
export const EMPTY_SITE_RUN = 'emptySite'

/** People of one transaction; a site with no more is emptied by the call that closes it. */
const CHUNK = 1000

const Input = z.object({ siteId: z.string(), name: z.string(), to: z.string().nullable() })
type Input = z.infer<typeof Input>

/** The site that closes, and where its people go. */
export interface Emptying extends Input {
  readonly tenantId: string
  readonly by: By
}

const countPeople = async (db: Db | Tx, { tenantId, siteId, locked }: { tenantId: string; siteId: string; locked: boolean }) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from users where tenant_id = ${tenantId} and site_id = ${siteId} and locked = ${locked}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Moves the people of a site that closes, in the transaction that closes it: a few at once, many by a run.
 *
 * @returns how many went, or the id of the run
 */
export const emptySite = async (
  tx: Tx,
  movePeople: MovePeople,
  { by, ...emptying }: Emptying,
): Promise<{ moved: number; runId: null } | { runId: string }> => {
  const { tenantId, siteId, name, to } = emptying
  const { rows } = await sql`
    select from users where tenant_id = ${tenantId} and site_id = ${siteId} and not locked limit ${CHUNK + 1}`.execute(tx)
  if (rows.length <= CHUNK) {
    const { moved } = await movePeople(tx, { tenantId, from: siteId, to, by, most: CHUNK })
    return { moved, runId: null }
  }
  const input: Input = { siteId, name, to }
  const run = await insertRun(tx, {
    tenantId,
    id: uuidv7(by.at.getTime()),
    kind: EMPTY_SITE_RUN,
    connectorId: null,
    correlationId: by.correlationId,
    input,
    stages: [],
    createdBy: by.actor,
    createdAt: by.at,
  })
  if (!run) throw new Error('a run without a connector is always taken')
  return { runId: run.id }
}

/** Stops runs that move people out of a site or into it: it was opened or closed, and what was decided for them holds no longer. */
export const stopEmptying = async (tx: Tx, { tenantId, siteId, by }: { tenantId: string; siteId: string; by: By }): Promise<void> => {
  await sql`
    update runs set cancel_requested = true, decided_by = ${JSON.stringify(by.actor)}, decided_at = ${by.at}::timestamptz, version = version + 1
    where tenant_id = ${tenantId} and kind = ${EMPTY_SITE_RUN} and state in ('queued', 'running') and not cancel_requested
      and ${siteId} in (input ->> 'siteId', input ->> 'to')`.execute(tx)
}

interface EmptySiteDeps {
  readonly db: Db
  readonly clock: Clock
  readonly movePeople: MovePeople
}

/** Goes through the people of the site once, chunk by chunk, each in a transaction with the run's progress; answers how many went. */
const passThrough = async (
  { db, clock, movePeople }: EmptySiteDeps,
  context: RunContext,
  told: (moved: number) => { counts: Record<string, number> },
): Promise<number> => {
  const { tenantId, correlationId, createdBy: actor, input } = context.run
  const { siteId: from, to } = Input.parse(input)
  let went = 0
  let after: Place | undefined
  do {
    context.signal.throwIfAborted()
    const chunk = await db.transaction().execute(async (tx) => {
      await keepSitesOpen(tx, tenantId)
      const by = { actor, at: clock.now(), correlationId }
      const done = await movePeople(tx, { tenantId, from, to, by, after, most: CHUNK })
      await context.commit(tx, told(went + done.moved))
      return done
    })
    went += chunk.moved
    after = chunk.last
  } while (after)
  return went
}

/**
 * Carries out such runs. What was done before a crash or a cancellation stays done; after a crash it goes on with whoever is still there. Locked
 * people stay and are counted.
 */
export const emptySiteHandler = (deps: EmptySiteDeps): RunHandler =>
  listRunHandler({
    db: deps.db,
    clock: deps.clock,
    discard: async () => {},
    work: async (context) => {
      const { tenantId, input, counts: before } = context.run
      const { siteId, name } = Input.parse(input)
      let done = before['done'] ?? 0
      const total = done + (await countPeople(deps.db, { tenantId, siteId, locked: false }))
      const counts = () => ({ done, total, leftAlone: 0 })
      context.progress({ counts: counts() })
      // somebody whose name or status changes meanwhile is passed over by the first pass
      for (let went = -1; went !== 0; done += went)
        went = await passThrough(deps, context, (moved) => ({ counts: { ...counts(), done: done + moved } }))
      const leftAlone = await countPeople(deps.db, { tenantId, siteId, locked: true })
      return {
        patch: { counts: { ...counts(), total: done + leftAlone, leftAlone }, state: leftAlone > 0 ? 'partlySucceeded' : 'succeeded' },
        event: { type: 'site.emptied', data: { name, count: done, leftAlone } },
      }
    },
  })
