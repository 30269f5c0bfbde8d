import { foldedName } from '@instep/contract/folded-name.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { SiteDays } from './employment.rules.ts'

/** The day that it is at each site of a tenant at one moment; a location names a site as `users` finds it. */
export const loadSiteDays = async (db: Db, { tenantId, at }: { tenantId: string; at: Date }): Promise<SiteDays> => {
  const day = (zone: string) => sql`to_char(${at}::timestamptz at time zone ${sql.ref(zone)}, 'YYYY-MM-DD')`
  const { rows } = await sql<{ id: string | null; name: string | null; active: boolean; day: string }>`
    select null as id, null as name, true as active, ${day('t.time_zone')} as day from tenants t where t.id = ${tenantId}
    union all
    select s.id, s.name, s.active, ${day('s.time_zone')} from sites s where s.tenant_id = ${tenantId}`.execute(db)
  const tenantDay = rows.find(({ id }) => id === null)?.day ?? at.toISOString().slice(0, 10)
  const bySite = new Map(rows.map((row) => [row.id, row.day]))
  const byName = new Map(rows.flatMap((row) => (row.name !== null && row.active ? [[foldedName(row.name), row.day] as const] : [])))
  return {
    atSite: (siteId) => bySite.get(siteId) ?? tenantDay,
    atLocation: (location) => (location === null ? undefined : byName.get(foldedName(location))) ?? tenantDay,
  }
}
