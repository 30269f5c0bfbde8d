import type { Site, SiteGroup } from '@instep/contract/sites.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { escapeLike } from '../../platform/db/escape-like.ts'
import type { Scope } from '../../platform/db/narrow-sites.ts'
import { withinSites } from '../../platform/db/within-sites.ts'

/** A list's own narrowing: by name, by the administrator who looks after them. */
interface Narrowing {
  readonly searchText?: string | undefined
  /** Those of this administrator; `inherit`: also those reached through groups. */
  readonly assignedTo?: { readonly adminId: string; readonly inherit: boolean } | undefined
}

export interface SitesQuery extends Narrowing {
  readonly groupId?: string | undefined
  /** Closed ones as well. */
  readonly inactive: boolean
}

/** Which page of a list by name. */
export interface PageOf {
  /** The place that the page before ended with: folded name and id. */
  readonly after: readonly [string, string] | undefined
  readonly limit: number
  /** Whether people and administrators are counted. */
  readonly counted: boolean
}

/** A row with its place in the list. */
export type Placed<Row> = Row & { readonly folded: string }

const nameLike = (column: string, text: string | undefined): RawBuilder<boolean> =>
  text ? sql<boolean>`${sql.ref(column)} like '%' || folded_name(${escapeLike(text)}) || '%'` : sql<boolean>`true`
const behind = (alias: string, after: PageOf['after']): RawBuilder<boolean> =>
  after
    ? sql<boolean>`(${sql.ref(`${alias}.name_folded`)}, ${sql.ref(`${alias}.id`)}) > (${after[0]}, ${after[1]}::uuid)`
    : sql<boolean>`true`

const assigned = ({ adminId, inherit }: NonNullable<Narrowing['assignedTo']>): RawBuilder<boolean> => sql<boolean>`(
  exists (select from admin_sites x where x.tenant_id = s.tenant_id and x.site_id = s.id and x.admin_id = ${adminId})
  or (${inherit} and not s.restricted and exists (
    select from admin_site_groups x where x.tenant_id = s.tenant_id and x.group_id = s.group_id and x.admin_id = ${adminId}
  )))`

/** Enabled administrators who look after the site `s`: by name, or through its group unless it is restricted. */
const lookingAfter = sql`
  select a.id from admins a
  where a.tenant_id = s.tenant_id and a.disabled_at is null and (
    (a.roles && '{admin.super,admin.tenant,admin.sitegroup,admin.site}'::text[]
      and exists (select from admin_sites x where x.tenant_id = s.tenant_id and x.admin_id = a.id and x.site_id = s.id))
    or (not s.restricted and a.roles && '{admin.super,admin.tenant,admin.sitegroup}'::text[]
      and exists (select from admin_site_groups x where x.tenant_id = s.tenant_id and x.admin_id = a.id and x.group_id = s.group_id)))`

/** Of `people_counts as n`. */
const PEOPLE = sql`coalesce(sum(n.people), 0)::integer as members,
  coalesce(sum(n.people) filter (where n.list_status = 2), 0)::integer as claimed,
  coalesce(sum(n.people) filter (where n.list_status < 2), 0)::integer as unclaimed`

const NOT_COUNTED = sql`null::integer as members, null::integer as "adminCount", null::integer as claimed, null::integer as unclaimed`

const SITE = sql`s.id, s.name, s.active, s.group_id as "groupId", s.tenant_id as "tenantId", s.employee_id_prefix as "employeeIdPrefix",
  s.external_code as "externalCode", s.restricted, s.shifts_enabled as "shiftsEnabled", s.time_zone as "timeZone", s.name_folded as folded`

