import type { AccountStatus } from '@instep/contract/users.ts'
import { type RawBuilder, sql } from 'kysely'
import { escapeLike } from '../../platform/db/escape-like.ts'
import { withinSites } from '../../platform/db/within-sites.ts'
import type { Actor } from '../../platform/http/actor.ts'

/** Which people: of a tenant, within what the caller may see, narrowed by what was asked. */
export interface PeopleFilter {
  readonly tenantId: string
  /** The sites that are asked for, among those that the caller sees. */
  readonly sites: Actor['sites']
  readonly connectorId?: string | undefined
  readonly searchText?: string | undefined
  /** Rare pieces of the text that is searched for, which lead to the people sooner; they decide nothing. */
  readonly searchPieces?: readonly string[] | undefined
  readonly accountStatus?: AccountStatus | undefined
  readonly isActive?: boolean | undefined
  /** A compiled condition over `users as u`. */
  readonly condition?: RawBuilder<boolean> | undefined
}

type Condition = RawBuilder<boolean>

/** Values of `users.list_status` by filter. */
const STATUSES: Record<AccountStatus, readonly number[]> = {
  notInvited: [0],
  notClaimed: [1],
  claimed: [2],
  inactive: [3],
  active: [0, 1, 2],
  all: [0, 1, 2, 3],
}

/** The values of `users.list_status` that a filter admits; none where it contradicts itself. */
export const statusesOf = ({ accountStatus = 'all', isActive }: Pick<PeopleFilter, 'accountStatus' | 'isActive'>): number[] =>
  STATUSES[accountStatus].filter((status) => isActive === undefined || isActive === status < 3)

/** Whether only reading the people tells who fits. */
export const isLooking = ({ searchText, condition }: Pick<PeopleFilter, 'searchText' | 'condition'>): boolean =>
  searchText !== undefined || condition !== undefined

/** What only reading the people tells: the search and the condition; true where nothing of the kind was asked. */
export const lookedFor = ({ searchText, condition }: Pick<PeopleFilter, 'searchText' | 'condition'>): Condition =>
  sql<boolean>`(${searchText ? matches(searchText) : sql`true`} and ${condition ?? sql`true`})`

/** Conditions over `users as u`: who may be seen is part of the query, never a filter behind it. */
export const peopleConditions = (filter: PeopleFilter): Condition[] => [
  sql<boolean>`u.tenant_id = ${filter.tenantId}`,
  withinSites('u.site_id', filter.sites),
  ...(filter.connectorId ? [sql<boolean>`u.connector_id = ${filter.connectorId}`] : []),
  ...(statusesOf(filter).length < 4 ? [sql<boolean>`u.list_status = any(${statusesOf(filter)}::smallint[])`] : []),
  ...(filter.searchText || filter.condition ? [sooner(filter)] : []),
]

/** The same, found by the rare pieces where there are any: what is written as an expression the trigram index does not know. */
const sooner = ({ searchText, searchPieces = [], condition }: PeopleFilter): Condition => {
  if (!searchText || searchPieces.length === 0) return lookedFor({ searchText, condition })
  const pieces = searchPieces.map((piece) => sql<boolean>`u.search like '%' || ${escapeLike(piece)} || '%'`)
  const whole = sql<boolean>`(u.search || '') like '%' || lower(${escapeLike(searchText)}) || '%'`
  return sql<boolean>`(${sql.join([...pieces, whole, condition ?? sql`true`], sql` and `)})`
}

/**
 * One or two characters: how a name or an id begins. Three or more: anywhere, by trigrams.
 */
const matches = (text: string): Condition => {
  const wanted = escapeLike(text)
  if ([...text].length > 2) return sql<boolean>`u.search like '%' || lower(${wanted}) || '%'`
  const prefix = sql`lower(${wanted}) || '%'`
  // the first line is what the trigram index can answer: a word that begins so; the others make it exact
  return sql<boolean>`(u.search like ${prefix} or u.search like '% ' || ${prefix}) and (
    u.name_key like ${prefix} or lower(u.given_name) like ${prefix} or lower(u.family_name) like ${prefix}
    or lower(u.external_id collate "default") like ${prefix} or lower(u.employee_number) like ${prefix}
  )`
}
