import { columnOf, USER_FIELDS, type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** Columns that take a value even where the document has none. */
const STANDARDS: Partial<Record<UserFieldName, string>> = { accessCodeDelivery: 'coalesce(x."accessCodeDelivery", \'none\')' }

const columns = userFieldNames.map(columnOf)
const expressionOf = (field: UserFieldName): string => STANDARDS[field] ?? `x."${field}"`

/** The document as a row: every field of the form model by its name, typed as its column is. */
const typed = sql.raw(
  [...userFieldNames.map((field) => `"${field}" ${USER_FIELDS[field].type === 'date' ? 'date' : 'text'}`), 'active boolean'].join(', '),
)
const columnList = sql.raw(columns.join(', '))
const valueList = sql.raw(userFieldNames.map(expressionOf).join(', '))
const storedList = sql.raw(columns.map((column) => `u.${column}`).join(', '))
const renamedList = sql.raw(userFieldNames.map((field) => `${expressionOf(field)} as ${columnOf(field)}`).join(', '))
const setList = sql.raw(columns.map((column) => `${column} = e.${column}`).join(', '))

/** The site that a location's name means; people of none stand in the Unassigned bucket (site_id null). */
const siteOf = (tenantId: string) => sql`
  left join sites s on s.tenant_id = ${tenantId} and s.active and s.name_folded = lower(btrim(x."locationName")) collate "C"`

/**
 * Adds people from documents, one statement for thousands. A document holds the base values by field name, dates as `YYYY-MM-DD`, `active`
 * among them; columns are filled from it. Whoever's external id is taken in the connector is left out.
 *
 * @param given.rows a relation with the columns `user_id uuid, doc jsonb`
 * @returns how many were added
 */
export const createUsers = async (
  tx: Tx,
  given: { tenantId: string; connectorId: string; at: Date; rows: RawBuilder<unknown> },
): Promise<number> => {
  const { tenantId, connectorId, at, rows } = given
  const result = await sql`
    insert into users (tenant_id, id, connector_id, site_id, ${columnList}, active, base, deactivated_at, created_at, updated_at)
    select ${tenantId}::uuid, p.user_id, ${connectorId}::uuid, s.id, ${valueList}, coalesce(x.active, true), p.doc,
      case when not x.active then ${at}::timestamptz end, ${at}::timestamptz, ${at}::timestamptz
    from (${rows}) p
    cross join lateral jsonb_to_record(p.doc) as x (${typed})
    ${siteOf(tenantId)}
    on conflict (tenant_id, connector_id, external_id) do nothing`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

/**
 * Changes base values, and with them the effective ones: base ⊕ overrides, computed anew in the same statement. Only where the person still has
 * the version that the caller read and is not locked; the version grows where an effective value changed. null in a patch clears the field.
 * A person follows the location to its site; where it names no site the person is unassigned.
 *
 * @param given.rows a relation with the columns `user_id uuid, user_version integer, patch jsonb`
 * @returns how many were changed
 */
export const updateUsers = async (tx: Tx, given: { tenantId: string; at: Date; rows: RawBuilder<unknown> }): Promise<number> => {
  const { tenantId, at, rows } = given
  const result = await sql`
    with merged as (
      select u.id, jsonb_strip_nulls(u.base || p.patch) as base,
        coalesce((select jsonb_object_agg(o.field, o.value) from user_overrides o where o.tenant_id = u.tenant_id and o.user_id = u.id), '{}') as overrides
      from (${rows}) p
      join users u on u.tenant_id = ${tenantId} and u.id = p.user_id
      where u.version = p.user_version and not u.locked
    ), effective as (
      select m.id, m.base, ${renamedList}, coalesce(x.active, true) as active, s.id as site_id
      from merged m
      cross join lateral jsonb_to_record(m.base || m.overrides) as x (${typed})
      ${siteOf(tenantId)}
    )
    update users u set ${setList}, base = e.base, active = e.active, updated_at = ${at}::timestamptz,
      site_id = case when u.location_name is distinct from e.location_name or u.site_id is null then e.site_id else u.site_id end,
      deactivated_at = case when e.active then null when u.active then ${at}::timestamptz else u.deactivated_at end,
      version = u.version + ((${storedList}, u.active) is distinct from (${sql.raw(columns.map((column) => `e.${column}`).join(', '))}, e.active))::integer
    from effective e
    where u.tenant_id = ${tenantId} and u.id = e.id`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}
