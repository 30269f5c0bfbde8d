import { Mapping } from '@instep/contract/sync.ts'
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
  /** The mapping of the version in force. */
  readonly mapping: Mapping | null
}

/** The connector with the mapping in force; `lock` keeps others from changing it until the transaction ends. */
export const findSource = async (db: Db | Tx, key: ConnectorKey, lock = false): Promise<SourceConnector | undefined> => {
  const { rows } = await sql<Omit<SourceConnector, 'mapping'> & { config: { mapping: unknown } | null }>`
    select c.name, c.kind, c.definition_id as "definitionId", c.enabled, c.config_version as "configVersion", v.config
    from connectors c
    left join connector_versions v on v.tenant_id = c.tenant_id and v.connector_id = c.id and v.version = c.config_version
    where c.tenant_id = ${key.tenantId} and c.id = ${key.connectorId} ${lock ? sql`for no key update of c` : sql``}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { config, ...connector } = row
  return { ...connector, mapping: config ? Mapping.parse(config.mapping) : null }
}

/** The mapping of one version. */
export const loadMapping = async (db: Db, key: ConnectorKey & { version: number }): Promise<Mapping> => {
  const { rows } = await sql<{ mapping: unknown }>`
    select config -> 'mapping' as mapping from connector_versions
    where tenant_id = ${key.tenantId} and connector_id = ${key.connectorId} and version = ${key.version}`.execute(db)
  return Mapping.parse(rows[0]?.mapping)
}

/** Keeps a mapping as the connector's next version and puts it in force; answers its number. The connector must be locked. */
export const saveMapping = async (tx: Tx, version: ConnectorKey & { mapping: Mapping; by: EventActor; at: Date }): Promise<number> => {
  const { tenantId, connectorId, mapping, by, at } = version
  const { rows } = await sql<{ version: number }>`
    insert into connector_versions (tenant_id, connector_id, version, config, created_by, created_at)
    select ${tenantId}, ${connectorId}, coalesce(max(version), 0) + 1, ${JSON.stringify({ mapping })}, ${JSON.stringify(by)}, ${at}
    from connector_versions where tenant_id = ${tenantId} and connector_id = ${connectorId}
    returning version`.execute(tx)
  const number = rows[0]?.version ?? 1
  await sql`update connectors set config_version = ${number} where tenant_id = ${tenantId} and id = ${connectorId}`.execute(tx)
  return number
}
