import type { ConnectorConfig } from '@instep/contract/connector-config.ts'
import { sql } from 'kysely'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { followGrace } from '../provisioning/public.ts'

interface VersionKey {
  readonly tenantId: string
  readonly connectorId: string
}

/** Puts a version in force; accounts that wait for their deletion follow when it keeps leavers otherwise. */
const putInForce = async (tx: Tx, { tenantId, connectorId }: VersionKey, number: number): Promise<number> => {
  const { rows } = await sql<{ keepsOtherwise: boolean }>`
    with before as materialized (
      select v.config -> 'grace' as grace
      from connectors c
      left join connector_versions v on v.tenant_id = c.tenant_id and v.connector_id = c.id and v.version = c.config_version
      where c.tenant_id = ${tenantId} and c.id = ${connectorId}
    ), put as (
      update connectors set config_version = ${number} where tenant_id = ${tenantId} and id = ${connectorId}
    )
    select before.grace is distinct from v.config -> 'grace' as "keepsOtherwise"
    from before join connector_versions v on v.tenant_id = ${tenantId} and v.connector_id = ${connectorId} and v.version = ${number}`.execute(
    tx,
  )
  if (rows[0]?.keepsOtherwise) await followGrace(tx, { tenantId, connectorId })
  return number
}

/**
 * Keeps the configuration in force with the given parts changed as the connector's next version, and puts it in force; answers its number. The
 * connector must be locked.
 */
export const saveConfig = async (
  tx: Tx,
  version: VersionKey & { change: Partial<Omit<ConnectorConfig, 'mappingVersion'>>; by: EventActor; at: Date },
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
  return putInForce(tx, version, rows[0]?.version ?? 1)
}

/**
 * Keeps a configuration as a whole as the connector's next version, and puts it in force; answers its number. The connector must be locked.
 *
 * @param version.mappingVersion the version that brought its mapping and placement; undefined: they are new
 */
export const replaceConfig = async (
  tx: Tx,
  version: VersionKey & { config: ConnectorConfig; mappingVersion: number | undefined; by: EventActor; at: Date },
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
  return putInForce(tx, version, rows[0]?.version ?? 1)
}
