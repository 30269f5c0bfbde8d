import { columnOf, USER_FIELDS, type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'
import { type RawBuilder, sql } from 'kysely'

const columns = userFieldNames.map(columnOf)

/** A document of values by field name as a row `x`: every field of the form model, typed as its column is, and `active`. */
export const TYPED = sql.raw(
  [...userFieldNames.map((field) => `"${field}" ${USER_FIELDS[field].type === 'date' ? 'date' : 'text'}`), 'active boolean'].join(', '),
)

/** Given and family name of the row `x`. */
export const DERIVED_NAME = sql`coalesce(x."displayName", x."givenName" || ' ' || x."familyName")`

/** The columns of `users` that hold the fields. */
export const columnList = sql.raw(columns.join(', '))
/** Sets them from the relation `e`. */
export const setList = sql.raw(columns.map((column) => `${column} = e.${column}`).join(', '))
/** They as they are in `u`, and as they are in `e`. */
export const storedList = sql.raw(columns.map((column) => `u.${column}`).join(', '))
export const effectiveList = sql.raw(columns.map((column) => `e.${column}`).join(', '))

const expressionOf = (field: UserFieldName, displayName: RawBuilder<unknown>): RawBuilder<unknown> => {
  if (field === 'displayName') return displayName
  // columns that take a value even where the document has none
  if (field === 'accessCodeDelivery') return sql`coalesce(x."accessCodeDelivery", 'none')`
  return sql.raw(`x."${field}"`)
}

/** The columns' values from the row `x`. */
export const valueList = (displayName: RawBuilder<unknown>) => sql.join(userFieldNames.map((field) => expressionOf(field, displayName)))

/** The same under the columns' names. */
export const namedValueList = (displayName: RawBuilder<unknown>) =>
  sql.join(userFieldNames.map((field) => sql`${expressionOf(field, displayName)} as ${sql.ref(columnOf(field))}`))

/**
 * Where rules of the source have put somebody of a document, as `placement` says it: the site's id, or `none`; null where there are no rules. A site
 * that is closed is none.
 */
export const placedSite = (tenantId: string, document: 'p.doc' | 'd.base' | 'e.base') => sql`(
  select k.id from sites k
  where k.tenant_id = ${tenantId} and k.active and k.id = nullif(${sql.ref(document)} ->> 'placement', 'none')::uuid
)`

/**
 * The `name_folded` of the active site that a text names, if there is one. A text that is the name of a site, as most are, is looked up and not taken
 * apart, which takes longer.
 *
 * @param text null is the name of none
 */
export const siteNamed = (tenantId: string | RawBuilder<unknown>, text: RawBuilder<unknown>) => sql`coalesce(
  (select n.name_folded from sites n where n.tenant_id = ${tenantId} and n.active and n.name_folded = lower(${text}) collate "C"),
  folded_name(${text})
) collate "C"`

/** Joins the site that the location's name means as `s`; people of none stand in the Unassigned bucket (site_id null). */
export const siteOf = (tenantId: string) => sql`
  left join sites s on s.tenant_id = ${tenantId} and s.active and s.name_folded = ${siteNamed(tenantId, sql`x."locationName"`)}`
