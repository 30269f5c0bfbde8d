import { sql } from 'kysely'
import type { NewEvent } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { numberedId } from '../../platform/db/numbered-id.ts'

export interface Moving {
  readonly tenantId: string
  readonly from: string
  /** Null: the Unassigned bucket. */
  readonly to: string | null
  readonly by: Pick<NewEvent, 'actor' | 'at' | 'correlationId'>
}

/**
 * Puts everybody of one site who is not locked at another one, in the caller's transaction: one statement, one event a person. A site
 * reaches no account; the groups of sites follow in `changeSite`. Answers how many went.
 */
export const movePeople = async (tx: Tx, { tenantId, from, to, by }: Moving): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      select u.id from users u where u.tenant_id = ${tenantId} and u.site_id = ${from} and not u.locked order by u.id for update
    ), moved as (
      update users u set site_id = ${to}::uuid, version = u.version + 1, updated_at = ${by.at}::timestamptz
      from gone where u.tenant_id = ${tenantId} and u.id = gone.id
      returning u.id, u.connector_id, u.version
    ), told as (
      insert into events (tenant_id, id, at, stream, type, correlation_id, actor, subject_id, connector_id, data, before, after)
      select ${tenantId}::uuid,
        ${numberedId(by.at, sql`row_number() over (order by m.id)`)},
        ${by.at}::timestamptz, 'user', 'user.moved', ${by.correlationId}, ${JSON.stringify(by.actor)}::jsonb, m.id, m.connector_id,
        jsonb_build_object('version', m.version), jsonb_build_object('siteId', ${from}::text), jsonb_build_object('siteId', ${to}::text)
      from moved m
    )
    select count(*)::integer as count from moved`.execute(tx)
  return rows[0]?.count ?? 0
}
