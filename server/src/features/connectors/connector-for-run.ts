import type { Db } from '../../platform/db/database.ts'
import { type ConnectorKey, findConnector } from './connectors.store.ts'

/** What a run needs to know of the connector it reads from. */
export interface RunConnector {
  readonly id: string
  readonly tenantId: string
  readonly name: string
  readonly kind: 'source' | 'target'
  readonly definitionId: string
  readonly ingestionType: string
  readonly enabled: boolean
  /** The configuration version in force; null until a mapping was chosen. */
  readonly configVersion: number | null
}

/** Undefined where the tenant has no such connector. */
export const getConnectorForRun = async (db: Db, key: ConnectorKey): Promise<RunConnector | undefined> => {
  const row = await findConnector(db, key)
  return (
    row && {
      id: row.id,
      tenantId: row.tenant_id,
      name: row.name,
      kind: row.kind as RunConnector['kind'],
      definitionId: row.definition_id,
      ingestionType: row.ingestion_type,
      enabled: row.enabled,
      configVersion: row.config_version,
    }
  )
}
