import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { EventBy } from './edit-deps.ts'
import type { OverrideTerms } from './read-edit.rules.ts'

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

/** Overrides of one person that keep their values. */
export interface RenewedOverrides extends Person {
  /** By field of the form model. */
  readonly terms: ReadonlyMap<string, OverrideTerms>
  readonly by: EventBy
  readonly timeZone: string
}

/** The instant at which an override ends that holds until this day, the day included, where the person works. */
const endOf = (day: RawBuilder<unknown>, timeZone: string) => sql`((${day})::date + 1)::timestamp at time zone ${timeZone}`

/** Gives overrides of one person another reason or last day; whose they are and since when follows. */
export const renewOverrides = async (tx: Tx, { tenantId, userId, terms, by, timeZone }: RenewedOverrides): Promise<void> => {
  if (terms.size === 0) return
  const rows = JSON.stringify([...terms].map(([field, { reason, until }]) => ({ field, reason, until })))
  await sql`
    update user_overrides o
    set reason = r.reason, until = ${endOf(sql`r.until`, timeZone)}, by = ${JSON.stringify(by.actor)}::jsonb, at = ${by.at}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as r (field text, reason text, until text)
    where o.tenant_id = ${tenantId} and o.user_id = ${userId} and o.field = r.field`.execute(tx)
}

/** Sets overrides of one person, in the place of those that were there. */
export const setOverrides = async (tx: Tx, given: NewOverrides): Promise<void> => {
  if (given.values.size === 0) return
  const { tenantId, userId, by, reason, until, timeZone } = given
  const rows = JSON.stringify([...given.values].map(([field, value]) => ({ field, value })))
  await sql`
    insert into user_overrides (tenant_id, user_id, field, value, by, at, reason, until)
    select ${tenantId}::uuid, ${userId}::uuid, r ->> 'field', r -> 'value', ${JSON.stringify(by.actor)}::jsonb, ${by.at}::timestamptz,
      ${reason}::text, ${endOf(sql`${until}`, timeZone)}
    from jsonb_array_elements(${rows}::jsonb) as r
    on conflict (tenant_id, user_id, field) do update set
      value = excluded.value, by = excluded.by, at = excluded.at, reason = excluded.reason, until = excluded.until`.execute(tx)
}
