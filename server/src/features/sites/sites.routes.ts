import * as contract from '@instep/contract/sites.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { listSiteGroups, listSites } from './sites.views.ts'

/** The site picker: groups and active sites that the caller may see. */
export const sitesRoutes = ({ db }: { db: Db }): Route[] => [
  route(contract.listSiteGroups, async ({ tenantId, actor }) => ({ data: await listSiteGroups(db, { tenantId, sites: actor.sites }) })),

  route(contract.listSites, async ({ tenantId, actor, query }) => ({
    data: await listSites(db, { tenantId, sites: actor.sites }, query.groupId),
  })),
]
