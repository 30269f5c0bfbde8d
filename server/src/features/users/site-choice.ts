import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'

/** What is wrong with a site that was chosen for somebody; undefined for nothing. Below tenant level nobody can be put where the caller sees none. */
export const wrongSite = async (
  tx: Tx,
  { tenantId, siteId, sites }: { tenantId: string; siteId: string | null | undefined; sites: Actor['sites'] },
): Promise<'siteRequired' | 'siteUnknown' | undefined> => {
  if (!siteId) return sites === 'all' ? undefined : 'siteRequired'
  if (sites !== 'all' && !sites.includes(siteId)) return 'siteUnknown'
  const { rows } = await sql`select from sites where tenant_id = ${tenantId} and id = ${siteId} and active`.execute(tx)
  return rows.length > 0 ? undefined : 'siteUnknown'
}
