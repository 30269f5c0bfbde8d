import type { ReferenceKind } from '@instep/contract/lookups.ts'
import { columnOf, type UserFieldName } from '@instep/contract/user-fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { numberedId } from '../../platform/db/numbered-id.ts'

/** Which field of a person each kept kind is about. */
const FIELDS: readonly (readonly [ReferenceKind, UserFieldName])[] = [
  ['Department', 'department'],
  ['JobTitle', 'title'],
  ['Location', 'locationName'],
  ['Division', 'division'],
  ['Organization', 'organization'],
  ['CostCenter', 'costCenter'],
  ['Country', 'country'],
  ['Locality', 'locality'],
  ['EmploymentType', 'employmentType'],
  ['UserType', 'userType'],
]
const VALUES = sql.join(FIELDS.map(([kind, field]) => sql`(${sql.lit(kind)}, ${sql.ref(`u.${columnOf(field)}`)})`))

export interface Learning {
  readonly tenantId: string
  /** A relation with a column `user_id`. */
  readonly users: RawBuilder<unknown>
  /** Who brought the values. */
  readonly origin: 'sync' | 'admin'
  readonly at: Date
}

/**
 * Adds the values that these people have and that no list has yet, in the transaction of the write that brought them; a retired value stays
 * retired. One statement, in the order of the lists, so that two at once do not wait for each other in a circle.
 */
export const learnValues = async (tx: Tx, { tenantId, users, origin, at }: Learning): Promise<void> => {
  await sql`
    with seen as (
      select kind, lower(value) collate "C" as folded, min(value) as value
      from users u cross join lateral (values ${VALUES}) as v (kind, value)
      where u.tenant_id = ${tenantId} and u.id in (select s.user_id from (${users}) s) and value is not null
      group by 1, 2
    ), fresh as (
      select s.kind, s.value, s.folded from seen s
      where not exists (
        select from lookup_values l where l.tenant_id = ${tenantId} and l.reference_type = s.kind and l.value_folded = s.folded
      )
    )
    insert into lookup_values (tenant_id, id, reference_type, value, origin, created_at)
    select ${tenantId}::uuid, ${numberedId(at, sql`row_number() over (order by f.kind, f.folded)`)}, f.kind, f.value, ${origin}, ${at}::timestamptz
    from fresh f order by f.kind, f.folded
    on conflict do nothing`.execute(tx)
}
