import { columnOf, userFieldNames } from '@instep/contract/user-fields.ts'
import type { UserFields } from '@instep/contract/user-shape.ts'
import type { UserDetails } from '@instep/contract/users.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { withinSites } from '../../platform/db/within-sites.ts'
import type { Actor } from '../../platform/http/actor.ts'

/** A whole person as the database gives it; the fields stand under the names of their columns, dates are `YYYY-MM-DD`. */
export interface UserRecord {
  readonly [column: string]: unknown
  readonly id: string
  readonly tenant_id: string
  readonly connector_id: string
  readonly site_id: string | null
  /** Manual for everybody who does not come from a source. */
  readonly ingestion_type: string
  readonly active: boolean
  readonly locked: boolean
  readonly vip: boolean
  readonly claim_fields: Record<string, string>
  readonly sso_data: Record<string, unknown> | null
  readonly claim_state: string
  readonly invited_at: Date | null
  readonly claimed_at: Date | null
  readonly deactivated_at: Date | null
  readonly version: number
  /** Form field → value; null when nothing is overridden. */
  readonly overrides: Record<string, unknown> | null
}

/** The fields of a record by name. */
export const fieldsOfRecord = (record: Readonly<Record<string, unknown>>): UserFields =>
  Object.fromEntries(userFieldNames.map((field) => [field, record[columnOf(field)] ?? null])) as UserFields

const isLinked = sql`exists (select from source_links l where l.tenant_id = u.tenant_id and l.user_id = u.id)`

/** The columns of a `UserRecord` of `users as u`. */
export const USER_COLUMNS: RawBuilder<unknown> = sql`u.id, u.tenant_id, u.connector_id, u.site_id,
  ${sql.join(userFieldNames.map((field) => sql.ref(`u.${columnOf(field)}`)))},
  u.active, u.locked, u.vip, u.claim_fields, u.sso_data, u.claim_state, u.invited_at, u.claimed_at, u.deactivated_at, u.version,
  case when ${isLinked} then (select c.ingestion_type from connectors c where c.tenant_id = u.tenant_id and c.id = u.connector_id)
    else 'manual' end as ingestion_type,
  case when u.overridden then (
    select jsonb_object_agg(o.field, o.value) from user_overrides o where o.tenant_id = u.tenant_id and o.user_id = u.id
  ) end as overrides`

/** One override as it is told; `until` is the last day on which it holds. */
export interface OverrideRecord {
  readonly field: string
  readonly value: unknown
  readonly by: string
  readonly at: string
  readonly reason: string | null
  readonly until: string | null
}

/** A person with what a profile tells beside the values. */
export interface PersonRecord extends UserRecord {
  readonly connector_name: string
  readonly definition_id: string
  readonly connector_permissions: number
  readonly site_name: string | null
  readonly time_zone: string
  readonly base: Readonly<Record<string, unknown>>
  readonly linked: boolean
  readonly lock_kind: 'admin' | 'erasure' | 'move' | null
  readonly lock_reason: string | null
  readonly lock_by: string | null
  readonly locked_at: Date | null
  readonly override_list: readonly OverrideRecord[]
  readonly employment_state: string
  readonly kept_until: Date | null
  readonly manager_open: boolean
  readonly reports_to: UserDetails['reportsTo']
}

/** One person, as far as the caller may see them. */
export interface PersonKey {
  readonly tenantId: string
  readonly connectorId: string | undefined
  readonly sites: Actor['sites']
  readonly id: string
}

const isPerson = ({ tenantId, connectorId, sites, id }: PersonKey) => sql`
  u.tenant_id = ${tenantId} and u.id = ${id} and u.connector_id = ${connectorId} and ${withinSites('u.site_id', sites)}`

/** Locks a person against other changes until the transaction ends; false where the caller sees no such person. */
export const lockPerson = async (tx: Tx, key: PersonKey): Promise<boolean> => {
  const { rows } = await sql`select from users u where ${isPerson(key)} for update`.execute(tx)
  return rows.length > 0
}

const overrideList = (timeZone: RawBuilder<unknown>) => sql`
  coalesce((
    select jsonb_agg(
      jsonb_build_object(
        'field', o.field, 'value', o.value, 'by', coalesce(o.by ->> 'name', ''),
        'at', to_char(o.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'reason', o.reason,
        -- kept as the midnight that ends the day; half a day earlier it is that day, also where the site has moved to another time zone since
        'until', to_char((o.until at time zone ${timeZone}) - interval '12 hours', 'YYYY-MM-DD')
      ) order by o.at, o.field
    )
    from user_overrides o where o.tenant_id = u.tenant_id and o.user_id = u.id
  ), '[]')`

/** One person; undefined where the caller sees none. */
export const findPerson = async (db: Db | Tx, key: PersonKey): Promise<PersonRecord | undefined> => {
  const timeZone = sql`coalesce(s.time_zone, t.time_zone)`
  const { rows } = await sql<PersonRecord>`
    select ${USER_COLUMNS}, c.name as connector_name, c.definition_id, c.permissions as connector_permissions, s.name as site_name,
      ${timeZone} as time_zone, u.base, ${isLinked} as linked, u.lock_kind, u.lock_reason, u.locked_by ->> 'name' as lock_by, u.locked_at,
      ${overrideList(timeZone)} as override_list, u.employment_state, k.kept_until, r.user_id is not null and m.id is null as manager_open,
      case when ${withinSites('m.site_id', key.sites)} and m.id is not null then
        jsonb_build_object('id', m.id, 'connectorId', m.connector_id, 'displayName', m.display_name) end as reports_to
    from users u
    join tenants t on t.id = u.tenant_id
    join connectors c on c.tenant_id = u.tenant_id and c.id = u.connector_id
    left join sites s on s.tenant_id = u.tenant_id and s.id = u.site_id
    left join manager_references r on r.tenant_id = u.tenant_id and r.user_id = u.id
    left join leavers k on k.tenant_id = u.tenant_id and k.user_id = u.id
    left join users m on m.tenant_id = r.tenant_id and m.id = r.manager_id
    where ${isPerson(key)}`.execute(db)
  return rows[0]
}
