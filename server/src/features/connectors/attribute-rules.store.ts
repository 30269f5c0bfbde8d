import { AttributeRules } from '@instep/contract/attribute-rules.ts'
import { sql } from 'kysely'
import type { EventActor } from '../../platform/audit/record-event.ts'
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

/** Keeps rules as the connector's next version and puts it in force; answers its number. The connector must be locked. */
export const saveAttributeRules = async (
  tx: Tx,
  { tenantId, id, rules, by, at }: ConnectorKey & { rules: AttributeRules; by: EventActor; at: Date },
): Promise<number> => {
  const change = JSON.stringify({ attributes: rules })
  const { rows } = await sql<{ version: number }>`
    insert into connector_versions (tenant_id, connector_id, version, config, created_by, created_at)
    select ${tenantId}, ${id}, coalesce(max(v.version), 0) + 1,
      coalesce((select f.config from connector_versions f
        where f.tenant_id = c.tenant_id and f.connector_id = c.id and f.version = c.config_version), '{}') || ${change}::jsonb,
      ${JSON.stringify(by)}, ${at}
    from connectors c left join connector_versions v on v.tenant_id = c.tenant_id and v.connector_id = c.id
    where c.tenant_id = ${tenantId} and c.id = ${id}
    group by c.tenant_id, c.id
    returning version`.execute(tx)
  const version = rows[0]?.version ?? 1
  await sql`update connectors set config_version = ${version} where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
  return version
}
