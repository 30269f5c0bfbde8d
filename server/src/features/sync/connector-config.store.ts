import { ConnectorConfig } from '@instep/contract/connector-config.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

interface ConnectorKey {
  readonly tenantId: string
  readonly connectorId: string
}

/** A source as its runs need it. */
export interface SourceConnector {
  readonly name: string
  readonly kind: 'source' | 'target'
  readonly definitionId: string
  readonly enabled: boolean
  readonly configVersion: number | null
  /** The configuration in force; empty before the first version. */
  readonly config: ConnectorConfig
}

/** The connector with the configuration in force; `lock` keeps others from changing it until the transaction ends. */
export const findSource = async (db: Db | Tx, key: ConnectorKey, lock = false): Promise<SourceConnector | undefined> => {
  const { rows } = await sql<Omit<SourceConnector, 'config'> & { config: unknown }>`
    select c.name, c.kind, c.definition_id as "definitionId", c.enabled, c.config_version as "configVersion", v.config
    from connectors c
    left join connector_versions v on v.tenant_id = c.tenant_id and v.connector_id = c.id and v.version = c.config_version
    where c.tenant_id = ${key.tenantId} and c.id = ${key.connectorId} ${lock ? sql`for no key update of c` : sql``}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { config, ...connector } = row
  return { ...connector, config: ConnectorConfig.parse(config ?? {}) }
}

/** The configuration that a run goes by. */
export interface LoadedConfig extends ConnectorConfig {
  readonly mapping: Mapping
  readonly mappingVersion: number
}

/** The configuration of one version. Throws where there is none. */
export const loadConfig = async (db: Db | Tx, key: ConnectorKey & { version: number }): Promise<LoadedConfig> => {
  const { rows } = await sql<{ config: unknown }>`
    select config from connector_versions
    where tenant_id = ${key.tenantId} and connector_id = ${key.connectorId} and version = ${key.version}`.execute(db)
  const config = ConnectorConfig.parse(rows[0]?.config)
  if (!config.mapping) throw new Error(`version ${key.version} of connector ${key.connectorId} maps nothing`)
  return { ...config, mapping: config.mapping, mappingVersion: config.mappingVersion ?? key.version }
}
