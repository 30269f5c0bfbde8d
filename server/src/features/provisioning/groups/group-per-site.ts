import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { letGoOfGroups, wantGroups, wantMembers } from './want-groups.ts'

/** The people of each site as a group, at targets where the setting `groupPerSite` is on. A closed site's group stays, without people. */
const ORIGIN = 'site'

interface SiteChange {
  readonly tenantId: string
  readonly correlationId: string
}

const targetsWithSiteGroups = async (tx: Tx, tenantId: string): Promise<string[]> => {
  const { rows } = await sql<{ targetId: string }>`
    select target_id as "targetId" from provisioning_targets
    where tenant_id = ${tenantId} and enabled and (properties ->> 'groupPerSite') = 'true'
    order by target_id`.execute(tx)
  return rows.map(({ targetId }) => targetId)
}

const openSites = (tenantId: string) => sql`
  select s.site_id::text as key, s.name, jsonb_build_object('privacy', case when s.restricted then 'secret' else 'closed' end) as settings
  from provisioning_sites s where s.tenant_id = ${tenantId} and s.active`

const placesOf = (tenantId: string, users?: RawBuilder<unknown>) => sql`
  select p.site_id::text as key, p.user_id from provisioning_site_people p
  where p.tenant_id = ${tenantId} ${users ? sql`and p.user_id = any(array(select user_id from (${users}) u))` : sql``}`

/** Puts people in the groups of the sites where they work now, and takes them out of others; in the transaction that changed them. */
export const placeInSiteGroups = async (
  tx: Tx,
  { tenantId, correlationId, users, removalsApproved = false }: SiteChange & { users: RawBuilder<unknown>; removalsApproved?: boolean },
): Promise<void> => {
  const wishes = { tenantId, correlationId, origin: ORIGIN, members: placesOf(tenantId, users), among: users, removalsApproved }
  for (const targetId of await targetsWithSiteGroups(tx, tenantId)) await wantMembers(tx, { ...wishes, targetId })
}

/**
 * Sites were added, renamed, restricted, closed or opened: their groups follow.
 *
 * @param users people to be placed in them with it
 */
export const followSites = async (
  tx: Tx,
  { users, ...change }: SiteChange & { users?: RawBuilder<unknown> | undefined },
): Promise<void> => {
  for (const targetId of await targetsWithSiteGroups(tx, change.tenantId)) await wantSites(tx, { ...change, targetId })
  if (users) await placeInSiteGroups(tx, { ...change, users })
}

/**
 * A target was added, enabled or set otherwise: with the setting on it owes the group of each site, with it off they are let go.
 *
 * @param users the people to be placed in them now; the others follow in calls of their own
 */
export const settleSiteGroups = async (
  tx: Tx,
  { tenantId, targetId, correlationId, users }: SiteChange & { targetId: string; users: RawBuilder<unknown> },
): Promise<void> => {
  if (!(await targetsWithSiteGroups(tx, tenantId)).includes(targetId)) return letGoOfGroups(tx, { tenantId, targetId, origin: ORIGIN })
  await wantSites(tx, { tenantId, targetId, correlationId })
  await wantMembers(tx, { tenantId, targetId, correlationId, origin: ORIGIN, members: placesOf(tenantId, users), among: users })
}

const wantSites = (tx: Tx, change: SiteChange & { targetId: string }): Promise<void> =>
  wantGroups(tx, { ...change, origin: ORIGIN, groups: openSites(change.tenantId) })
