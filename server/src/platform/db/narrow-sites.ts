import { sql } from 'kysely'
import type { Actor } from '../http/actor.ts'
import { problem } from '../http/problem.ts'
import type { Db } from './database.ts'
import { PREPARED } from './prepared.ts'
import { withinSites } from './within-sites.ts'

/** Whose view it is: a tenant, and the sites of it that the caller may see. */
export interface Scope {
  readonly tenantId: string
  readonly sites: Actor['sites']
}

interface Asked {
  readonly siteId?: string | null | undefined
  readonly siteGroupId?: string | null | undefined
  /** A connector of the tenant that has to be there; it narrows no sites. */
  readonly connectorId?: string | null | undefined
}

interface Found {
  readonly site: boolean
  /** Null for a group that does not exist. */
  readonly group: string[] | null
  readonly connector: boolean
}

/** What was asked for, looked up in one round trip; true for what was not asked. */
const lookUp = async (db: Db, { tenantId, sites }: Scope, { siteId, siteGroupId, connectorId }: Asked): Promise<Found> => {
  const site = sql`exists (select from sites where tenant_id = ${tenantId} and id = ${siteId} and ${withinSites('id', sites)})`
  const group = sql`(
    select array(select s.id::text from sites s where s.tenant_id = ${tenantId} and s.group_id = g.id and ${withinSites('s.id', sites)})
    from site_groups g where g.tenant_id = ${tenantId} and g.id = ${siteGroupId}
  )`
  const connector = sql`exists (select from connectors where tenant_id = ${tenantId} and id = ${connectorId})`
  const { rows } = await sql<Found>`${PREPARED}
    select ${siteId ? site : sql`true`} as site, ${siteGroupId ? group : sql`null::text[]`} as group,
      ${connectorId ? connector : sql`true`} as connector`.execute(db)
  return rows[0] as Found
}

/**
 * The sites that a list is about: the one asked for, those of the group asked for, both, or all that the caller sees. Throws `NOT_FOUND` for
 * what the caller does not see, whether there is such a site, group or connector or not.
 */
export const narrowSites = async (db: Db, scope: Scope, asked: Asked): Promise<Actor['sites']> => {
  const { siteId, siteGroupId, connectorId } = asked
  if (!siteId && !siteGroupId && !connectorId) return scope.sites
  const { site, group, connector } = await lookUp(db, scope, asked)
  // below tenant level a group without sites of one's own does not exist
  const noGroup = siteGroupId && (!group || (scope.sites !== 'all' && group.length === 0))
  if (!site || !connector || noGroup) throw problem('NOT_FOUND')
  if (siteId) return !group || group.includes(siteId) ? [siteId] : []
  return group ?? scope.sites
}
