import type { Count } from '@instep/contract/page.ts'
import { type RawBuilder, sql } from 'kysely'
import { countRows, EXACT_UP_TO } from '../../platform/db/count-rows.ts'
import type { Db } from '../../platform/db/database.ts'
import { type PeopleFilter, peopleConditions } from './users.filter.ts'
import { found, merged, RANGES_OF_SITES, type RangesQuery, readPage } from './users.ranges.ts'
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

const isLooking = ({ searchText, condition }: PeopleFilter): boolean => searchText !== undefined || condition !== undefined

/** How many there are, and with that which way finds the page quicker. */
const size = async (db: Db, filter: PeopleFilter): Promise<Pick<Continued, 'count' | 'few'>> => {
  const count = await countRows(db, peopleSelect(filter))
  return { count, few: isLooking(filter) && count.value <= EXACT_UP_TO }
}

/**
 * A page, one more than it holds where there are more. Few people are found and sorted; many are met on the way through the ranges, and where they
 * are not met soon enough the ranges are cut smaller, or everybody is looked at.
 */
const readRows = async <Row>(db: Db, query: RangesQuery, few: boolean): Promise<(Row & { place: string })[]> => {
  const { sites } = query.filter
  if (few) return (await readPage<Row>(db, query, found(query))).rows
  const bySite = sites !== 'all' && sites.length <= RANGES_OF_SITES
  const { rows, complete } = await readPage<Row>(db, query, merged(query, bySite ? 'site' : 'connector'))
  if (complete) return rows
  const thorough = isLooking(query.filter) || sites === 'all' ? found(query) : merged(query, 'everySite')
  return (await readPage<Row>(db, query, thorough)).rows
}

/** One page of people in the order of the list, and how many the list holds. */
export const listPeople = async <Row extends { id: string }>(db: Db, query: PeopleQuery): Promise<PeoplePage<Row>> => {
  const { filter, sort, after, pageSize, columns, patience } = query
  const { count, few } = after ?? (await size(db, filter))
  const read = await readRows<Row>(db, { filter, sort, after: after?.place, limit: pageSize + 1, columns, patience }, few)
  const rows = read.slice(0, pageSize)
  const last = read.length > pageSize ? rows.at(-1) : undefined
  return { rows, count, next: last && { place: [last.place, last.id], count, few } }
}
