/** What a SCIM target says of itself and what it does when it is tried, with a throw-away account; and its attributes. */
import { z } from 'zod'
import { AttributeRules } from './attribute-rules.ts'
import { endpoint } from './endpoint.ts'
import { Id, Instant } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'
import { RunState } from './run-state.ts'
import { DIALECT_IDS } from './scim-dialects.ts'

/** An attribute that the target's schemas name, as a path that a rule can have. */
export const OfferedAttribute = z.object({ path: z.string(), type: z.string(), required: z.boolean() })
export type OfferedAttribute = z.infer<typeof OfferedAttribute>

/** What `ServiceProviderConfig`, `ResourceTypes` and `Schemas` say (RFC 7643 sections 5 to 7); null where the target says nothing. */
export const ScimDiscovery = z.object({
  patch: z.boolean().nullable(),
  filter: z.boolean().nullable(),
  maxResults: z.number().int().nullable(),
  bulk: z.boolean().nullable(),
  etag: z.boolean().nullable(),
  groups: z.boolean().nullable(),
  attributes: z.array(OfferedAttribute),
})
export type ScimDiscovery = z.infer<typeof ScimDiscovery>

/** What is tried, in this order. */
export const CONFORMANCE_CHECKS = [
  'list',
  'groups',
  'create',
  'read',
  'paging',
  'filterUserName',
  'filterExternalId',
  'filterEmail',
  'foldsCase',
  'duplicates',
  'patchAdd',
  'patchReplace',
  'patchRemove',
  'patchSubAttribute',
  'patchWithoutPath',
  'patchEntry',
  'patchCapitals',
  'put',
  'versions',
  'deactivate',
  'foundWhenOff',
  'reactivate',
  'delete',
] as const
export const ConformanceCheck = z.enum(CONFORMANCE_CHECKS)
export type ConformanceCheck = z.infer<typeof ConformanceCheck>

/** `unknown`: it could not be tried, or its answer proves nothing. */
export const ConformanceResult = z.object({
  check: ConformanceCheck,
  outcome: z.enum(['yes', 'no', 'unknown']),
  /** What the target answered instead, in one technical line. */
  detail: z.string().nullable(),
})
export type ConformanceResult = z.infer<typeof ConformanceResult>

/** A throw-away account that could not be removed. */
export const LeftOver = z.object({ remoteId: z.string(), active: z.boolean() })
export type LeftOver = z.infer<typeof LeftOver>

/** The profile that agrees best with what was found, and the settings that would have to differ from it. */
export const FittingProfile = z.object({ profile: z.enum(DIALECT_IDS), settings: z.record(z.string(), z.string()) })
export type FittingProfile = z.infer<typeof FittingProfile>

export const ConformanceRun = z.object({
  id: Id,
  state: RunState,
  userName: z.string(),
  results: z.array(ConformanceResult),
  discovery: ScimDiscovery.nullable(),
  fitting: FittingProfile.nullable(),
  leftOvers: z.array(LeftOver),
  startedBy: z.string(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
  /** Why it did not come to its end. */
  failure: z.string().nullable(),
})
export type ConformanceRun = z.infer<typeof ConformanceRun>

const ofTarget = { within: 'tenant', params: z.object({ tenantId: Id, id: Id }) } as const

export const startConformance = endpoint({
  ...ofTarget,
  id: 'connectors.conformance.start',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/conformance',
  summary: 'Tries what a SCIM target supports, with a throw-away account that is removed at the end.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  response: ConformanceRun,
  status: 201,
  problems: ['CONNECTOR_KIND_WRONG', 'RUN_ACTIVE', 'MAINTENANCE'],
})

export const cancelConformance = endpoint({
  ...ofTarget,
  id: 'connectors.conformance.cancel',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/conformance/cancel',
  summary: 'Ends the try of a SCIM target that is under way; its throw-away account is removed all the same.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  response: ConformanceRun,
  problems: ['CONNECTOR_KIND_WRONG', 'RUN_STATE_WRONG'],
})

export const getConformance = endpoint({
  ...ofTarget,
  id: 'connectors.conformance.get',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/conformance',
  summary: 'The last time that a target was tried; null where it never was.',
  who: { roles: TENANT_ADMINS },
  response: z.object({ run: ConformanceRun.nullable() }),
  problems: ['CONNECTOR_KIND_WRONG'],
})

/** The rules in force and the number of their version; null before the first. */
const StoredRules = z.object({ version: z.number().int().nullable(), rules: AttributeRules })

export const getAttributeRules = endpoint({
  ...ofTarget,
  id: 'connectors.attributes.get',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/attributes',
  summary: 'Which fields become which attributes at a SCIM target, where that is not the usual.',
  who: { roles: TENANT_ADMINS },
  response: StoredRules,
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const setAttributeRules = endpoint({
  ...ofTarget,
  id: 'connectors.attributes.set',
  method: 'PUT',
  path: '/connectors/{tenantId}/instances/{id}/attributes',
  summary: 'Sets all rules of a SCIM target, as the next version; everybody’s account is compared with them again.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  body: z.object({ rules: AttributeRules }),
  response: StoredRules,
  problems: ['CONNECTOR_KIND_WRONG', 'MAINTENANCE'],
})

export const previewAttributeRules = endpoint({
  ...ofTarget,
  id: 'connectors.attributes.preview',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/attributes/preview',
  summary: 'What rules would make of one person (the first by id unless one is named), beside what is sent now. Changes nothing.',
  who: { roles: TENANT_ADMINS },
  body: z.object({ rules: AttributeRules, userId: Id.optional() }),
  response: z.object({
    /** Null where there is nobody. */
    person: z.object({ id: Id, displayName: z.string() }).nullable(),
    attributes: z.array(z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  }),
  problems: ['CONNECTOR_KIND_WRONG', 'TARGET_UNREACHABLE'],
})
