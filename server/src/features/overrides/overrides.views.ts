import type { Override, OverrideFilter } from '@instep/contract/overrides.ts'
import type { Count } from '@instep/contract/page.ts'
import { PERMISSIONS } from '@instep/contract/roles.ts'
import { type RawBuilder, sql } from 'kysely'
import { countRows } from '../../platform/db/count-rows.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/narrow-sites.ts'
import { withinSites } from '../../platform/db/within-sites.ts'
import { baseValue } from '../users/public.ts'

/** Which overrides: of the people whom the caller may see, narrowed by what was asked; ages count from `at`. */
export interface OverrideScope extends Scope, Pick<OverrideFilter, 'field' | 'olderThanDays' | 'connectorId'> {
  readonly at: Date
}

/** A place in the list: when it was set, whose it is, of which field. */
export type OverridePlace = readonly [at: string, userId: string, field: string]

const FROM = sql`user_overrides o join users u on u.tenant_id = o.tenant_id and u.id = o.user_id`

/** Conditions over `user_overrides as o` and `users as u`. */
export const overrideConditions = ({
  tenantId,
  sites,
  field,
  olderThanDays,
  connectorId,
  at,
}: OverrideScope): RawBuilder<boolean> => sql<boolean>`
  o.tenant_id = ${tenantId} and ${withinSites('u.site_id', sites)}
  and ${field ? sql`o.field = ${field}` : sql`true`}
  and ${connectorId ? sql`u.connector_id = ${connectorId}` : sql`true`}
  and ${olderThanDays ? sql`o.at < ${at}::timestamptz - make_interval(days => ${olderThanDays})` : sql`true`}`

interface OverrideRow {
  readonly user_id: string
  readonly connector_id: string
  readonly display_name: string
  readonly employee_id: string
  readonly field: string
  readonly value: unknown
  readonly base: Readonly<Record<string, unknown>>
  readonly by: string
  readonly at: Date
  readonly place: string
  readonly reason: string | null
  readonly until: string | null
}

const present = (row: OverrideRow): Override => ({
  userId: row.user_id,
  connectorId: row.connector_id,
  displayName: row.display_name,
  employeeId: row.employee_id,
  field: row.field,
  value: row.value,
  base: baseValue(row.base, row.field as Parameters<typeof baseValue>[1]),
  by: row.by,
  at: row.at.toISOString(),
  reason: row.reason,
  until: row.until,
})

/** Overrides, oldest first, each with its place. */
export const readOverrides = async (
  db: Db,
  scope: OverrideScope,
  { after, limit }: { after: OverridePlace | undefined; limit: number },
): Promise<{ override: Override; place: OverridePlace }[]> => {
  const { rows } = await sql<OverrideRow>`
    select o.user_id, u.connector_id, u.display_name, coalesce(u.employee_number, u.external_id) as employee_id, o.field, o.value, u.base,
      coalesce(o.by ->> 'name', '') as by, o.at, o.at::text as place, o.reason,
      -- kept as the midnight that ends the day; half a day earlier it is that day, also where the site has moved to another time zone since
      to_char((o.until at time zone coalesce(s.time_zone, t.time_zone)) - interval '12 hours', 'YYYY-MM-DD') as until
    from ${FROM}
    join tenants t on t.id = u.tenant_id
    left join sites s on s.tenant_id = u.tenant_id and s.id = u.site_id
    where ${overrideConditions(scope)}
      and ${after ? sql`(o.at, o.user_id, o.field) > (${after[0]}::timestamptz, ${after[1]}::uuid, ${after[2]})` : sql`true`}
    order by o.at, o.user_id, o.field limit ${limit}`.execute(db)
  return rows.map((row) => ({ override: present(row), place: [row.place, row.user_id, row.field] as const }))
}

/** Whoever sees everybody need not look at anybody to count. */
const countedFrom = ({ sites, connectorId }: Pick<OverrideScope, 'sites' | 'connectorId'>) =>
  sites === 'all' && !connectorId ? sql`user_overrides o` : FROM

/** How many there are. */
export const countOverrides = (db: Db, scope: OverrideScope): Promise<Count> =>
  countRows(db, sql`select 1 from ${countedFrom(scope)} where ${overrideConditions(scope)}`)

/** How many there are of each field, whichever field was asked for; most first. */
export const countByField = async (db: Db, { field: _, ...scope }: OverrideScope): Promise<{ field: string; count: number }[]> => {
  const { rows } = await sql<{ field: string; count: number }>`
    select o.field, count(*)::integer as count from ${countedFrom(scope)} where ${overrideConditions(scope)} group by o.field order by 2 desc, 1`.execute(
    db,
  )
  return rows
}

/** One override as a run takes it back. */
export interface Pair {
  readonly userId: string
  readonly field: string
}

/** What a run takes back: the overrides of a scope, or some named ones among them. */
export interface Clearing {
  readonly scope: OverrideScope
  readonly named: readonly Pair[] | undefined
}

/** Those of connectors whose people may not be edited are left out, and those that were set since somebody asked for it. */
const cleared = ({ scope, named }: Clearing) => sql`
  from ${FROM}
  join connectors c on c.tenant_id = u.tenant_id and c.id = u.connector_id and (c.permissions & ${PERMISSIONS.editUsers}) <> 0
  where ${overrideConditions(scope)} and o.at <= ${scope.at}::timestamptz and ${
    named
      ? sql`(o.user_id, o.field) in (select n."userId", n.field from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n ("userId" uuid, field text))`
      : sql`true`
  }`

/** How many overrides there are to take back. */
export const countToClear = async (db: Db, clearing: Clearing): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count ${cleared(clearing)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The next ones, by person and field. */
export const nextToClear = async (
  db: Db,
  clearing: Clearing,
  { after, limit }: { after: Pair | undefined; limit: number },
): Promise<Pair[]> => {
  const { rows } = await sql<Pair>`
    select o.user_id as "userId", o.field ${cleared(clearing)}
      and ${after ? sql`(o.user_id, o.field) > (${after.userId}::uuid, ${after.field})` : sql`true`}
    order by o.user_id, o.field limit ${limit}`.execute(db)
  return rows
}
