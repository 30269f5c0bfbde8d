import { sql } from 'kysely'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Line } from './create-line.ts'

/** Whose token a request carries. */
export interface Pusher {
  readonly tenantId: string
  readonly connectorId: string
  readonly token: { readonly id: string; readonly label: string }
}

export interface PushDeps {
  readonly db: Db
  readonly clock: Clock
  /** Who pushes to the same connector stands in line. */
  readonly inLine: Line
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

/** The push under way in a transaction, and what it remembers until the end. */
const begin = async (tx: Tx, { by, correlationId, at }: { by: Pusher; correlationId: string; at: Date }) => {
  let change = await lockFeed(tx, by)
  const events: NewEvent[] = []
  const { tenantId, connectorId, token } = by
  const actor = { kind: 'system' as const, id: token.id, name: token.label }
  const frame = { tenantId, connectorId, at, correlationId, stream: 'directory' as const, actor }
  const push: Push = {
    tx,
    by,
    at,
    correlationId,
    nextChange: () => {
      change += 1
      return change
    },
    tell: (event) => void events.push({ ...frame, ...event }),
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
  }
  return { push, events, lastChange: () => change }
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
  const carryOut = async (tx: Tx) => {
    const at = deps.clock.now()
    const { push, events, lastChange } = await begin(tx, { by, correlationId, at })
    const result = await work(push)
    if (events.length === 0) return { result, changed: false }
    await tx
      .updateTable('scim_feeds')
      .set({ change: lastChange(), last_push_at: at })
      .where('tenant_id', '=', by.tenantId)
      .where('connector_id', '=', by.connectorId)
      .execute()
    await recordEvents(tx, events)
    return { result, changed: true }
  }
  const { result, changed } = await deps.inLine(by.connectorId, () => deps.db.transaction().execute(carryOut))
  if (changed) deps.onPushed(by.connectorId)
  return result
}
