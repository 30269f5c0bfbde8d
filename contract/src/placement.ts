/** Which site a source's people work at: ordered rules over the fields that its mapping fills (decisions.md section 3, "Site placement"). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MappingScope } from './mapping-scope.ts'
import { Id } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'
import { type UserFieldName, userFieldNames } from './user-fields.ts'

/** By what a field's value names a site. */
export const SITE_NAMINGS = ['name', 'code'] as const
export type SiteNaming = (typeof SITE_NAMINGS)[number]

/** Where a rule puts somebody: at one site, or at the site that the value of a field names, by its name or its external code. */
const Destination = z.union([
  z.strictObject({ siteId: Id }),
  z.strictObject({ field: z.enum(userFieldNames as [UserFieldName, ...UserFieldName[]]), by: z.enum(SITE_NAMINGS) }),
])

export const PlacementRule = z.strictObject({
  /** Of whom the rule speaks; absent: of everybody. */
  when: MappingScope.optional(),
  to: Destination,
})
export type PlacementRule = z.infer<typeof PlacementRule>

export const MOST_PLACEMENT_RULES = 200
/** Rules are asked in their order, and the first that names an active site decides. Without any, the location's name is the site's. */
export const Placement = z.object({ rules: z.array(PlacementRule).max(MOST_PLACEMENT_RULES) })
export type Placement = z.infer<typeof Placement>

/** What holds where nobody has set anything. */
export const DEFAULT_PLACEMENT: Placement = { rules: [] }

const PlacementInForce = z.object({
  placement: Placement,
  /** The version of the configuration in force; null before the first. */
  version: z.number().int().nullable(),
})

/** Somebody of the source with what it says of them, to see what rules would make of it. */
export const PlacementSample = z.object({
  id: Id,
  displayName: z.string(),
  siteId: Id.nullable(),
  values: z.record(z.string(), z.string()),
})
export type PlacementSample = z.infer<typeof PlacementSample>

const source = { within: 'connector', params: z.object({ connectorId: Id }) } as const

export const getPlacement = endpoint({
  ...source,
  id: 'placement.get',
  method: 'GET',
  path: '/connectors/{connectorId}/placement',
  summary: 'By which rules people of a source come to their sites, with some of its people to try rules on.',
  who: { roles: TENANT_ADMINS },
  response: PlacementInForce.extend({
    sample: z.array(PlacementSample),
    /** Active people of the source without a site. */
    unassigned: z.number().int(),
  }),
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const updatePlacement = endpoint({
  ...source,
  id: 'placement.update',
  method: 'PUT',
  path: '/connectors/{connectorId}/placement',
  summary: 'Changes the rules, as a version of the source’s configuration; from the next run on. Nobody moves before its plan is applied.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  body: Placement,
  response: PlacementInForce,
  problems: ['CONNECTOR_KIND_WRONG', 'MAINTENANCE'],
})
