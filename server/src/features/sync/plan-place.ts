import { type RawBuilder, sql } from 'kysely'
import { siteNamed } from '../users/public.ts'

/** A part of a plan by where its rows are. */
export interface InPlace {
  /** A site; `none`: without one. */
  readonly siteId?: string | undefined
  /** A department; empty: without one. */
  readonly department?: string | undefined
}

/**
 * Joins whom a plan's row `p` concerns as `u`, as `l` the site that the location of somebody new names, and as `ruled` the one where rules put them, so
 * that `siteOfRow` and `departmentOfRow` can be asked.
 */
export const joinPlace: RawBuilder<unknown> = sql`
  left join users u on u.tenant_id = p.tenant_id and u.id = p.user_id
  left join sites l on u.id is null and l.tenant_id = p.tenant_id and l.active
    and l.name_folded = ${siteNamed(sql`p.tenant_id`, sql`case when u.id is null then p.after ->> 'locationName' end`)}
  left join sites ruled on u.id is null and ruled.tenant_id = p.tenant_id and ruled.active and ruled.id = nullif(p.after ->> 'placement', 'none')::uuid`

/** The site of a row: where the person works, else where somebody new would. Null: none. */
export const siteOfRow: RawBuilder<unknown> = sql`case when u.id is not null then u.site_id when p.after ? 'placement' then ruled.id else l.id end`

/** The department of a row, in the same way. */
export const departmentOfRow: RawBuilder<unknown> = sql`nullif(case when u.id is null then p.after ->> 'department' else u.department end, '')`

/** Narrows rows `p` to a place: what to join, nothing where all are meant, and the condition. */
export const narrowPlace = ({ siteId, department }: InPlace): { join: RawBuilder<unknown>; where: RawBuilder<unknown> } => ({
  join: siteId === undefined && department === undefined ? sql`` : joinPlace,
  where: sql`
    ${siteId === undefined ? sql`` : siteId === 'none' ? sql`and ${siteOfRow} is null` : sql`and ${siteOfRow} = ${siteId}`}
    ${department === undefined ? sql`` : sql`and coalesce(${departmentOfRow}, '') = ${department}`}`,
})
