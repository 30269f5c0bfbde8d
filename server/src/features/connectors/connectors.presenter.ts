import type { Definition } from '@instep/connectors/kit/definition.ts'
import type { Connector, ConnectorDefinition } from '@instep/contract/connectors.ts'
import type { ConnectorRecord } from './connectors.store.ts'

/** A connector as tenant-level administrators see it: secrets by name only. */
export const presentConnector = (row: ConnectorRecord): Connector => ({
  id: row.id,
  name: row.name,
  definitionId: row.definition_id,
  kind: row.kind as Connector['kind'],
  enabled: row.enabled,
  ingestionType: row.ingestion_type,
  properties: { ...(row.properties as Record<string, unknown>), 'ingestion-type': row.ingestion_type },
  secretsSet: row.secrets_set,
  permissions: row.permissions,
  tenantId: row.tenant_id,
  createdAt: row.created_at.toISOString(),
})

/** A connector as other administrators see it: they pick it, its settings are not their business. */
export const presentConnectorName = (row: ConnectorRecord): Connector => ({
  ...presentConnector(row),
  properties: { 'ingestion-type': row.ingestion_type },
  secretsSet: [],
})

/** A kind of connector. */
export const presentDefinition = (definition: Definition): ConnectorDefinition => ({
  id: definition.id,
  name: definition.name,
  kind: definition.kind,
  description: definition.description,
  ingestionType: definition.ingestionType,
  propertiesSchema: { ...definition.propertiesSchema },
  supportedFields: [...definition.supportedFields],
  supportedOperations: [...definition.supportedOperations],
})
