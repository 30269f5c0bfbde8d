import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { effectiveList, namedValueList, placedSite, setList, siteNamed, siteOf, storedList, TYPED } from './document-columns.ts'
import { keepReportingLines } from './reporting-lines.ts'

export interface Rewriting {
  readonly tenantId: string
  readonly at: Date
  /**
   * The people and what counts beneath their overrides: a relation with the columns `id uuid, base jsonb, linked boolean, site_given boolean,
   * given_site uuid`. `linked`: they come from a source, and follow its rules to a site, or the location where there are none; a site that is given
   * is taken as it stands.
   */
  readonly documents: RawBuilder<unknown>
  /** Whether the version grows with every change, or only where an effective value or the placement by rules changed. */
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

/** Where the source has put somebody so far: by its rules, else where the location says. */
const placedBefore = (tenantId: string) => sql`coalesce(u.base ->> 'placement', (
  select w.id::text from sites w where w.tenant_id = ${tenantId} and w.active and w.name_folded = ${siteNamed(tenantId, sql`u.location_name`)}
), 'none')`

/** Whoever was moved by hand stays until the source says another site than before. */
const siteAfter = (tenantId: string) => sql`
  case
    when e.site_given then e.given_site
    when e.linked and e.base ? 'placement' then
      case when u.site_id is null or e.base ->> 'placement' <> ${placedBefore(tenantId)} then ${placedSite(tenantId, 'e.base')} else u.site_id end
    when e.linked and u.base ? 'placement' then
      case when u.site_id is null or u.base ->> 'placement' <> coalesce(e.location_site::text, 'none') then e.location_site else u.site_id end
    when u.location_name is distinct from e.location_name and (e.linked or u.site_id is null) then e.location_site
    when u.site_id is null and e.linked then e.location_site
    else u.site_id
  end`

/** What a reference may name somebody by. */
const KEYS = sql`array[u.external_id collate "default", u.employee_number, u.work_email]`

/**
 * The one statement that computes effective values: base ⊕ overrides, as the overrides are at this moment. Custom security attributes are laid
 * over each other one by one; everything else as a whole. The documents are materialized, because each of them is read many times. Answers
 * `answer` of the people written: `id`, `version`, `display_name`, and whether they are `touched`: named by other keys, or naming another manager.
 */
const statement = <Row>({ tenantId, at, documents, bump }: Rewriting, answer: RawBuilder<unknown>) => sql<Row>`
  with documents as materialized (${documents}), effective as (
    select d.id, d.base, d.linked, d.site_given, d.given_site, o.overrides is not null as overridden, ${namedValueList(DISPLAY_NAME)},
      ${CLAIM_FIELDS} as claim_fields, coalesce(x.active, true) as active,
      d.base ->> 'employment' = 'notStarted' and not coalesce(o.overrides ? 'active', false) as awaited, s.id as location_site
    from documents d
    left join lateral (
      select jsonb_object_agg(o.field, o.value) as overrides from user_overrides o where o.tenant_id = ${tenantId} and o.user_id = d.id
    ) o on true
    cross join lateral jsonb_to_record(d.base || coalesce(o.overrides, '{}')) as x (${TYPED})
    ${siteOf(tenantId)}
  ), was as materialized (
    select u.id, ${KEYS} as keys, (u.manager, u.manager_reference_type) as manager
    from users u where u.tenant_id = ${tenantId} and u.id in (select id from effective)
  ), written as (
  update users u set ${setList}, claim_fields = e.claim_fields, base = e.base, overridden = e.overridden, active = e.active,
    updated_at = ${at}::timestamptz, site_id = ${siteAfter(tenantId)},
    deactivated_at = case when e.active or e.awaited then null when u.active then ${at}::timestamptz else u.deactivated_at end,
    version = u.version + ${
      bump === 'always'
        ? sql`1`
        : sql`((${storedList}, u.active, u.claim_fields) is distinct from (${effectiveList}, e.active, e.claim_fields)
            or u.base -> 'placement' is distinct from e.base -> 'placement')::integer`
    }
  from effective e
  where u.tenant_id = ${tenantId} and u.id = e.id
  returning u.id, u.version, u.display_name, ${KEYS} as keys, (u.manager, u.manager_reference_type) as manager
  )
  select ${answer} from (
    select w.id, w.version, w.display_name, s.keys as former, (w.keys, w.manager) is distinct from (s.keys, s.manager) as touched
    from written w join was s on s.id = w.id
  ) w`

/** Whoever is named by other keys than before, or names another manager. */
interface Touched {
  readonly id: string
  readonly former: readonly (string | null)[]
}

const keepLines = async (tx: Tx, tenantId: string, touched: readonly Touched[]): Promise<void> => {
  if (touched.length === 0) return
  await keepReportingLines(tx, {
    tenantId,
    users: touched.map(({ id }) => id),
    formerKeys: touched.flatMap(({ former }) => former.filter((key) => key !== null)),
  })
}

/** Writes base and effective values of thousands of people at once, and answers how many. */
export const rewriteUsers = async (tx: Tx, given: Rewriting): Promise<number> => {
  const { rows } = await statement<{ count: number; touched: Touched[] }>(
    given,
    sql`count(*)::integer as count,
      coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'former', to_jsonb(w.former))) filter (where w.touched), '[]') as touched`,
  ).execute(tx)
  await keepLines(tx, given.tenantId, rows[0]?.touched ?? [])
  return rows[0]?.count ?? 0
}

/** The same for few people, who are wanted back. */
export const rewriteUsersReturning = async (tx: Tx, given: Rewriting): Promise<Rewritten[]> => {
  const answer = sql`w.id, w.version, w.display_name, w.former, w.touched`
  const { rows } = await statement<Rewritten & Touched & { touched: boolean }>(given, answer).execute(tx)
  await keepLines(
    tx,
    given.tenantId,
    rows.filter(({ touched }) => touched),
  )
  return rows
}
