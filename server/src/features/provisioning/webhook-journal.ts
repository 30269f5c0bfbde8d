import type { Deliveries, DeliveryJournal, EventType } from '@instep/connectors/webhook/delivery-journal.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { TargetKey } from './account.store.ts'

interface Row {
  readonly sequence: string
  readonly acknowledged: string
  readonly document: Deliveries['document']
  readonly message_id: string | null
  readonly message_type: string | null
  readonly message_document: Deliveries['document']
  readonly message_body: string | null
}

const presented = (row: Row): Deliveries => {
  const sequence = Number(row.sequence)
  const { message_id: id, message_type: type, message_body: body, message_document: document } = row
  const underWay = id === null || body === null ? null : { id, sequence, type: type as EventType, document, body }
  return { sequence, acknowledged: Number(row.acknowledged), document: row.document, underWay }
}

const asJson = (document: unknown): string | null => (document === null ? null : JSON.stringify(document))

/** What one webhook target remembers of each person, in the database. */
export const webhookJournal = (db: Db, { tenantId, targetId }: TargetKey): DeliveryJournal => ({
  read: async (userId) => {
    const { rows } = await sql<Row>`
      select sequence, acknowledged, document, message_id, message_type, message_document, message_body
      from webhook_deliveries
      where tenant_id = ${tenantId} and user_id = ${userId} and target_id = ${targetId}`.execute(db)
    return rows[0] && presented(rows[0])
  },
  begin: async (userId, { id, sequence, type, document, body }, after) => {
    const { numAffectedRows } = await sql`
      insert into webhook_deliveries as d (
        tenant_id, target_id, user_id, sequence, message_id, message_type, message_document, message_body
      )
      values (${tenantId}, ${targetId}, ${userId}, ${sequence}, ${id}, ${type}, ${asJson(document)}::jsonb, ${body})
      on conflict (tenant_id, user_id, target_id) do update set
        sequence = excluded.sequence, message_id = excluded.message_id, message_type = excluded.message_type,
        message_document = excluded.message_document, message_body = excluded.message_body
      where d.sequence = ${after}`.execute(db)
    return numAffectedRows === 1n
  },
  acknowledge: async (userId, { sequence, document }) => {
    await sql`
      update webhook_deliveries set
        acknowledged = ${sequence}, document = ${asJson(document)}::jsonb,
        message_id = null, message_type = null, message_document = null, message_body = null
      where tenant_id = ${tenantId} and user_id = ${userId} and target_id = ${targetId} and sequence = ${sequence}`.execute(db)
  },
})
