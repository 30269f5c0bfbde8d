import type { USER_SORTS } from '@instep/contract/users.ts'
import { type RawBuilder, sql } from 'kysely'

export type UserSort = (typeof USER_SORTS)[number]

/** A row's place in a list: the sort value as text, and its id. */
export type Place = readonly [value: string, id: string]

interface Order {
  /** Never null, and covered by an index behind the connector or the site, and the status. */
  readonly expression: RawBuilder<unknown>
  readonly type: 'text' | 'date'
  readonly direction: 'asc' | 'desc'
}

const name = { expression: sql`u.name_key`, type: 'text' } as const
const externalId = { expression: sql`u.external_id`, type: 'text' } as const
// somebody without a start date stands behind everybody who has one, and in front when the order is turned round
const startDate = { expression: sql`u.start_key`, type: 'date' } as const

const ORDERS: Record<UserSort, Order> = {
  displayName: { ...name, direction: 'asc' },
  '-displayName': { ...name, direction: 'desc' },
  externalId: { ...externalId, direction: 'asc' },
  '-externalId': { ...externalId, direction: 'desc' },
  startDate: { ...startDate, direction: 'asc' },
  '-startDate': { ...startDate, direction: 'desc' },
}

/** The order of a list, the place of a row in it, and the condition for what comes behind a place. */
export const orderOf = (sort: UserSort) => {
  const { expression, type, direction } = ORDERS[sort]
  const turned = direction === 'desc'
  const way = sql.raw(turned ? ' desc' : '')
  return {
    /** What the list is sorted by, of `users as u`. */
    expression,
    orderBy: sql`${expression}${way}, u.id${way}`,
    /** The same order of a relation `p` with the columns `sort` and `id`. */
    orderByPlace: sql`p.sort${way}, p.id${way}`,
    behind: ([value, id]: Place): RawBuilder<boolean> =>
      sql<boolean>`(${expression}, u.id) ${sql.raw(turned ? '<' : '>')} (${value}::${sql.raw(type)}, ${id}::uuid)`,
  }
}
