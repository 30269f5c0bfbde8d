import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/narrow-sites.ts'
import { type Continued, listPeople } from './users.views.ts'

interface Asked extends Scope {
  readonly connectorId: string | undefined
  readonly searchText: string | undefined
  /** What an earlier page answered as `next`. */
  readonly after: unknown
  readonly limit: number
}

interface Row {
  id: string
  name: string
  title: string | null
  createdAt: Date
}

/** Active people who may be named as somebody's manager, by name. */
export const suggestManagers = async (
  db: Db,
  { tenantId, sites, connectorId, searchText, after, limit }: Asked,
): Promise<{ data: Row[]; next: unknown }> => {
  const { rows, next } = await listPeople<Row>(db, {
    filter: { tenantId, sites, connectorId, searchText: searchText || undefined, accountStatus: 'active' },
    sort: 'displayName',
    after: after as Continued | undefined,
    pageSize: limit,
    columns: sql`u.id, u.display_name as name, u.title, u.created_at as "createdAt"`,
  })
  return { data: rows, next }
}
