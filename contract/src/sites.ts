/** Sites and site groups, as the site picker reads them. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id } from './page.ts'
import { PEOPLE_ADMINS } from './roles.ts'

export const Site = z.object({
  id: Id,
  name: z.string(),
  active: z.boolean(),
  groupId: Id.nullable(),
  tenantId: Id,
  employeeIdPrefix: z.string(),
  restricted: z.boolean(),
  shiftsEnabled: z.boolean(),
  timeZone: z.string(),
})
export type Site = z.infer<typeof Site>

export const SiteGroup = z.object({ id: Id, name: z.string(), tenantId: Id })
export type SiteGroup = z.infer<typeof SiteGroup>

export const listSiteGroups = endpoint({
  id: 'sites.listGroups',
  method: 'GET',
  path: '/connectors/{tenantId}/site-groups',
  summary: 'Site groups the caller may see: all for tenant level, else those that have sites of theirs.',
  who: { roles: PEOPLE_ADMINS, basic: true },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  response: z.object({ data: z.array(SiteGroup) }),
})

export const listSites = endpoint({
  id: 'sites.list',
  method: 'GET',
  path: '/connectors/{tenantId}/sites',
  summary: 'Active sites the caller may see, by name.',
  who: { roles: PEOPLE_ADMINS, basic: true },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  query: z.object({ groupId: Id.optional() }),
  response: z.object({ data: z.array(Site) }),
})
