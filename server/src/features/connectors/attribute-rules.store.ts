import { AttributeRules } from '@instep/contract/attribute-rules.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { ConnectorKey } from './connectors.store.ts'

/** The rules of a target that are in force. */
export interface StoredRules {
  /** The configuration version in force; null before the first. */
  readonly version: number | null
  readonly rules: AttributeRules
}

/** None where none were ever set. */
export const findAttributeRules = async (db: Db | Tx, { tenantId, id }: ConnectorKey): Promise<StoredRules> => {
  const { rows } = await sql<{ version: number; rules: unknown }>`
    select v.version, v.config -> 'attributes' as rules
    from connectors c
    join connector_versions v on v.tenant_id = c.tenant_id and v.connector_id = c.id and v.version = c.config_version
    where c.tenant_id = ${tenantId} and c.id = ${id}`.execute(db)
  const [row] = rows
  return { version: row?.version ?? null, rules: AttributeRules.parse(row?.rules ?? []) }
}
