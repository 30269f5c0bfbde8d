import { sql } from 'kysely'
import { z } from 'zod'
import type { EventActor } from '../../platform/audit/record-event.ts'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { listRunEvent, listRunHandler } from '../../platform/runs/list-run.ts'
import type { RunContext } from '../../platform/runs/run-context.ts'
import { insertRun } from '../../platform/runs/run-store.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'
import { restoreOverrides } from '../users/public.ts'
import { type Clearing, countToClear, nextToClear, type OverrideScope, type Pair } from './overrides.views.ts'

/** The kind of run that takes overrides back. */
export const CLEAR_RUN = 'clearOverrides'

/** Overrides of one transaction. */
const CHUNK = 500

const Input = z.object({
  sites: z.union([z.literal('all'), z.array(z.string())]),
  filter: z.object({ field: z.string().optional(), olderThanDays: z.number().optional(), connectorId: z.string().optional() }),
  named: z.array(z.object({ userId: z.string(), field: z.string() })).optional(),
})
type Input = z.infer<typeof Input>

export interface NewClearing {
  readonly scope: OverrideScope
  readonly named: readonly Pair[] | undefined
  readonly by: EventActor
  readonly correlationId: string
}

/** Queues the run and answers its id. */
export const startClearing = (db: Db, { scope, named, by, correlationId }: NewClearing): Promise<string> =>
  db.transaction().execute(async (tx) => {
    const { tenantId, sites, at, field, olderThanDays, connectorId } = scope
    const input: Input = {
      sites: sites === 'all' ? 'all' : [...sites],
      filter: { ...(field && { field }), ...(olderThanDays && { olderThanDays }), ...(connectorId && { connectorId }) },
      ...(named && { named: [...named] }),
    }
    const run = await insertRun(tx, {
      tenantId,
      id: uuidv7(at.getTime()),
      kind: CLEAR_RUN,
      connectorId: null,
      correlationId,
      input,
      stages: [],
      createdBy: by,
      createdAt: at,
    })
    if (!run) throw new Error('a run without a connector is always taken')
    await recordEvents(tx, [listRunEvent(run, at, { type: 'overrides.clearing' })])
    return run.id
  })

const clearingOf = ({ run }: RunContext): Clearing => {
  const { sites, filter, named } = Input.parse(run.input)
  return { scope: { tenantId: run.tenantId, sites, ...filter, at: run.createdAt }, named }
}

const clearChunk = (tx: Tx, context: RunContext, { pairs, at }: { pairs: readonly Pair[]; at: Date }) => {
  const { run } = context
  return restoreOverrides(tx, {
    tenantId: run.tenantId,
    pairs: sql`select p."userId" as user_id, p.field from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p ("userId" uuid, field text)`,
    why: 'restored',
    by: { actor: run.createdBy, at, correlationId: run.correlationId },
  })
}

/**
 * Carries out the runs that take overrides back, chunk by chunk, each with its people, events and accounts in one transaction. What was done
 * before a crash or a cancellation stays done; locked people are left alone and counted.
 */
export const clearOverridesHandler = ({ db, clock, onCleared }: { db: Db; clock: Clock; onCleared: () => void }): RunHandler =>
  listRunHandler({
    db,
    clock,
    discard: async () => {},
    work: async (context) => {
      const { run, signal } = context
      const clearing = clearingOf(context)
      const before = run.counts['done'] ?? 0
      const counts = { done: before, total: before + (await countToClear(db, clearing)), leftAlone: 0 }
      context.progress({ counts: { ...counts } })
      let after: Pair | undefined
      for (;;) {
        signal.throwIfAborted()
        const pairs = await nextToClear(db, clearing, { after, limit: CHUNK })
        if (pairs.length === 0) break
        await db.transaction().execute(async (tx) => {
          const { restored, leftAlone } = await clearChunk(tx, context, { pairs, at: clock.now() })
          counts.done += restored
          counts.leftAlone += leftAlone
          await context.commit(tx, { counts: { ...counts } })
        })
        onCleared()
        after = pairs.at(-1)
      }
      const { done, leftAlone } = counts
      return {
        patch: { counts: { ...counts }, state: leftAlone > 0 ? 'partlySucceeded' : 'succeeded' },
        event: { type: 'overrides.cleared', data: { count: done, leftAlone } },
      }
    },
  })
