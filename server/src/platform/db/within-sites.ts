import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../http/actor.ts'

/** The condition that a column names a site whose people the caller sees; somebody without a site is seen at tenant level only. */
export const withinSites = (column: string, sites: Actor['sites']): RawBuilder<boolean> => {
  if (sites === 'all') return sql<boolean>`true`
  // one site reads an index in the order of a list, several cannot
  return sites.length === 1 ? sql<boolean>`${sql.ref(column)} = ${sites[0]}` : sql<boolean>`${sql.ref(column)} = any(${sites}::uuid[])`
}
