import type { Count } from '@instep/contract/page.ts'
import { sql } from 'kysely'
import { countRows } from '../../platform/db/count-rows.ts'
import type { Db } from '../../platform/db/database.ts'
import { withinSites } from '../../platform/db/within-sites.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { ConnectorRecord } from './connectors.store.ts'

const COLUMNS = sql.raw(
  `c.tenant_id, c.id, c.name, c.definition_id, c.kind, c.ingestion_type, c.enabled, c.properties, c.secrets, c.secrets_set, c.permissions,
  c.config_version, c.created_at`,
)

/** Whose view it is: a tenant, and the sites of it that the caller may see. */
export interface Scope {
  readonly tenantId: string
  readonly sites: Actor['sites']
}

/**
 * Connectors by name. Below tenant level (1-console.md section 6): without the one called GDPR, without manual ones, without those that hold
 * nobody the caller may see.
 */
export const listConnectors = async (db: Db, { tenantId, sites }: Scope): Promise<ConnectorRecord[]> => {
  const offered =
    sites === 'all'
      ? sql`true`
      : sql`c.name_folded <> 'gdpr' and c.ingestion_type <> 'manual' and exists (
          select from users u where u.tenant_id = c.tenant_id and u.connector_id = c.id and ${withinSites('u.site_id', sites)}
        )`
  const { rows } = await sql<ConnectorRecord>`
    select ${COLUMNS} from connectors c where c.tenant_id = ${tenantId} and ${offered} order by c.name_folded`.execute(db)
  return rows
}

/** The tenant's manual and file connectors, by name. */
export const listLocalConnectors = async (db: Db, tenantId: string): Promise<ConnectorRecord[]> => {
  const { rows } = await sql<ConnectorRecord>`
    select ${COLUMNS} from connectors c
    where c.tenant_id = ${tenantId} and c.ingestion_type in ('manual', 'file')
    order by c.name_folded`.execute(db)
  return rows
}

/** How many people of a connector the caller may see, at one site where one is named. */
export const countConnectorPeople = (
  db: Db,
  { tenantId, sites }: Scope,
  { connectorId, siteId }: { connectorId: string; siteId: string | undefined },
): Promise<Count> =>
  countRows(
    db,
    sql`select 1 from users u
      where u.tenant_id = ${tenantId} and u.connector_id = ${connectorId} and ${withinSites('u.site_id', sites)}
        ${siteId === undefined ? sql`` : sql`and u.site_id = ${siteId}`}`,
  )
