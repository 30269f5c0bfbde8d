import { sql } from 'kysely'
import { recordEvents } from '../../../platform/audit/record-event.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/actor.ts'

export interface GroupRetry {
  readonly tenantId: string
  readonly targetId: string
  /** Only this one; all when left out. */
  readonly groupId: string | undefined
  readonly actor: Pick<Actor, 'id' | 'name'>
  readonly correlationId: string
}

/**
 * Makes groups that failed, were given up or are paused due at once, and members that the target refused. Without any, nothing is recorded.
 *
 * @returns how many; undefined when the tenant has no such target, or the target no such group
 */
export const retryGroups = (db: Db, clock: Clock, retry: GroupRetry): Promise<{ groups: number; members: number } | undefined> => {
  const { tenantId, targetId, groupId, actor, correlationId } = retry
  return db.transaction().execute(async (tx) => {
    const target = await sql<{ name: string; group: string | null }>`
      select t.name, g.name as group from provisioning_targets t
      left join target_groups g on g.tenant_id = t.tenant_id and g.target_id = t.target_id and g.id = ${groupId ?? null}
      where t.tenant_id = ${tenantId} and t.target_id = ${targetId}`.execute(tx)
    const [found] = target.rows
    if (!found || (groupId !== undefined && found.group === null)) return undefined
    const one = groupId === undefined ? sql`` : sql`and id = ${groupId}`
    const { numAffectedRows: groups = 0n } = await sql`
      update target_groups g set
        state = 'pending', revision = g.revision + 1, attempts = 0, next_try_at = '-infinity', cause = null, last_error = null,
        correlation_id = ${correlationId}
      from (
        select id from target_groups
        where tenant_id = ${tenantId} and target_id = ${targetId} and state in ('failed', 'quarantined', 'paused') ${one}
        order by id for update
      ) troubled
      where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.id = troubled.id`.execute(tx)
    const { numAffectedRows: members = 0n } = await sql`
      update target_members m set
        state = 'pending', revision = m.revision + 1, cause = null, last_error = null, correlation_id = ${correlationId}
      from (
        select group_id, user_id from target_members
        where tenant_id = ${tenantId} and target_id = ${targetId} and state = 'quarantined'
          ${groupId === undefined ? sql`` : sql`and group_id = ${groupId}`}
        order by group_id, user_id for update
      ) troubled
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = troubled.group_id and m.user_id = troubled.user_id`.execute(
      tx,
    )
    const counts = { groups: Number(groups), members: Number(members) }
    if (counts.groups + counts.members > 0)
      await recordEvents(tx, [
        {
          tenantId,
          at: clock.now(),
          stream: 'directory',
          type: 'target.groups.retried',
          correlationId,
          actor: { kind: 'admin', id: actor.id, name: actor.name },
          connectorId: targetId,
          data: { target: found.name, group: found.group, ...counts },
        },
      ])
    return counts
  })
}
