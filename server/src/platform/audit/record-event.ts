import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { uuidv7 } from '../ids.ts'

/** Who caused an event. */
export interface EventActor {
  readonly kind: 'admin' | 'run' | 'system'
  readonly id: string | null
  readonly name: string
}

/** Something that happened; its words are looked up by `type` and filled from `data` when it is shown. */
export interface NewEvent {
  readonly tenantId: string
  readonly at: Date
  readonly stream: 'user' | 'directory' | 'message' | 'admin' | 'job'
  readonly type: string
  readonly correlationId: string
  readonly actor: EventActor
  readonly subjectId?: string | undefined
  readonly connectorId?: string | undefined
  readonly data?: Record<string, string | number | boolean | null>
  readonly before?: Record<string, unknown>
  readonly after?: Record<string, unknown>
}

/**
 * Records events in the transaction of the write they tell of. Entries of the admin stream are chained: each carries a hash over itself
 * and the hash before it, so a removed or changed entry shows.
 */
export const recordEvents = async (tx: Tx, events: readonly NewEvent[]): Promise<void> => {
  const rows = events.map((event) => ({
    tenant_id: event.tenantId,
    id: uuidv7(event.at.getTime()),
    at: event.at,
    stream: event.stream,
    type: event.type,
    correlation_id: event.correlationId,
    actor: JSON.stringify(event.actor),
    subject_id: event.subjectId ?? null,
    connector_id: event.connectorId ?? null,
    data: JSON.stringify(event.data ?? {}),
    before: event.before ? JSON.stringify(event.before) : null,
    after: event.after ? JSON.stringify(event.after) : null,
    hash: null as Buffer | null,
  }))
  for (const row of rows) {
    if (row.stream === 'admin') row.hash = await nextHash(tx, row)
    await tx.insertInto('events').values(row).execute()
  }
}

const nextHash = async (tx: Tx, row: { tenant_id: string; [column: string]: unknown }): Promise<Buffer> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`events ${row.tenant_id}`}, 0))`.execute(tx)
  const last = await tx
    .selectFrom('events')
    .select('hash')
    .where('tenant_id', '=', row.tenant_id)
    .where('stream', '=', 'admin')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return createHash('sha256')
    .update(last?.hash ?? Buffer.alloc(0))
    .update(JSON.stringify({ ...row, hash: undefined }))
    .digest()
}
