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
}

const siteOf = async (db: Db, { tenantId, sites }: Scope, siteId: string): Promise<string[]> => {
  const { rows } =
    await sql`${PREPARED} select from sites where tenant_id = ${tenantId} and id = ${siteId} and ${withinSites('id', sites)}`.execute(db)
  if (rows.length === 0) throw problem('NOT_FOUND')
  return [siteId]
}

const sitesOfGroup = async (db: Db, { tenantId, sites }: Scope, groupId: string): Promise<string[]> => {
  const { rows } = await sql<{ ids: string[] }>`${PREPARED}
    select array(select s.id::text from sites s where s.tenant_id = ${tenantId} and s.group_id = g.id and ${withinSites('s.id', sites)}) as ids
    from site_groups g where g.tenant_id = ${tenantId} and g.id = ${groupId}`.execute(db)
  const ids = rows[0]?.ids
  // below tenant level a group without sites of one's own does not exist
  if (!ids || (sites !== 'all' && ids.length === 0)) throw problem('NOT_FOUND')
  return ids
}

/**
 * The sites that a list is about: the one asked for, those of the group asked for, both, or all that the caller sees. Throws `NOT_FOUND` for
 * what the caller does not see, whether there is such a site or not.
 */
export const narrowSites = async (db: Db, scope: Scope, { siteId, siteGroupId }: Asked): Promise<Actor['sites']> => {
  const one = siteId ? await siteOf(db, scope, siteId) : undefined
  const group = siteGroupId ? await sitesOfGroup(db, scope, siteGroupId) : undefined
  if (one && group) return one.filter((id) => group.includes(id))
  return one ?? group ?? scope.sites
}
