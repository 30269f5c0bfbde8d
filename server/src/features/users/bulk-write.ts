import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { keepSites, returnOverrides, siteBefore } from './before-run.ts'
import { columnList, DERIVED_NAME, placedSite, siteOf, TYPED, valueList } from './document-columns.ts'
import { keepReportingLines } from './reporting-lines.ts'
import { rewriteUsers } from './rewrite-users.ts'

/** So many people in a table that was taken for empty make every plan wrong that was kept for it. */
const MANY = 500

/**
 * Of a small table every index costs the same, and the plans that the database keeps for references to people may go by one that finds all
 * people of the tenant; with so many at once, each of them would be looked for among all the others.
 */
const learnGrowth = async (tx: Tx, added: number): Promise<void> => {
  if (added < MANY) return
  const { rows } = await sql`select from pg_class where oid = 'users'::regclass and reltuples < ${added}::real`.execute(tx)
  if (rows.length > 0) await sql`analyze (skip_locked) users`.execute(tx)
}

/**
 * Adds people from documents, one statement for thousands. A document holds the base values by field name, dates as `YYYY-MM-DD`, `active` and
 * `claimFields` among them; columns are filled from it. Whoever's external id is taken in the connector is left out.
 *
 * @param given.rows a relation with the columns `user_id uuid, doc jsonb`
 * @param given.siteId where they work; absent: where the rules of the source put them, else the site that the location names
 * @returns how many were added
 */
export const createUsers = async (
  tx: Tx,
  given: { tenantId: string; connectorId: string; at: Date; rows: RawBuilder<unknown>; siteId?: string | undefined },
): Promise<number> => {
  const { tenantId, connectorId, at, rows, siteId = null } = given
  const { rows: created } = await sql<{ id: string }>`
    insert into users (
      tenant_id, id, connector_id, site_id, ${columnList}, claim_fields, active, base, deactivated_at, created_at, updated_at
    )
    select ${tenantId}::uuid, p.user_id, ${connectorId}::uuid,
      case when p.doc ? 'placement' then ${placedSite(tenantId, 'p.doc')} else coalesce(${siteId}::uuid, s.id) end, ${valueList(DERIVED_NAME)},
      coalesce(p.doc -> 'claimFields', '{}'), coalesce(x.active, true), p.doc,
      -- who has not started was never switched off
      case when not x.active and p.doc ->> 'employment' is distinct from 'notStarted' then ${at}::timestamptz end, ${at}::timestamptz, ${at}::timestamptz
    from (${rows}) p
    cross join lateral jsonb_to_record(p.doc) as x (${TYPED})
    ${siteOf(tenantId)}
    on conflict (tenant_id, connector_id, external_id) do nothing
    returning id`.execute(tx)
  await learnGrowth(tx, created.length)
  await keepReportingLines(tx, { tenantId, users: created.map(({ id }) => id), formerKeys: [] })
  return created.length
}

/** What a field holds where a document says nothing of it. */
const STANDARD = sql`case o.field when 'active' then 'true' when 'accessCodeDelivery' then '"none"' else 'null' end::jsonb`

const isCaughtUp = (override: 'o' | 'v') =>
  sql`${sql.ref(`${override}.value`)} = coalesce(d.base -> ${sql.ref(`${override}.field`)}, ${STANDARD})`

/**
 * Overrides that say what the source says from now on are none any more (decisions.md section 2). How a reference is read goes with the reference;
 * a name that is derived is not compared.
 */
const dropCaughtUp = async (
  tx: Tx,
  { tenantId, runId }: { tenantId: string; runId: string | undefined },
  documents: RawBuilder<unknown>,
): Promise<void> => {
  const dropped = sql`
    delete from user_overrides o using (${documents}) d
    where o.tenant_id = ${tenantId} and o.user_id = d.id and (
      o.field not in ('claimFields', 'managerReferenceType', 'approverReferenceType') and ${isCaughtUp('o')}
      and (o.field <> 'displayName' or not exists (
        select from user_overrides n where n.tenant_id = o.tenant_id and n.user_id = o.user_id and n.field in ('givenName', 'familyName')
      ))
      or o.field in ('managerReferenceType', 'approverReferenceType') and exists (
        select from user_overrides v
        where v.tenant_id = o.tenant_id and v.user_id = o.user_id and v.field = replace(o.field, 'ReferenceType', '') and ${isCaughtUp('v')}
      )
    )`
  await (runId
    ? sql`
    with dropped as (${dropped} returning o.*)
    insert into caught_up_overrides (tenant_id, run_id, user_id, field, value, by, at, reason, until)
    select tenant_id, ${runId}, user_id, field, value, by, at, reason, until from dropped`
    : dropped
  ).execute(tx)
}

/**
 * Changes what the source says, and with it the effective values. Only where the person still has the version that the caller read and is not
 * locked; the version grows where an effective value changed. null in a patch clears the field. An override that the source has caught up with
 * drops out, so that the source's next word counts.
 *
 * @param given.rows a relation with the columns `user_id uuid, user_version integer, patch jsonb`
 * @param given.linked whether `u` comes from a source; absent: everybody does
 * @param given.runId the run that does it: what drops out and where people worked is kept under its id, so that it can be undone
 * @param given.undoes the run whose changes are taken back: what was kept under its id returns
 * @returns how many were changed
 */
export const updateUsers = async (
  tx: Tx,
  given: {
    tenantId: string
    at: Date
    rows: RawBuilder<unknown>
    linked?: RawBuilder<unknown>
    runId?: string | undefined
    undoes?: string | undefined
  },
): Promise<number> => {
  const { tenantId, at, rows, linked = sql`true`, runId, undoes } = given
  if (runId) await keepSites(tx, { tenantId, runId, rows })
  if (undoes) await returnOverrides(tx, { tenantId, runId: undoes, rows, at })
  const site = undoes ? siteBefore({ tenantId, runId: undoes }) : sql`select false as given, null::uuid as site_id`
  const documents = sql`
    select u.id, jsonb_strip_nulls(u.base || p.patch) as base, ${linked} as linked, coalesce(b.given, false) as site_given, b.site_id as given_site
    from (${rows}) p
    join users u on u.tenant_id = ${tenantId} and u.id = p.user_id
    left join lateral (${site}) b on true
    where u.version = p.user_version and not u.locked`
  await dropCaughtUp(tx, { tenantId, runId }, documents)
  return rewriteUsers(tx, { tenantId, at, documents, bump: 'effective' })
}
