import { sql } from 'kysely'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'

/** Whose token a request carries. */
export interface Pusher {
  readonly tenantId: string
  readonly connectorId: string
  readonly token: { readonly id: string; readonly label: string }
}

export interface PushDeps {
  readonly db: Db
  readonly clock: Clock
  /** Called after a push that changed something was committed; it may come often, whoever listens waits for a pause. */
  readonly onPushed: (connectorId: string) => void
}

/** A change of what a connector was pushed, under way. */
export interface Push {
  readonly tx: Tx
  readonly by: Pusher
  readonly at: Date
  readonly correlationId: string
  /** The next change number of the connector. */
  nextChange(): number
  /** Remembers what happened; it is recorded when the work is done. */
  tell(event: Pick<NewEvent, 'type' | 'subjectId' | 'data' | 'before' | 'after'>): void
  /** Does a part that may be refused on its own: then nothing of it stays, and the rest goes on. */
  attempt<T>(part: () => Promise<T>): Promise<T>
}

const lockFeed = async (tx: Tx, { tenantId, connectorId }: Pusher): Promise<number> => {
  const key = { tenant_id: tenantId, connector_id: connectorId }
  const locked = () =>
    tx
      .selectFrom('scim_feeds')
      .select('change')
      .where('tenant_id', '=', tenantId)
      .where('connector_id', '=', connectorId)
      .forUpdate()
      .executeTakeFirst()
  const found = await locked()
  if (found) return found.change
  await tx
    .insertInto('scim_feeds')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await locked())?.change ?? 0
}

/**
 * Carries out the writes of one request in one transaction, with their change numbers and events; pushes to one connector stand in line. A request
 * that changes nothing leaves nothing, and nobody is called.
 */
export const carryOutPush = async <T>(
  deps: PushDeps,
  { by, correlationId }: { by: Pusher; correlationId: string },
  work: (push: Push) => Promise<T>,
): Promise<T> => {
  const at = deps.clock.now()
  const events: NewEvent[] = []
  const done = await deps.db.transaction().execute(async (tx) => {
    let change = await lockFeed(tx, by)
    const { tenantId, connectorId, token } = by
    const frame = {
      tenantId,
      connectorId,
      at,
      correlationId,
      stream: 'directory' as const,
      actor: { kind: 'system' as const, id: token.id, name: token.label },
    }
    const result = await work({
      tx,
      by,
      at,
      correlationId,
      nextChange: () => {
        change += 1
        return change
      },
      tell: (event) => events.push({ ...frame, ...event }),
      attempt: async (part) => {
        const told = events.length
        await sql`savepoint part`.execute(tx)
        try {
          const made = await part()
          await sql`release savepoint part`.execute(tx)
          return made
        } catch (error) {
          await sql`rollback to savepoint part`.execute(tx)
          events.length = told
          throw error
        }
      },
    })
    if (events.length > 0) {
      await tx
        .updateTable('scim_feeds')
        .set({ change, last_push_at: at })
        .where('tenant_id', '=', tenantId)
        .where('connector_id', '=', connectorId)
        .execute()
      await recordEvents(tx, events)
    }
    return result
  })
  if (events.length > 0) deps.onPushed(by.connectorId)
  return done
}
