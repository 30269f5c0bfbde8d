import type { RemovalKind } from '@instep/contract/target-policy.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { TargetKey } from './account.store.ts'
import { type Decided, decideMembers } from './groups/decide-members.ts'
import { lockRemovals } from './removal-holds.ts'
import { targetName } from './update-policy.ts'

export interface RemovalDecision extends TargetKey {
  readonly kind: RemovalKind
  readonly decision: 'approved' | 'rejected'
  readonly reason: string
  /** How many who decides has seen waiting; an approval of more is refused. */
  readonly seen?: number | undefined
  readonly by: EventActor
  readonly correlationId: string
}

/**
 * Approved: the accounts are due, and what was rejected before as well. Rejected: they stay as they are until the person is active again. Answers how
 * many, and how many of them nobody had decided about before.
 */
const decideAccounts = async (tx: Tx, { tenantId, targetId, decision, correlationId }: RemovalDecision): Promise<Decided> => {
  const approves = decision === 'approved'
  const { rows } = await sql<Decided>`
    with held as materialized (
      select a.user_id, a.removal is not distinct from 'rejected' as rejected from target_accounts a
      where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.state = 'held' and (${approves} or a.removal is distinct from 'rejected')
      order by a.user_id
      for update
    ), decided as (
      update target_accounts a set
        removal = ${decision}, correlation_id = ${correlationId}, revision = a.revision + 1, next_try_at = '-infinity',
        state = ${approves ? 'pending' : 'held'}, cause = ${approves ? null : 'REMOVALS_REJECTED'}
      from held h
      where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.user_id = h.user_id
      returning h.rejected
    )
    select count(*)::integer as count, (count(*) filter (where not rejected))::integer as waited from decided`.execute(tx)
  return rows[0] ?? { count: 0, waited: 0 }
}

const PREFIX = { accounts: 'target.removals', members: 'target.memberRemovals' } as const

/**
 * Lets held removals at a target pass, or leaves the accounts or the members of groups as they are; answers how many. Throws `NOT_FOUND`,
 * `REMOVALS_NOT_HELD` where nothing waits, and `REMOVALS_GREW` where more wait than were seen.
 */
export const decideRemovals = ({ db, clock }: { db: Db; clock: Clock }, given: RemovalDecision): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const { tenantId, targetId, kind, decision, reason, seen, by, correlationId } = given
    const target = await targetName(tx, given)
    await lockRemovals(tx, given, kind)
    const { count, waited } = await (kind === 'accounts' ? decideAccounts(tx, given) : decideMembers(tx, given))
    if (seen !== undefined && waited > seen) throw problem('REMOVALS_GREW', { params: { seen, waiting: waited } })
    const at = clock.now()
    const { numAffectedRows = 0n } = await sql`
      update target_removal_holds set decided_at = ${at}, decision = ${decision}, decided_by = ${JSON.stringify(by)}, reason = ${reason}
      where tenant_id = ${tenantId} and target_id = ${targetId} and kind = ${kind} and decided_at is null`.execute(tx)
    if (count === 0 && numAffectedRows === 0n) throw problem('REMOVALS_NOT_HELD')
    await recordEvents(tx, [
      {
        tenantId,
        at,
        stream: 'directory',
        type: `${PREFIX[kind]}.${decision}`,
        correlationId,
        actor: by,
        connectorId: targetId,
        data: { target, by: by.name, count, reason },
      },
    ])
    return count
  })
