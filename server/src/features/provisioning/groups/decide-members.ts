import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import type { TargetKey } from '../account.store.ts'
import { WAITS_WITH_ACCOUNT } from './member-guard.ts'

interface Decision extends TargetKey {
  readonly decision: 'approved' | 'rejected'
  readonly correlationId: string
}

/** How many a decision is about, and how many of them had waited for one. */
export interface Decided {
  readonly count: number
  readonly waited: number
}

/**
 * Approved: members who waited are due, those who were rejected before as well, and groups that were to be deleted. Rejected: they stay where they are until
 * a rule wants it otherwise. Those who wait with their accounts go on doing so. Answers how many members, and how many of them nobody had decided about before.
 */
export const decideMembers = async (tx: Tx, { tenantId, targetId, decision, correlationId }: Decision): Promise<Decided> => {
  const approves = decision === 'approved'
  const { rows } = await sql<Decided>`
    with held as materialized (
      select m.group_id, m.user_id, m.removal is not distinct from 'rejected' as rejected from target_members m
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.state = 'held' and m.cause <> ${WAITS_WITH_ACCOUNT}
        and (${approves} or m.removal is null)
      order by m.group_id, m.user_id
      for update
    ), decided as (
      update target_members m set
        removal = ${decision}, correlation_id = ${correlationId}, revision = m.revision + 1,
        state = ${approves ? 'pending' : 'held'}, cause = ${approves ? null : 'REMOVALS_REJECTED'}
      from held h
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = h.group_id and m.user_id = h.user_id
      returning h.rejected
    )
    select count(*)::integer as count, (count(*) filter (where not rejected))::integer as waited from decided`.execute(tx)
  await sql`
    update target_groups g set
      correlation_id = ${correlationId}, revision = g.revision + 1, next_try_at = '-infinity',
      state = ${approves ? 'pending' : 'held'}, cause = ${approves ? null : 'REMOVALS_REJECTED'}
    where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.state = 'held'`.execute(tx)
  return rows[0] ?? { count: 0, waited: 0 }
}
