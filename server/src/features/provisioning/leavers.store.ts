import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { TargetKey } from './account.store.ts'
import type { Leaver } from './leaver.rules.ts'

/** Those of the given people who are not active. */
export const readLeavers = async (db: Db, tenantId: string, userIds: readonly string[]): Promise<Map<string, Leaver>> => {
  if (userIds.length === 0) return new Map()
  const { rows } = await sql<Leaver & { userId: string }>`
    select l.user_id as "userId", l.left_at as "leftAt", l.kept_until as "keptUntil", l.protection
    from provisioning_leavers l
    where l.tenant_id = ${tenantId} and l.user_id = any(${userIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ userId, ...leaver }) => [userId, leaver]))
}

/**
 * A source keeps its leavers otherwise from now on: accounts that wait for their deletion are looked at again, so that the later of both dates counts. In
 * the transaction of that change.
 */
export const followGrace = async (tx: Tx, { tenantId, connectorId }: { tenantId: string; connectorId: string }): Promise<void> => {
  await sql`
    with leaving as materialized (
      select a.target_id, a.user_id from target_accounts a
      join provisioning_leavers l on l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.connector_id = ${connectorId}
      where a.tenant_id = ${tenantId} and a.state = 'leaving'
      order by a.target_id, a.user_id
      for update of a
    )
    update target_accounts a set state = 'pending', revision = a.revision + 1, next_try_at = '-infinity'
    from leaving l
    where a.tenant_id = ${tenantId} and a.target_id = l.target_id and a.user_id = l.user_id`.execute(tx)
}

/** A person's manager, as far as a target knows. */
export interface ManagerAccount {
  readonly remoteId: string | null
  /** The manager has no account there yet and is to have one. */
  readonly awaited: boolean
}

/** The managers of the given people and their accounts at the target; people without one are left out. */
export const readManagers = async (
  db: Db,
  { tenantId, targetId }: TargetKey,
  userIds: readonly string[],
): Promise<Map<string, ManagerAccount>> => {
  const { rows } = await sql<ManagerAccount & { userId: string }>`
    select m.user_id as "userId", a.remote_id as "remoteId",
      a.remote_id is null and a.state in ('pending', 'failed', 'paused') and u.active as awaited
    from provisioning_managers m
    join target_accounts a on a.tenant_id = m.tenant_id and a.user_id = m.manager_id and a.target_id = ${targetId}
    join provisioning_users u on u.tenant_id = m.tenant_id and u.user_id = m.manager_id
    where m.tenant_id = ${tenantId} and m.user_id = any(${userIds}::uuid[]) and m.manager_id <> m.user_id`.execute(db)
  return new Map(rows.map(({ userId, ...account }) => [userId, account]))
}
