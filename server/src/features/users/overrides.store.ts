import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { EventBy } from './edit-deps.ts'

interface Person {
  readonly tenantId: string
  readonly userId: string
}

/** Takes overrides of one person away. */
export const removeOverrides = async (tx: Tx, { tenantId, userId }: Person, fields: readonly string[]): Promise<void> => {
  if (fields.length === 0) return
  await sql`delete from user_overrides where tenant_id = ${tenantId} and user_id = ${userId} and field = any (${fields}::text[])`.execute(
    tx,
  )
}

/** Overrides that one edit makes. */
export interface NewOverrides extends Person {
  /** By field of the form model. */
  readonly values: ReadonlyMap<string, unknown>
  readonly by: EventBy
  readonly reason: string | null
  /** The last day on which they hold: kept as the midnight that ends it where the person works. */
  readonly until: string | null
  readonly timeZone: string
}

/** Sets overrides of one person, in the place of those that were there. */
export const setOverrides = async (tx: Tx, given: NewOverrides): Promise<void> => {
  if (given.values.size === 0) return
  const { tenantId, userId, by, reason, until, timeZone } = given
  const rows = JSON.stringify([...given.values].map(([field, value]) => ({ field, value })))
  await sql`
    insert into user_overrides (tenant_id, user_id, field, value, by, at, reason, until)
    select ${tenantId}::uuid, ${userId}::uuid, r ->> 'field', r -> 'value', ${JSON.stringify(by.actor)}::jsonb, ${by.at}::timestamptz,
      ${reason}::text, (${until}::date + 1)::timestamp at time zone ${timeZone}
    from jsonb_array_elements(${rows}::jsonb) as r
    on conflict (tenant_id, user_id, field) do update set
      value = excluded.value, by = excluded.by, at = excluded.at, reason = excluded.reason, until = excluded.until`.execute(tx)
}
