/** Connector definitions and instances: sources and targets (decisions.md sections 2 and 3). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { lineOfText, upTo } from './line-of-text.ts'
import { Id, Instant, PlainDate, queryBoolean } from './page.ts'
import { EVERY_PERMISSION, PEOPLE_ADMINS, TENANT_ADMINS } from './roles.ts'

export const ConnectorKind = z.enum(['source', 'target'])

/** A kind of connector the code knows. `propertiesSchema` is JSON Schema; a property with `secret: true` is write-only. */
export const ConnectorDefinition = z.object({
  id: z.string(),
  name: z.string(),
  kind: ConnectorKind,
  description: z.string(),
  ingestionType: z.enum(['manual', 'file', 'scim', 'rest', 'ldap', 'target']),
  propertiesSchema: z.record(z.string(), z.unknown()),
  supportedFields: z.array(z.string()),
  supportedOperations: z.array(z.string()),
})
export type ConnectorDefinition = z.infer<typeof ConnectorDefinition>

export const Connector = z.object({
  id: Id,
  name: z.string(),
  definitionId: z.string(),
  kind: ConnectorKind,
  enabled: z.boolean(),
  ingestionType: z.string(),
  properties: z.record(z.string(), z.unknown()),
  /** Names of the secret properties that hold a value; the values never leave the server. */
  secretsSet: z.array(z.string()),
  /** Permission bits; an act needs the role, the administrator's mask and this one. */
  permissions: z.number().int(),
  tenantId: Id,
  createdAt: Instant,
})
export type Connector = z.infer<typeof Connector>

/** Longest name of a connector. */
const MAX_CONNECTOR_NAME = 100
const name = lineOfText({ longest: MAX_CONNECTOR_NAME, missing: 'enterName' })
/** Secret properties stand among the others; absent = leave, null = clear. */
const properties = z.record(z.string(), z.union([upTo(4000), z.number(), z.boolean(), z.null()]))

const permissions = z.number().int().min(0).max(EVERY_PERMISSION)

export const listDefinitions = endpoint({
  id: 'connectors.definitions',
  method: 'GET',
  path: '/connectors/definitions',
  summary: 'The kinds of connector there are.',
  who: { roles: TENANT_ADMINS },
  within: 'self',
  response: z.object({ data: z.array(ConnectorDefinition) }),
})

export const listConnectors = endpoint({
  id: 'connectors.list',
  method: 'GET',
  path: '/connectors/{tenantId}/instances',
  summary: 'Connectors of the tenant, by name. Below tenant level: without GDPR, manual ones and those without people.',
  who: { roles: PEOPLE_ADMINS, basic: true },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  response: z.object({ data: z.array(Connector) }),
})

export const listLocalConnectors = endpoint({
  id: 'connectors.listLocal',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/local',
  summary: 'The manual and file connectors of the tenant.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  response: z.object({ data: z.array(Connector) }),
})

export const getConnector = endpoint({
  id: 'connectors.get',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}',
  summary: 'One connector.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, id: Id }),
  response: Connector,
})

export const createConnector = endpoint({
  id: 'connectors.create',
  method: 'POST',
  path: '/connectors/{tenantId}/instances',
  summary: 'Adds a connector.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  body: z.object({
    name,
    definitionId: z.string(),
    properties: properties.default({}),
    enabled: z.boolean().default(true),
    permissions: permissions.default(EVERY_PERMISSION),
  }),
  response: Connector,
  status: 201,
  problems: ['DEFINITION_UNKNOWN', 'CONNECTOR_NAME_TAKEN', 'MAINTENANCE'],
})

export const updateConnector = endpoint({
  id: 'connectors.update',
  method: 'PUT',
  path: '/connectors/{tenantId}/instances/{id}',
  summary: 'Changes a connector; absent members stay, null clears.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  within: 'tenant',
  params: z.object({ tenantId: Id, id: Id }),
  body: z.object({
    name: name.optional(),
    properties: properties.optional(),
    enabled: z.boolean().optional(),
    permissions: permissions.optional(),
  }),
  response: Connector,
  problems: ['DEFINITION_UNKNOWN', 'CONNECTOR_NAME_TAKEN', 'MAINTENANCE'],
})

export const testConnector = endpoint({
  id: 'connectors.test',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/test',
  summary: 'Asks a target whether it answers with the stored address and token.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, id: Id }),
  response: z.object({ ok: z.literal(true), detail: z.string() }),
  problems: ['TARGET_UNREACHABLE', 'CONNECTOR_KIND_WRONG'],
})

/** How many people: now, or on a day that is over. */
export const ConnectorStats = z.object({
  connectorId: Id,
  totalUsers: z.number().int(),
  /** False where the total is estimated (beyond 10,000). */
  exact: z.boolean(),
  asAt: Instant,
  siteId: Id.nullable(),
})
export type ConnectorStats = z.infer<typeof ConnectorStats>

export const getConnectorStats = endpoint({
  id: 'connectors.stats',
  method: 'GET',
  path: '/connectors/{id}/stats',
  summary: 'How many people a connector holds, in total or at one site, now or at the end of a day; and at each site with `bySite=true`.',
  who: { roles: PEOPLE_ADMINS },
  within: 'connector',
  params: z.object({ id: Id }),
  query: z.object({ siteId: Id.optional(), asAt: PlainDate.optional(), bySite: queryBoolean }),
  response: ConnectorStats.extend({
    sites: z.array(z.object({ siteId: Id.nullable(), name: z.string().nullable(), totalUsers: z.number().int() })).nullable(),
  }),
})

const supports = {
  method: 'GET',
  who: { roles: PEOPLE_ADMINS, basic: true },
  within: 'tenantOrConnector',
  params: z.object({ id: Id }),
} as const

export const getSupportedFields = endpoint({
  ...supports,
  id: 'connectors.supportedFields',
  path: '/connectors/{id}/supported-fields',
  summary: 'Fields of a person that a connector brings; with a tenant id those that any of its connectors brings.',
  response: z.object({ data: z.array(z.string()) }),
})

export const getSupportedOperations = endpoint({
  ...supports,
  id: 'connectors.supportedOperations',
  path: '/connectors/{id}/supported-operations',
  summary: 'What a connector can do; with a tenant id what any of its connectors can do.',
  response: z.object({ data: z.array(z.string()) }),
})
