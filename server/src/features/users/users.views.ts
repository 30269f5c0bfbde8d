import type { Count } from '@instep/contract/page.ts'
import { type RawBuilder, sql } from 'kysely'
import { EXACT_UP_TO } from '../../platform/db/count-rows.ts'
import type { Db } from '../../platform/db/database.ts'
import { anyOf } from '../../platform/db/prepared.ts'
import { isLooking, type PeopleFilter, peopleConditions, statusesOf } from './users.filter.ts'
import { found, merged, RANGES_OF_SITES, type RangesQuery, readFirst, readPage } from './users.ranges.ts'
import type { Place, UserSort } from './users.sorts.ts'

export interface PeopleQuery {
  readonly filter: PeopleFilter
  readonly sort: UserSort
  /** The place that the page before ended with, and what that page knew of the whole list. */
  readonly after: Continued | undefined
  readonly pageSize: number
  /** What is read of each of them, of `users as u`. */
  readonly columns: RawBuilder<unknown>
  /** How far into a range somebody who fits is looked for, where it is not the usual. */
  readonly patience?: number
}

/** Where the next page begins. */
export interface Continued {
  readonly place: Place
  readonly count: Count
  /** Whether those who are looked for are few enough to be found first and sorted then. */
  readonly few: boolean
}

export interface PeoplePage<Row> {
  readonly rows: Row[]
  /** How many people the whole list holds; counted with the first page. */
  readonly count: Count
  /** Undefined on the last page. */
  readonly next: Continued | undefined
}

/** A select of the people whom a filter admits, for counting them. */
export const peopleSelect = (filter: PeopleFilter): RawBuilder<unknown> =>
  sql`select 1 from users u where ${sql.join(peopleConditions(filter), sql` and `)}`

/** How many people a filter admits that looks for nothing; a sum of what was counted when people were written. */
const peopleCounted = (filter: PeopleFilter): RawBuilder<number> => {
  const { tenantId, sites, connectorId } = filter
  return sql<number>`(
    select coalesce(sum(people), 0)::integer from people_counts
    where tenant_id = ${tenantId} and place_id = ${anyOf(sites === 'all' ? [tenantId] : sites, 'uuid')}
      and ${connectorId ? sql`connector_id = ${connectorId}` : sql`true`} and list_status = ${anyOf(statusesOf(filter), 'smallint')}
  )`
}

/** A page as it was read, one row more than it holds where there are more, and what is known of the whole list. */
interface Read<Row> extends Pick<Continued, 'count' | 'few'> {
  readonly rows: (Row & { place: string })[]
}

/**
 * Many people are met on the way through the ranges, and where they are not met soon enough the ranges are cut smaller, or everybody is looked at.
 */
const readMany = async <Row>(db: Db, query: RangesQuery): Promise<(Row & { place: string })[]> => {
  const { sites, connectorId } = query.filter
  // with a connector as well, a site's range is read for the few of it who come from there
  const bySite = sites !== 'all' && sites.length <= (connectorId ? 1 : RANGES_OF_SITES)
  const { rows, complete } = await readPage<Row>(db, query, merged(query, bySite ? 'site' : 'connector'))
  if (complete) return rows
  const thorough = isLooking(query.filter) || sites === 'all' ? found(query) : merged(query, 'everySite')
  return (await readPage<Row>(db, query, thorough)).rows
}

/** People whose pages are looked at to estimate how many are looked for. */
const SAMPLE = 20_000

/** How many people more than 10,000 fit, from a sample that is the same every time; the planner knows nothing of pieces of names. */
const estimateLookedFor = async (db: Db, filter: PeopleFilter): Promise<Count> => {
  const table = await sql<{ people: number }>`select reltuples as people from pg_class where oid = 'users'::regclass`.execute(db)
  const percent = Math.min(100, Math.max(0.1, (100 * SAMPLE) / Math.max(1, table.rows[0]?.people ?? 0)))
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from users u tablesample system (${percent}) repeatable (1)
    where ${sql.join(peopleConditions(filter), sql` and `)}`.execute(db)
  return { value: Math.max(Math.round(((rows[0]?.count ?? 0) * 100) / percent), EXACT_UP_TO + 1), exact: false }
}

/** The first page: people who are looked for are found and counted in one go while they are few. */
const readFirstPage = async <Row>(db: Db, query: RangesQuery): Promise<Read<Row>> => {
  if (!isLooking(query.filter)) {
    // one statement for both: a list is opened far more often than anything else is asked, and each statement costs a round trip
    const columns = sql`${query.columns}, ${peopleCounted(query.filter)} as counted`
    const rows = await readMany<Row & { counted: number }>(db, { ...query, columns })
    return { count: { value: rows[0]?.counted ?? 0, exact: true }, few: false, rows }
  }
  const { rows, total } = await readFirst<Row>(db, query, EXACT_UP_TO)
  if (total <= EXACT_UP_TO) return { count: { value: total, exact: true }, few: true, rows }
  return { count: await estimateLookedFor(db, query.filter), few: false, rows: await readMany<Row>(db, query) }
}

/** A later page; what the first one knew travels in the token. */
const readNextPage = async <Row>(db: Db, query: RangesQuery, { count, few }: Continued): Promise<Read<Row>> => ({
  count,
  few,
  rows: few ? (await readPage<Row>(db, query, found(query))).rows : await readMany<Row>(db, query),
})

/** One page of people in the order of the list, and how many the list holds. */
export const listPeople = async <Row extends { id: string }>(db: Db, query: PeopleQuery): Promise<PeoplePage<Row>> => {
  const { filter, sort, after, pageSize, columns, patience } = query
  const asked = { filter, sort, after: after?.place, limit: pageSize + 1, columns, patience }
  const { count, few, ...read } = after ? await readNextPage<Row>(db, asked, after) : await readFirstPage<Row>(db, asked)
  const rows = read.rows.slice(0, pageSize)
  const last = read.rows.length > pageSize ? rows.at(-1) : undefined
  return { rows, count, next: last && { place: [last.place, last.id], count, few } }
}
