import type { Count } from '@instep/contract/page.ts'
import { type RawBuilder, sql } from 'kysely'
import { countRows, EXACT_UP_TO } from '../../platform/db/count-rows.ts'
import type { Db } from '../../platform/db/database.ts'
import { withinSites } from '../../platform/db/within-sites.ts'
import { lookedFor, type PeopleFilter, peopleConditions, statusesOf } from './users.filter.ts'
import { orderOf, type Place, type UserSort } from './users.sorts.ts'

export interface PeopleQuery {
  readonly filter: PeopleFilter
  readonly sort: UserSort
  /** The place that the page before ended with, and what that page knew of the whole list. */
  readonly after: Continued | undefined
  readonly pageSize: number
  /** What is read of each of them, of `users as u`. */
  readonly columns: RawBuilder<unknown>
}

/** Where the next page begins. */
export interface Continued {
  readonly place: Place
  readonly count: Count
  /** Whether the whole list is few enough to be found first and sorted then. */
  readonly few: boolean
}

export interface PeoplePage<Row> {
  readonly rows: Row[]
  /** How many people the whole list holds; counted with the first page. */
  readonly count: Count
  /** Undefined on the last page. */
  readonly next: Continued | undefined
}

/** With more sites than this, walking through everybody in order and leaving out the others is quicker than asking site by site. */
const SITES_ASKED_ONE_BY_ONE = 100

const all = (conditions: readonly RawBuilder<boolean>[]) => sql.join(conditions, sql` and `)

/**
 * Places of a page by walking indexes in the order of the list: one range for each site or connector, and each status, merged. What was looked
 * for is read off the people on the way, which is quick where many of them fit.
 */
const walk = ({ filter, sort, after, pageSize }: PeopleQuery): RawBuilder<unknown> => {
  const { tenantId, sites, connectorId } = filter
  const order = orderOf(sort)
  const bySite = sites !== 'all' && sites.length <= SITES_ASKED_ONE_BY_ONE
  const ranges = bySite
    ? sql`unnest(${sites}::uuid[])`
    : connectorId
      ? sql`unnest(${[connectorId]}::uuid[])`
      : sql`(select c.id from connectors c where c.tenant_id = ${tenantId} and c.kind = 'source')`
  const residual = bySite
    ? sql`u.site_id = r.id and ${connectorId ? sql`u.connector_id = ${connectorId}` : sql`true`}`
    : sql`u.connector_id = r.id and ${withinSites('u.site_id', sites)}`
  return sql`
    select p.sort, p.id
    from ${ranges} as r (id)
    cross join unnest(${statusesOf(filter)}::smallint[]) as s (status)
    cross join lateral (
      select ${order.expression} as sort, u.id
      from users u
      where u.tenant_id = ${tenantId} and ${residual} and u.list_status = s.status and ${after ? order.behind(after.place) : sql`true`}
        and ${filter.searchText || filter.condition ? lookedFor(filter) : sql`true`}
      order by ${order.orderBy}
      limit ${pageSize + 1}
    ) p
    order by ${order.orderByPlace}
    limit ${pageSize + 1}`
}

/** Places of a page by finding everybody first and sorting then. */
const find = ({ filter, sort, after, pageSize }: PeopleQuery): RawBuilder<unknown> => {
  const order = orderOf(sort)
  // materialized, because the planner would else walk in the order of the list and hope to meet enough of them soon
  return sql`
    select p.sort, p.id
    from (
      with found as materialized (select ${order.expression} as sort, u.id from users u where ${all(peopleConditions(filter))})
      select f.sort, f.id from found f
    ) p
    where ${after ? order.behindPlace(after.place) : sql`true`}
    order by ${order.orderByPlace}
    limit ${pageSize + 1}`
}

/** A select of the people whom a filter admits, for counting them. */
export const peopleSelect = (filter: PeopleFilter): RawBuilder<unknown> => sql`select 1 from users u where ${all(peopleConditions(filter))}`

interface Found {
  readonly count: Count
  readonly few: boolean
}

/** How many there are, and with that which way finds the page quicker. */
const size = async (db: Db, filter: PeopleFilter): Promise<Found> => {
  const count = await countRows(db, peopleSelect(filter))
  return { count, few: (filter.searchText !== undefined || filter.condition !== undefined) && count.value <= EXACT_UP_TO }
}

/** One page of people in the order of the list, and how many the list holds. */
export const listPeople = async <Row extends { id: string }>(db: Db, query: PeopleQuery): Promise<PeoplePage<Row>> => {
  const { filter, sort, after, pageSize, columns } = query
  const { count, few } = after ?? (await size(db, filter))
  const order = orderOf(sort)
  const { rows: found } = await sql<Row & { place: string }>`
    select ${columns}, p.sort::text as place
    from (${few ? find(query) : walk(query)}) p
    join users u on u.tenant_id = ${filter.tenantId} and u.id = p.id
    order by ${order.orderByPlace}`.execute(db)
  const rows = found.slice(0, pageSize)
  const last = found.length > pageSize ? rows.at(-1) : undefined
  return { rows, count, next: last && { place: [last.place, last.id], count, few } }
}
