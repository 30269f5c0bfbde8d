/** Sites and site groups (1-console.md sections 3, 5 and 6; decisions.md section 9). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import type { FieldCode } from './field-message.ts'
import { prefixProblem } from './id-prefix.ts'
import { lineOfText } from './line-of-text.ts'
import { Id, page, queryBoolean, SearchText } from './page.ts'
import { Permit } from './permit.ts'
import { PEOPLE_ADMINS, TENANT_ADMINS } from './roles.ts'

const count = z.number().int().nonnegative()

/** How many people and administrators; null unless `calculated=true` asks for them. `unclaimed` is not claimed and not invited together. */
const counts = { members: count.nullable(), adminCount: count.nullable(), claimed: count.nullable(), unclaimed: count.nullable() }

export const Site = z.object({
  id: Id,
  name: z.string(),
  active: z.boolean(),
  groupId: Id.nullable(),
  tenantId: Id,
  employeeIdPrefix: z.string(),
  /** What HR calls it, for placement rules that go by a site column. */
  externalCode: z.string().nullable(),
  /** Its people are visible only to its own administrators and at tenant level. */
  restricted: z.boolean(),
  shiftsEnabled: z.boolean(),
  timeZone: z.string(),
  ...counts,
})
export type Site = z.infer<typeof Site>

export const SiteGroup = z.object({ id: Id, name: z.string(), tenantId: Id, sites: count.nullable(), ...counts })
export type SiteGroup = z.infer<typeof SiteGroup>

/** Longest name of a site or a site group. */
const MAX_SITE_NAME = 100
const name = lineOfText({ longest: MAX_SITE_NAME, missing: 'enterName' })
const prefix = z
  .string()
  .trim()
  .min(1, 'enterPrefix' satisfies FieldCode)
  .superRefine((text, context) => {
    const message: FieldCode | undefined = prefixProblem(text)
    if (message) context.addIssue({ code: 'custom', message })
  })
/** A zone under the name that the database knows it by as well: no abbreviation, and no offset, whose sign the database reads the other way. */
const knownZone = (zone: string): string | undefined => {
  const isKnown = (name: string): boolean => name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name)
  if (isKnown(zone)) return zone
  try {
    const name = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
    return isKnown(name) ? name : undefined
  } catch {
    return undefined
  }
}
/** A time zone of the IANA list, as the list writes it. */
export const TimeZone = z.string().transform((zone, context) => {
  const known = knownZone(zone)
  if (known !== undefined) return known
  context.addIssue({ code: 'custom', message: 'timeZone' satisfies FieldCode })
  return z.NEVER
})

/** All at once as the pickers need them, or a page of them. */
const listing = {
  userId: Id.optional(),
  calculated: queryBoolean,
  searchText: SearchText.optional(),
  pageSize: z.coerce.number().int().min(1).max(1000).default(1000),
  continuationToken: z.string().max(2000).optional(),
}
const tenantParams = z.object({ tenantId: Id })
const params = z.object({ tenantId: Id, id: Id })
const reading = { who: { roles: PEOPLE_ADMINS, basic: true }, within: 'tenant' } as const
const SITE_EDITORS = ['admin.super', 'admin.tenant', 'admin.sitegroup'] as const
const editing = { who: { roles: SITE_EDITORS, bit: 'editSites' }, within: 'tenant' } as const
const editingGroups = { who: { roles: TENANT_ADMINS, bit: 'editSites' }, within: 'tenant' } as const

export const listSiteGroups = endpoint({
  ...reading,
  id: 'sites.listGroups',
  method: 'GET',
  path: '/connectors/{tenantId}/site-groups',
  summary:
    'Site groups the caller may see, by name: all for tenant level, else those that have sites of theirs. `userId` answers those assigned to that administrator.',
  params: tenantParams,
  query: z.object(listing),
  response: page(SiteGroup),
  problems: ['TOKEN_FOREIGN'],
})

export const getSiteGroup = endpoint({
  ...reading,
  id: 'sites.getGroup',
  method: 'GET',
  path: '/connectors/{tenantId}/site-groups/{id}',
  summary: 'One site group with its counts.',
  params,
  response: SiteGroup.extend({ can: z.object({ edit: Permit }) }),
})

