import type { Site, SiteGroup } from '@instep/contract/sites.ts'
import type { Db } from '../../platform/db/database.ts'
import { withinSites } from '../../platform/db/within-sites.ts'
import type { Actor } from '../../platform/http/actor.ts'

/** Whose view it is: a tenant, and the sites of it that the caller may see. */
export interface Scope {
  readonly tenantId: string
  readonly sites: Actor['sites']
}

/** Active sites within the scope, by name; of one group where `groupId` is given. */
export const listSites = async (db: Db, { tenantId, sites }: Scope, groupId?: string): Promise<Site[]> => {
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'name', 'active', 'group_id', 'tenant_id', 'employee_id_prefix', 'restricted', 'shifts_enabled', 'time_zone'])
    .where('tenant_id', '=', tenantId)
    .where('active', '=', true)
    .where(withinSites('id', sites))
    .$if(groupId !== undefined, (query) => query.where('group_id', '=', groupId ?? null))
    .orderBy('name_folded')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    active: row.active,
    groupId: row.group_id,
    tenantId: row.tenant_id,
    employeeIdPrefix: row.employee_id_prefix,
    restricted: row.restricted,
    shiftsEnabled: row.shifts_enabled,
    timeZone: row.time_zone,
  }))
}

/** Site groups by name: every one at tenant level, else those with an active site within the scope. */
export const listSiteGroups = async (db: Db, { tenantId, sites }: Scope): Promise<SiteGroup[]> => {
  const rows = await db
    .selectFrom('site_groups as g')
    .select(['g.id', 'g.name', 'g.tenant_id'])
    .where('g.tenant_id', '=', tenantId)
    .$if(sites !== 'all', (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('sites as s')
            .select('s.id')
            .whereRef('s.tenant_id', '=', 'g.tenant_id')
            .whereRef('s.group_id', '=', 'g.id')
            .where('s.active', '=', true)
            .where(withinSites('s.id', sites)),
        ),
      ),
    )
    .orderBy('g.name_folded')
    .execute()
  return rows.map((row) => ({ id: row.id, name: row.name, tenantId: row.tenant_id }))
}
