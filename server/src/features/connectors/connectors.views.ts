import type { Count } from '@instep/contract/page.ts'
import { sql } from 'kysely'
import { countRows } from '../../platform/db/count-rows.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/narrow-sites.ts'
import { withinSites } from '../../platform/db/within-sites.ts'
import type { ConnectorRecord } from './connectors.store.ts'

const COLUMNS = sql.raw(
  `c.tenant_id, c.id, c.name, c.definition_id, c.kind, c.ingestion_type, c.enabled, c.properties, c.secrets, c.secrets_set, c.permissions,
  c.config_version, c.created_at`,
)

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

/** The end of a day of the tenant's time zone that is over, else now. */
export const momentOf = async (db: Db, tenantId: string, { day, now }: { day: string | undefined; now: Date }): Promise<Date> => {
  if (day === undefined) return now
  const { rows } = await sql<{ end: Date }>`
    select (${day}::date + 1)::timestamp at time zone t.time_zone as end from tenants t where t.id = ${tenantId}`.execute(db)
  const end = rows[0]?.end ?? now
  return end < now ? end : now
}

interface Asked extends Scope {
  readonly connectorId: string
  /** People who were added later do not count. */
  readonly before: Date
}

const peopleOf = ({ tenantId, sites, connectorId, before }: Asked) => sql`
  u.tenant_id = ${tenantId} and u.connector_id = ${connectorId} and ${withinSites('u.site_id', sites)} and u.created_at <= ${before}::timestamptz`

/** How many people of a connector the caller may see. */
export const countConnectorPeople = (db: Db, asked: Asked): Promise<Count> =>
  countRows(db, sql`select 1 from users u where ${peopleOf(asked)}`)

/** The same by the site where they are now, most first; `siteId` null are those whom no site has. */
export const countBySite = async (db: Db, asked: Asked) => {
  const { rows } = await sql<{ siteId: string | null; name: string | null; totalUsers: number }>`
    select p.site_id as "siteId", s.name, p.people as "totalUsers"
    from (select u.site_id, count(*)::integer as people from users u where ${peopleOf(asked)} group by u.site_id) p
    left join sites s on s.tenant_id = ${asked.tenantId} and s.id = p.site_id
    order by p.people desc, s.name_folded, p.site_id`.execute(db)
  return rows
}
