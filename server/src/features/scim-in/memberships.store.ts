import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Push } from './push.ts'
import type { Place } from './resources.store.ts'

/** The other side of a membership, as it is shown. */
export interface Membership {
  readonly id: string
  readonly display: string | null
}

const grouped = (rows: readonly (Membership & { owner: string })[]): Map<string, Membership[]> => {
  const found = new Map<string, Membership[]>()
  for (const { owner, id, display } of rows) {
    const others = found.get(owner)
    if (others) others.push({ id, display })
    else found.set(owner, [{ id, display }])
  }
  return found
}

/** The groups of each of the users, by name. */
export const groupsOfUsers = async (db: Db | Tx, { tenantId, connectorId }: Place, users: readonly string[]) => {
  const { rows } = await sql<Membership & { owner: string }>`
    select m.user_id as owner, g.id, g.resource ->> 'displayName' as display
    from scim_group_members m
    join scim_groups g on g.tenant_id = m.tenant_id and g.connector_id = m.connector_id and g.id = m.group_id
    where m.tenant_id = ${tenantId} and m.connector_id = ${connectorId} and m.user_id = any(${users}::uuid[])
    order by m.user_id, g.name_folded, g.id`.execute(db)
  return grouped(rows)
}

/** The members of each of the groups, by id. */
export const membersOfGroups = async (db: Db | Tx, { tenantId, connectorId }: Place, groups: readonly string[]) => {
  const { rows } = await sql<Membership & { owner: string }>`
    select m.group_id as owner, u.id, coalesce(u.resource ->> 'displayName', u.resource ->> 'userName') as display
    from scim_group_members m
    join scim_users u on u.tenant_id = m.tenant_id and u.connector_id = m.connector_id and u.id = m.user_id
    where m.tenant_id = ${tenantId} and m.connector_id = ${connectorId} and m.group_id = any(${groups}::uuid[])
    order by m.group_id, m.user_id`.execute(db)
  return grouped(rows)
}

/** The first of the ids that no user of the connector has. */
export const findMissingUser = async ({ tx, by }: Push, users: readonly string[]): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select given.id from unnest(${users}::uuid[]) given (id)
    where not exists (
      select from scim_users u where u.tenant_id = ${by.tenantId} and u.connector_id = ${by.connectorId} and u.id = given.id
    )
    limit 1`.execute(tx)
  return rows[0]?.id
}

/** Puts users into a group; answers those who were not in it. */
export const addMembers = async ({ tx, by }: Push, group: string, users: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    insert into scim_group_members (tenant_id, connector_id, group_id, user_id)
    select ${by.tenantId}, ${by.connectorId}, ${group}, given.id from unnest(${users}::uuid[]) given (id)
    on conflict do nothing
    returning user_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Takes users out of a group: those given, or all but those given; answers those who were in it. */
export const removeMembers = async (
  { tx, by }: Push,
  group: string,
  { users, except }: { users: readonly string[]; except: boolean },
): Promise<string[]> => {
  const chosen = except ? sql`user_id <> all(${users}::uuid[])` : sql`user_id = any(${users}::uuid[])`
  const { rows } = await sql<{ id: string }>`
    delete from scim_group_members
    where tenant_id = ${by.tenantId} and connector_id = ${by.connectorId} and group_id = ${group} and ${chosen}
    returning user_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Gives the groups that somebody leaves their next version: the user is about to be removed. */
export const touchGroupsOf = async ({ tx, by, at, nextChange }: Push, user: string): Promise<void> => {
  await sql`
    update scim_groups g set version = g.version + 1, change = ${nextChange()}, updated_at = ${at}
    from scim_group_members m
    where m.tenant_id = ${by.tenantId} and m.connector_id = ${by.connectorId} and m.user_id = ${user}
      and g.tenant_id = m.tenant_id and g.connector_id = m.connector_id and g.id = m.group_id`.execute(tx)
}