const siteRows = (which: RawBuilder<unknown>, { after, limit, counted }: PageOf) => {
  const shown = sql`select s.* from sites s where ${which} and ${behind('s', after)} order by s.name_folded, s.id limit ${limit}`
  if (!counted) return sql<Placed<Site>>`select ${SITE}, ${NOT_COUNTED} from (${shown}) s order by s.name_folded, s.id`
  return sql<Placed<Site>>`
    with shown as materialized (${shown}), people as (
      select n.place_id as site_id, ${PEOPLE} from people_counts n
      where n.tenant_id = (select tenant_id from shown limit 1) and n.place_id in (select id from shown) group by n.place_id
    )
    select ${SITE}, coalesce(p.members, 0) as members, coalesce(p.claimed, 0) as claimed, coalesce(p.unclaimed, 0) as unclaimed,
      (select count(*)::integer from (${lookingAfter}) a) as "adminCount"
    from shown s left join people p on p.site_id = s.id
    order by s.name_folded, s.id`
}

/** Sites within the scope, by name. */
export const listSites = async (db: Db, { tenantId, sites }: Scope, query: SitesQuery & PageOf): Promise<Placed<Site>[]> => {
  const { groupId, inactive, searchText, assignedTo } = query
  const which = sql`s.tenant_id = ${tenantId} and ${withinSites('s.id', sites)} and (s.active or ${inactive})
    and ${groupId ? sql`s.group_id = ${groupId}` : sql`true`} and ${nameLike('s.name_folded', searchText)}
    and ${assignedTo ? assigned(assignedTo) : sql`true`}`
  return (await siteRows(which, query).execute(db)).rows
}

/** One site with its counts; undefined where the caller sees none. */
export const findSite = async (db: Db | Tx, { tenantId, sites }: Scope, id: string): Promise<Site | undefined> => {
  const which = sql`s.tenant_id = ${tenantId} and s.id = ${id} and ${withinSites('s.id', sites)}`
  const { rows } = await siteRows(which, { after: undefined, limit: 1, counted: true }).execute(db)
  const [{ folded: _, ...site } = { folded: '' }] = rows
  return rows.length > 0 ? (site as Site) : undefined
}

const groupRows = ({ tenantId, sites }: Scope, which: RawBuilder<unknown>, { after, limit, counted }: PageOf) => {
  // the sites of a group that count: active ones of the caller's
  const own = sql`s.tenant_id = ${tenantId} and s.group_id = g.id and s.active and ${withinSites('s.id', sites)}`
  const shown = sql`
    select g.id, g.name, g.tenant_id, g.name_folded, array(select s.id from sites s where ${own}) as site_ids
    from site_groups g
    where g.tenant_id = ${tenantId} and ${sites === 'all' ? sql`true` : sql`exists (select from sites s where ${own})`}
      and ${which} and ${behind('g', after)}
    order by g.name_folded, g.id limit ${limit}`
  const columns = sql`g.id, g.name, g.tenant_id as "tenantId", g.name_folded as folded`
  if (!counted)
    return sql<Placed<SiteGroup>>`select ${columns}, null::integer as sites, ${NOT_COUNTED} from (${shown}) g order by g.name_folded, g.id`
  return sql<Placed<SiteGroup>>`
    with shown as materialized (${shown})
    select ${columns}, cardinality(g.site_ids) as sites, p.members, p.claimed, p.unclaimed,
      (select count(distinct a.id)::integer from sites s cross join lateral (${lookingAfter}) a
        where s.tenant_id = ${tenantId} and s.id = any (g.site_ids)) as "adminCount"
    from shown g
    cross join lateral (select ${PEOPLE} from people_counts n where n.tenant_id = ${tenantId} and n.place_id = any (g.site_ids)) p
    order by g.name_folded, g.id`
}

const assignedGroup = ({ adminId }: NonNullable<Narrowing['assignedTo']>): RawBuilder<boolean> => sql<boolean>`exists (
  select from admin_site_groups x where x.tenant_id = g.tenant_id and x.group_id = g.id and x.admin_id = ${adminId})`

