/** A source's configuration over time: what was changed when, going back to it, taking it along as a file, trying it on what was read last. */
import { z } from 'zod'
import { ConnectorConfig } from './connector-config.ts'
import { endpoint } from './endpoint.ts'
import { GuardReason } from './guard-settings.ts'
import { Id, Instant, page, pageQuery } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'
import { Run } from './sync.ts'

const Version = z.coerce.number().int().min(1).max(2_147_483_647)

export const ConfigVersion = z.object({
  version: z.number().int(),
  createdAt: Instant,
  createdBy: z.string(),
  /** The parts (members of the configuration) that it changed against the version before. */
  changed: z.array(z.string()),
  inForce: z.boolean(),
})
export type ConfigVersion = z.infer<typeof ConfigVersion>

/** One difference: a field of the mapping as a whole, or one value of another part; null where there is none. */
export const ConfigChange = z.object({ path: z.array(z.string()).min(1), before: z.unknown(), after: z.unknown() })
export type ConfigChange = z.infer<typeof ConfigChange>

export const ConfigDiff = z.object({
  /** Null: against nothing. */
  from: z.number().int().nullable(),
  /** Null: what would be imported. */
  to: z.number().int().nullable(),
  changes: z.array(ConfigChange),
})
export type ConfigDiff = z.infer<typeof ConfigDiff>

export const CONFIG_FORMAT = 'instep.connector-config'

/** A configuration as a file. It holds no secrets; what it names by id is named in `names`, and found again by that name where it is imported. */
export const ConfigFile = z.object({
  format: z.literal(CONFIG_FORMAT),
  formatVersion: z.literal(1),
  connector: z.string().max(300).optional(),
  version: z.number().int().optional(),
  config: z.record(z.string(), z.unknown()),
  names: z.record(Id, z.object({ kind: z.enum(['site', 'siteGroup', 'connector']), name: z.string().max(300) })).default({}),
})
export type ConfigFile = z.infer<typeof ConfigFile>

const source = { within: 'connector', params: z.object({ connectorId: Id }) } as const
const oneVersion = { within: 'connector', params: z.object({ connectorId: Id, version: Version }) } as const
const reader = { roles: TENANT_ADMINS } as const
const editor = { roles: TENANT_ADMINS, bit: 'editSettings' } as const

export const listConfigVersions = endpoint({
  ...source,
  id: 'sync.listConfigVersions',
  method: 'GET',
  path: '/connectors/{connectorId}/config/versions',
  summary: 'The versions of a source’s configuration, newest first.',
  who: reader,
  query: z.object(pageQuery),
  response: page(ConfigVersion),
  problems: ['TOKEN_FOREIGN', 'CONNECTOR_KIND_WRONG'],
})

export const getConfigVersion = endpoint({
  ...oneVersion,
  id: 'sync.getConfigVersion',
  method: 'GET',
  path: '/connectors/{connectorId}/config/versions/{version}',
  summary: 'One version of a source’s configuration with all it says.',
  who: reader,
  response: ConfigVersion.extend({ config: ConnectorConfig }),
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const diffConfigVersions = endpoint({
  ...oneVersion,
  id: 'sync.diffConfigVersions',
  method: 'GET',
  path: '/connectors/{connectorId}/config/versions/{version}/diff',
  summary: 'What a version says differently from another (`against`), else from the one before it.',
  who: reader,
  query: z.object({ against: Version.optional() }),
  response: ConfigDiff,
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const restoreConfigVersion = endpoint({
  ...oneVersion,
  id: 'sync.restoreConfigVersion',
  method: 'POST',
  path: '/connectors/{connectorId}/config/versions/{version}/restore',
  summary:
    'Puts what a version says in force again, as a new version; answers the version in force. Nothing happens where it is in force already. Where it turns off a guard it needs a reason. With If-Match only where the version in force is the one that the caller has seen.',
  who: editor,
  body: z.object({ reason: GuardReason.optional() }),
  response: ConfigVersion,
  problems: ['CONNECTOR_KIND_WRONG', 'CONFIG_CHANGED', 'GUARD_REASON_REQUIRED', 'MAINTENANCE'],
})

export const exportConfigVersion = endpoint({
  ...oneVersion,
  id: 'sync.exportConfigVersion',
  method: 'GET',
  path: '/connectors/{connectorId}/config/versions/{version}/export',
  summary: 'A version of the configuration as a JSON file that another source can import. It holds no secrets.',
  who: reader,
  responseKind: 'file',
  fileTypes: ['application/json'],
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const previewConfig = endpoint({
  ...source,
  id: 'sync.previewConfig',
  method: 'POST',
  path: '/connectors/{connectorId}/config/preview',
  summary: 'What importing an exported configuration would change. Nothing changes.',
  who: editor,
  body: ConfigFile,
  response: ConfigDiff.extend({
    /** Guards that it turns off, as their places in the settings, of which the file does not say why: importing it asks for a reason. */
    unsaid: z.array(z.string()),
  }),
  problems: ['CONNECTOR_KIND_WRONG', 'MAPPING_INCOMPLETE'],
})

export const importConfig = endpoint({
  ...source,
  id: 'sync.importConfig',
  method: 'POST',
  path: '/connectors/{connectorId}/config/import',
  summary:
    'Puts an exported configuration in force as a new version; answers the version in force. Nothing happens where it says the same. Where it turns off a guard and does not say why itself, it needs a reason. With If-Match only where the version in force (0: none) is the one that the caller compared with.',
  who: editor,
  body: ConfigFile.extend({ reason: GuardReason.optional() }),
  response: ConfigVersion,
  problems: ['CONNECTOR_KIND_WRONG', 'CONFIG_CHANGED', 'GUARD_REASON_REQUIRED', 'MAPPING_INCOMPLETE', 'MAINTENANCE'],
})

export const tryConfigVersion = endpoint({
  ...oneVersion,
  id: 'sync.tryConfigVersion',
  method: 'POST',
  path: '/connectors/{connectorId}/config/versions/{version}/try',
  summary: 'Plans what a version would make of what was read last. The run ends with its plan, is marked `trial` and changes nothing.',
  who: { roles: TENANT_ADMINS, bit: 'importUsers' },
  response: Run,
  status: 202,
  problems: ['CONNECTOR_KIND_WRONG', 'MAPPING_ABSENT', 'FILE_GONE', 'RUN_ACTIVE'],
})
