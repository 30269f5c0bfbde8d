import { PAGE_SIZES } from '@instep/contract/page.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { anyOf, PREPARED } from '../../platform/db/prepared.ts'
import { isLooking, lookedFor, type PeopleFilter, peopleConditions, statusesOf } from './users.filter.ts'
import { orderOf, type Place, type UserSort } from './users.sorts.ts'

/**
 * How a page of a list is found without reading the list: every connector and every site has its people in an index, by status and in each
 * order. A page is merged from the beginnings of such ranges.
 */
export interface RangesQuery {
  readonly filter: PeopleFilter
  readonly sort: UserSort
  /** The place behind which the page begins. */
  readonly after: Place | undefined
  readonly limit: number
  /** What is read of each of them, of `users as u`. */
  readonly columns: RawBuilder<unknown>
  /** How far into a range somebody who fits is looked for, where it is not the usual. */
  readonly patience: number | undefined
}

export interface RangesPage<Found> {
  readonly rows: Found[]
  /** False where a range was given up before the page was full: somebody further on may belong on it. */
  readonly complete: boolean
}

/** Up to so many sites have ranges of their own; with more, the connectors' ranges are walked and people of other sites left out. */
export const RANGES_OF_SITES = 20
/** So far into a range somebody who fits is looked for. */
const PATIENCE = 1_000
/** The same where the people themselves have to be read to tell. */
const PATIENCE_LOOKING = 2_000

/** Pages of the sizes that the console offers, and one row more. */
const USUAL_LIMITS = new Set(PAGE_SIZES.map((size) => size + 1))

/** A number that the plan depends on: as a parameter it would keep PostgreSQL from one plan for all values ("plan_cache_mode"). */
const literal = (value: number): RawBuilder<number> => sql.lit(Math.trunc(value))

interface Row {
  readonly place: string
  readonly fits: boolean
}

/** Runs a way of finding people and reads them. */
export const readPage = async <Found>(db: Db, query: RangesQuery, way: RawBuilder<unknown>): Promise<RangesPage<Found & Row>> => {
  const { filter, sort, limit, columns } = query
  const order = orderOf(sort).orderByPlace
  // what is looked for and an unusual page have a shape of their own every time, and kept ones would pile up
  const { rows } = await sql<Found & Row>`${isLooking(filter) || !USUAL_LIMITS.has(limit) ? sql`` : PREPARED}
    select ${columns}, p.sort::text as place, p.fits
    from (select * from (${way}) p order by ${order} limit ${literal(limit)}) p
    join users u on u.tenant_id = ${filter.tenantId} and u.id = p.id
    order by ${order}`.execute(db)
  const end = rows.findIndex(({ fits }) => !fits)
  return end < 0 ? { rows, complete: true } : { rows: rows.slice(0, end), complete: false }
}

/** Everybody who fits; none beyond `most`. Materialized, because the planner would else walk in the order and hope to meet enough of them soon. */
const fitting = ({ filter, sort, after }: RangesQuery, most: number | null): RawBuilder<unknown> => {
  const order = orderOf(sort)
  const conditions = [...peopleConditions(filter), ...(after ? [order.behind(after)] : [])]
  return sql`found as materialized (
    select ${order.expression} as sort, u.id from users u where ${sql.join(conditions, sql` and `)} limit ${most}
  )`
}

/** Everybody who fits. */
export const found = (query: RangesQuery): RawBuilder<unknown> =>
  sql`select f.sort, f.id, true as fits from (with ${fitting(query, null)} select sort, id from found) f`

/** The first page of those who fit and how many they are, in one look at everybody; `total` is `most + 1` where they are more. */
export const readFirst = async <Found>(db: Db, query: RangesQuery, most: number): Promise<{ rows: (Found & Row)[]; total: number }> => {
  const { filter, sort, limit, columns } = query
  const order = orderOf(sort).orderByPlace
  const { rows } = await sql<Found & Row & { total: number }>`
    with ${fitting(query, most + 1)}
    select ${columns}, p.sort::text as place, true as fits, p.total
    from (select *, (select count(*)::integer from found) as total from found p order by ${order} limit ${limit}) p
    join users u on u.tenant_id = ${filter.tenantId} and u.id = p.id
    order by ${order}`.execute(db)
  return { rows, total: rows[0]?.total ?? 0 }
}

const ranges = ({ tenantId, sites, connectorId }: PeopleFilter, by: By): RawBuilder<unknown> => {
  if (by !== 'connector') return sites.length === 1 ? sql`(select ${sites[0]}::uuid)` : sql`unnest(${sites}::uuid[])`
  return connectorId
    ? sql`(select ${connectorId}::uuid)`
    : sql`(select c.id from connectors c where c.tenant_id = ${tenantId} and c.kind = 'source')`
}

/** `everySite` asks each site to its end, however many there are. */
type By = 'site' | 'connector' | 'everySite'

/**
 * The first of every range who fit, and where a range is longer than the patience lasts, the place at which it ran out: whatever comes behind
 * that place is not known.
 */
export const merged = ({ filter, sort, after, limit, ...query }: RangesQuery, by: By): RawBuilder<unknown> => {
  const { tenantId, sites, connectorId } = filter
  const order = orderOf(sort)
  const looking = isLooking(filter)
  const usual = looking ? PATIENCE_LOOKING : by === 'connector' && sites !== 'all' ? PATIENCE : undefined
  const patience = usual && (query.patience ?? usual)
  const bySite = by !== 'connector'
  const range = sql`
    u.tenant_id = ${tenantId} and ${bySite ? sql`u.site_id` : sql`u.connector_id`} = r.id and u.list_status = s.status
      and ${after ? order.behind(after) : sql`true`}`
  const fromThere = connectorId ? sql`u.connector_id = ${connectorId}` : sql`true`
  const seen = sites === 'all' ? sql`true` : sql`u.site_id = ${anyOf(sites, 'uuid')}`
  const fits = sql`${bySite ? fromThere : seen} and ${looking ? lookedFor(filter) : sql`true`}`
  // without a limit of its own the range is cut by the page's
  const walked =
    patience === undefined
      ? sql`(select ${order.expression} as sort, u.id, true as fits from users u where ${range} and ${fits} order by ${order.orderBy} limit ${literal(limit)})`
      : sql`(
          with near as materialized (
            select ${order.expression} as sort, u.id, true as fits
            from (select * from users u where ${range} order by ${order.orderBy} limit ${literal(patience)}) u where ${fits} limit ${literal(limit)}
          )
          select * from near
          union all (
            select ${order.expression} as sort, u.id, false from users u
            where ${range} and (select count(*) from near) < ${literal(limit)} order by ${order.orderBy} offset ${literal(patience)} limit 1
          )
        )`
  return sql`
    select w.sort, w.id, w.fits
    from ${ranges(filter, by)} as r (id)
    cross join (values (0::smallint), (1), (2), (3)) as s (status)
    cross join lateral (${walked}) w
    where s.status = ${anyOf(statusesOf(filter), 'smallint')}`
}
