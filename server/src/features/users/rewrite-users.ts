import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { effectiveList, namedValueList, setList, siteOf, storedList, TYPED } from './document-columns.ts'

export interface Rewriting {
  readonly tenantId: string
  readonly at: Date
  /**
   * The people and what counts beneath their overrides: a relation with the columns `id uuid, base jsonb, linked boolean, site_given boolean,
   * given_site uuid`. `linked`: they come from a source, and follow the location to its site; a site that is given is taken as it stands.
   */
  readonly documents: RawBuilder<unknown>
  /** Whether the version grows with every change, or only where an effective value changed. */
  readonly bump: 'always' | 'effective'
}

/** A person after the rewriting. */
export interface Rewritten {
  readonly id: string
  readonly version: number
  readonly display_name: string
}

/** Given and family name, unless the source or an administrator said something else. */
const DISPLAY_NAME = sql`
  case
    when o.overrides ? 'displayName' or (d.base ->> 'displayName') is distinct from (d.base ->> 'givenName') || ' ' || (d.base ->> 'familyName')
      then coalesce(x."displayName", x."givenName" || ' ' || x."familyName")
    else x."givenName" || ' ' || x."familyName"
  end`

const CLAIM_FIELDS = sql`
  case when d.base ? 'claimFields' or o.overrides ? 'claimFields'
    then jsonb_strip_nulls(coalesce(d.base -> 'claimFields', '{}') || coalesce(o.overrides -> 'claimFields', '{}')) else '{}' end`

const SITE = sql`
  case
    when e.site_given then e.given_site
    when u.location_name is distinct from e.location_name and (e.linked or u.site_id is null) then e.location_site
    when u.site_id is null and e.linked then e.location_site
    else u.site_id
  end`

/**
 * The one statement that computes effective values: base ⊕ overrides, as the overrides are at this moment. Custom security attributes are laid
 * over each other one by one; everything else as a whole. The documents are materialized, because each of them is read many times.
 */
const statement = ({ tenantId, at, documents, bump }: Rewriting) => sql<Rewritten>`
  with documents as materialized (${documents}), effective as (
    select d.id, d.base, d.linked, d.site_given, d.given_site, o.overrides is not null as overridden, ${namedValueList(DISPLAY_NAME)},
      ${CLAIM_FIELDS} as claim_fields, coalesce(x.active, true) as active, s.id as location_site
    from documents d
    left join lateral (
      select jsonb_object_agg(o.field, o.value) as overrides from user_overrides o where o.tenant_id = ${tenantId} and o.user_id = d.id
    ) o on true
    cross join lateral jsonb_to_record(d.base || coalesce(o.overrides, '{}')) as x (${TYPED})
    ${siteOf(tenantId)}
  )
  update users u set ${setList}, claim_fields = e.claim_fields, base = e.base, overridden = e.overridden, active = e.active,
    updated_at = ${at}::timestamptz, site_id = ${SITE},
    deactivated_at = case when e.active then null when u.active then ${at}::timestamptz else u.deactivated_at end,
    version = u.version + ${
      bump === 'always'
        ? sql`1`
        : sql`((${storedList}, u.active, u.claim_fields) is distinct from (${effectiveList}, e.active, e.claim_fields))::integer`
    }
  from effective e
  where u.tenant_id = ${tenantId} and u.id = e.id`

/** Writes base and effective values of thousands of people at once, and answers how many. */
export const rewriteUsers = async (tx: Tx, given: Rewriting): Promise<number> => {
  const result = await statement(given).execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

/** The same for few people, who are wanted back. */
export const rewriteUsersReturning = async (tx: Tx, given: Rewriting): Promise<Rewritten[]> => {
  const { rows } = await sql<Rewritten>`${statement(given)} returning u.id, u.version, u.display_name`.execute(tx)
  return rows
}
