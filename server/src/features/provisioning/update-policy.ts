import type { TargetPolicy } from '@instep/contract/target-policy.ts'
import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { TargetKey } from './account.store.ts'
import { markPending, markTargetPending } from './mark-pending.ts'
import { readPolicy, writePolicy } from './policy.store.ts'

export interface PolicyChange extends TargetKey {
  readonly policy: TargetPolicy
  readonly reason: string | undefined
  readonly by: EventActor
  readonly correlationId: string
}

/** The name of a target; with `lock` nobody else changes what is done there until the transaction ends. Throws `NOT_FOUND`. */
export const targetName = async (db: Db | Tx, { tenantId, targetId }: TargetKey, lock = false): Promise<string> => {
  const { rows } = await sql<{ name: string }>`
    select t.name from provisioning_targets t where t.tenant_id = ${tenantId} and t.target_id = ${targetId}`.execute(db)
  const name = rows[0]?.name
  if (name === undefined) throw problem('NOT_FOUND')
  if (lock) await sql`select pg_advisory_xact_lock(hashtextextended(${`policy ${targetId}`}, 0))`.execute(db)
  return name
}

const PARTS = ['leaver', 'removals', 'memberRemovals', 'pace', 'protectedAccounts'] as const

/** Whoever the change concerns is looked at again: all accounts where others are protected, leavers' accounts where something else becomes of them. */
const markConcerned = async (tx: Tx, change: PolicyChange, changed: readonly string[]): Promise<void> => {
  const { tenantId, targetId } = change
  if (changed.includes('protectedAccounts')) return markTargetPending(tx, change)
  if (!changed.includes('leaver')) return
  await markPending(tx, {
    ...change,
    users: sql`
      select a.user_id from target_accounts a
      join provisioning_leavers l on l.tenant_id = a.tenant_id and l.user_id = a.user_id
      where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and (a.remote_id is not null or a.uncertain)`,
  })
}

/**
 * Changes what is done at a target, and has the accounts concerned looked at again; what changes nothing leaves no trace. Throws `NOT_FOUND`, and
 * `GUARD_REASON_REQUIRED` where a guard on removals is turned off without a reason.
 */
export const updatePolicy = ({ db, clock }: { db: Db; clock: Clock }, change: PolicyChange): Promise<TargetPolicy> =>
  db.transaction().execute(async (tx) => {
    const { tenantId, targetId, policy, reason, by, correlationId } = change
    const name = await targetName(tx, change, true)
    const before = await readPolicy(tx, change)
    const changed = PARTS.filter((part) => JSON.stringify(before[part]) !== JSON.stringify(policy[part]))
    if (changed.length === 0) return before
    const turnedOff = (before.removals.on && !policy.removals.on) || (before.memberRemovals.on && !policy.memberRemovals.on)
    if (turnedOff && !reason) throw problem('GUARD_REASON_REQUIRED')
    const at = clock.now()
    await writePolicy(tx, change, { policy, at })
    await markConcerned(tx, change, changed)
    const of = (from: TargetPolicy) => Object.fromEntries(changed.map((part) => [part, from[part]]))
    await recordEvents(tx, [
      {
        tenantId,
        at,
        stream: 'directory',
        type: 'target.policy.changed',
        correlationId,
        actor: by,
        connectorId: targetId,
        data: { target: name, changed: changed.join(', '), ...(reason ? { reason } : {}) },
        before: of(before),
        after: of(policy),
      },
    ])
    return policy
  })
