import { ConnectorConfig } from '@instep/contract/connector-config.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import type { EventActor } from '../../platform/audit/record-event.ts'
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

/**
 * Keeps the configuration in force with the given parts changed as the connector's next version, and puts it in force; answers its number. The
 * connector must be locked.
 */
export const saveConfig = async (
  tx: Tx,
  version: ConnectorKey & { change: Partial<Omit<ConnectorConfig, 'mappingVersion'>>; by: EventActor; at: Date },
): Promise<number> => {
  const { tenantId, connectorId, change, by, at } = version
  const { rows } = await sql<{ version: number }>`
    insert into connector_versions (tenant_id, connector_id, version, config, created_by, created_at)
    select ${tenantId}, ${connectorId}, coalesce(max(v.version), 0) + 1,
      coalesce((select f.config from connector_versions f
        where f.tenant_id = c.tenant_id and f.connector_id = c.id and f.version = c.config_version), '{}') || ${JSON.stringify(change)}::jsonb
        || case when ${change.mapping !== undefined || change.placement !== undefined} then jsonb_build_object('mappingVersion', coalesce(max(v.version), 0) + 1) else '{}' end,
      ${JSON.stringify(by)}, ${at}
    from connectors c left join connector_versions v on v.tenant_id = c.tenant_id and v.connector_id = c.id
    where c.tenant_id = ${tenantId} and c.id = ${connectorId}
    group by c.tenant_id, c.id
    returning version`.execute(tx)
  const number = rows[0]?.version ?? 1
  await sql`update connectors set config_version = ${number} where tenant_id = ${tenantId} and id = ${connectorId}`.execute(tx)
  return number
}

/**
 * Keeps a configuration as a whole as the connector's next version, and puts it in force; answers its number. The connector must be locked.
 *
 * @param version.mappingVersion the version that brought its mapping and placement; undefined: they are new
 */
export const replaceConfig = async (
  tx: Tx,
  version: ConnectorKey & { config: ConnectorConfig; mappingVersion: number | undefined; by: EventActor; at: Date },
): Promise<number> => {
  const { tenantId, connectorId, mappingVersion, by, at } = version
  const { mappingVersion: _, ...config } = version.config
  const { rows } = await sql<{ version: number }>`
    insert into connector_versions (tenant_id, connector_id, version, config, created_by, created_at)
    select ${tenantId}, ${connectorId}, n.version, ${JSON.stringify(config)}::jsonb
      || case when ${config.mapping !== undefined || config.placement !== undefined} then jsonb_build_object('mappingVersion', coalesce(${mappingVersion ?? null}::integer, n.version))
        else '{}' end,
      ${JSON.stringify(by)}, ${at}
    from (
      select coalesce(max(version), 0) + 1 as version from connector_versions where tenant_id = ${tenantId} and connector_id = ${connectorId}
    ) n
    returning version`.execute(tx)
  const number = rows[0]?.version ?? 1
  await sql`update connectors set config_version = ${number} where tenant_id = ${tenantId} and id = ${connectorId}`.execute(tx)
  return number
}