export const createSiteGroup = endpoint({
  ...editingGroups,
  id: 'sites.createGroup',
  method: 'POST',
  path: '/connectors/{tenantId}/site-groups',
  summary: 'Adds a site group.',
  params: tenantParams,
  body: z.object({ name }),
  response: SiteGroup,
  status: 201,
  problems: ['SITE_GROUP_NAME_TAKEN', 'MAINTENANCE'],
})

export const updateSiteGroup = endpoint({
  ...editingGroups,
  id: 'sites.updateGroup',
  method: 'PUT',
  path: '/connectors/{tenantId}/site-groups/{id}',
  summary: 'Renames a site group.',
  params,
  body: z.object({ name }),
  response: SiteGroup,
  problems: ['SITE_GROUP_NAME_TAKEN', 'MAINTENANCE'],
})

export const listSites = endpoint({
  ...reading,
  id: 'sites.list',
  method: 'GET',
  path: '/connectors/{tenantId}/sites',
  summary:
    'Sites the caller may see, by name; active ones unless `inactive=true`. `userId` answers those assigned to that administrator, with `inherit=true` also those reached through groups.',
  params: tenantParams,
  query: z.object({ ...listing, inherit: queryBoolean, groupId: Id.optional(), inactive: queryBoolean }),
  response: page(Site),
  problems: ['TOKEN_FOREIGN'],
})

export const getSite = endpoint({
  ...reading,
  id: 'sites.get',
  method: 'GET',
  path: '/connectors/{tenantId}/sites/{id}',
  summary: 'One site with its counts.',
  params,
  response: Site.extend({ can: z.object({ edit: Permit, restrict: Permit }) }),
})

/** Longest external code of a site. */
const MAX_SITE_CODE = 100
const externalCode = lineOfText({ longest: MAX_SITE_CODE })
  .transform((text) => text || null)
  .nullable()

const siteFields = {
  name,
  externalCode,
  groupId: Id.nullable(),
  employeeIdPrefix: prefix,
  restricted: z.boolean(),
  shiftsEnabled: z.boolean(),
  timeZone: TimeZone,
}

export const createSite = endpoint({
  ...editing,
  id: 'sites.create',
  method: 'POST',
  path: '/connectors/{tenantId}/sites',
  summary: "Adds a site; a site-group administrator adds it to a group of theirs. The time zone is the tenant's where none is given.",
  params: tenantParams,
  body: z.object({
    name,
    groupId: Id.nullable().default(null),
    employeeIdPrefix: prefix,
    externalCode: externalCode.default(null),
    restricted: z.boolean().default(false),
    shiftsEnabled: z.boolean().default(false),
    timeZone: TimeZone.optional(),
  }),
  response: Site,
  status: 201,
  problems: ['SITE_NAME_TAKEN', 'MAINTENANCE'],
})

/** Where the people of a site that closes go: to another site, to the Unassigned bucket, or nowhere (they stay and are found by it). */
export const ClosingMove = z.union([z.strictObject({ siteId: Id }), z.enum(['unassigned', 'stay'])])

export const updateSite = endpoint({
  ...editing,
  id: 'sites.update',
  method: 'PUT',
  path: '/connectors/{tenantId}/sites/{id}',
  summary:
    'Changes a site, or closes and opens it; absent = leave. Closing one that has people must say where they go; many go by a run that is followed like any run over a list. Said of a site that is closed already, it sends the people who are still there.',
  params,
  body: z.object({ ...siteFields, active: z.boolean(), moveTo: ClosingMove }).partial(),
  response: Site.extend({
    /** The run that moves the people of the closed site; null where they have moved already, or stay. */
    runId: Id.nullable(),
  }),
  problems: ['SITE_NAME_TAKEN', 'SITE_HAS_PEOPLE', 'MAINTENANCE'],
})

export const getClosingImpact = endpoint({
  ...editing,
  id: 'sites.closingImpact',
  method: 'GET',
  path: '/connectors/{tenantId}/sites/{id}/impact',
  summary: 'What closing a site would mean: its people, and administrators who would be left without any site.',
  params,
  response: z.object({
    members: count,
    active: count,
    claimed: count,
    locked: count,
    connectors: z.array(z.object({ name: z.string(), people: count })),
    administrators: z.array(z.object({ name: z.string(), lastSite: z.boolean() })),
  }),
})