/** Site groups by name: every one at tenant level, else those with an active site within the scope. */
export const listSiteGroups = async (db: Db, scope: Scope, query: Narrowing & PageOf): Promise<Placed<SiteGroup>[]> => {
  const { searchText, assignedTo } = query
  const which = sql`${nameLike('g.name_folded', searchText)} and ${assignedTo ? assignedGroup(assignedTo) : sql`true`}`
  return (await groupRows(scope, which, query).execute(db)).rows
}

/** One site group with its counts; undefined where the caller sees none. */
export const findSiteGroup = async (db: Db | Tx, scope: Scope, id: string): Promise<SiteGroup | undefined> => {
  const { rows } = await groupRows(scope, sql`g.id = ${id}`, { after: undefined, limit: 1, counted: true }).execute(db)
  const [{ folded: _, ...group } = { folded: '' }] = rows
  return rows.length > 0 ? (group as SiteGroup) : undefined
}

/** Whether the id is an administrator's of the tenant. */
export const adminExists = async (db: Db, tenantId: string, adminId: string): Promise<boolean> =>
  (await sql`select from admins where tenant_id = ${tenantId} and id = ${adminId}`.execute(db)).rows.length > 0

/** The site groups that an administrator is assigned to. */
export const groupsOfAdmin = async (db: Db | Tx, tenantId: string, adminId: string): Promise<string[]> => {
  const { rows } = await sql<{ group_id: string }>`
    select group_id from admin_site_groups where tenant_id = ${tenantId} and admin_id = ${adminId}`.execute(db)
  return rows.map(({ group_id }) => group_id)
}

/** How many people belong to a site. */
export const countMembers = async (db: Db | Tx, tenantId: string, siteId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(people), 0)::integer as count from people_counts where tenant_id = ${tenantId} and place_id = ${siteId}`.execute(db)
  return rows[0]?.count ?? 0
}

export interface ClosingImpact {
  readonly members: number
  readonly active: number
  readonly claimed: number
  readonly locked: number
  readonly connectors: { name: string; people: number }[]
  readonly administrators: { name: string; lastSite: boolean }[]
}

/** What closing a site would mean, by name; `lastSite` administrators would be left without any active site. */
export const closingImpact = async (db: Db | Tx, tenantId: string, siteId: string): Promise<ClosingImpact> => {
  const { rows: connectors } = await sql<{ name: string; people: number; active: number; claimed: number; locked: number }>`
    select c.name, count(*)::integer as people, (count(*) filter (where u.active))::integer as active,
      (count(*) filter (where u.list_status = 2))::integer as claimed, (count(*) filter (where u.locked))::integer as locked
    from users u join connectors c on c.tenant_id = u.tenant_id and c.id = u.connector_id
    where u.tenant_id = ${tenantId} and u.site_id = ${siteId}
    group by c.name order by c.name`.execute(db)
  const { rows: administrators } = await sql<{ name: string; lastSite: boolean }>`
    select d.name, not exists (
      select from sites o where o.tenant_id = d.tenant_id and o.active and o.id <> ${siteId} and (
        exists (select from admin_sites x where x.tenant_id = o.tenant_id and x.admin_id = d.id and x.site_id = o.id)
        or (not o.restricted and 'admin.sitegroup' = any (d.roles) and exists (
          select from admin_site_groups x where x.tenant_id = o.tenant_id and x.admin_id = d.id and x.group_id = o.group_id)))
    ) as "lastSite"
    from sites s cross join lateral (${lookingAfter}) a join admins d on d.id = a.id
    where s.tenant_id = ${tenantId} and s.id = ${siteId} and not d.roles && '{admin.super,admin.tenant}'::text[]
    order by d.name`.execute(db)
  const sum = (of: 'people' | 'active' | 'claimed' | 'locked') => connectors.reduce((total, row) => total + row[of], 0)
  return {
    members: sum('people'),
    active: sum('active'),
    claimed: sum('claimed'),
    locked: sum('locked'),
    connectors: connectors.map(({ name, people }) => ({ name, people })),
    administrators,
  }
}
