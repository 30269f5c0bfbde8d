import type { RemovalKind, Removals, TargetHealth } from '@instep/contract/target-policy.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { TargetKey } from './account.store.ts'
import { WAITS_WITH_ACCOUNT } from './groups/member-guard.ts'
import { OWED } from './resting-target.ts'

interface HealthRow {
  readonly since: Date | null
  readonly until: Date | null
  readonly cause: string | null
  readonly detail: string | null
}

const holdOf = async (db: Db, { tenantId, targetId }: TargetKey, kind: RemovalKind): Promise<Removals['hold']> => {
  const { rows } = await sql<{ heldAt: Date; wanted: number; allowed: number; population: number }>`
    select held_at as "heldAt", wanted, allowed, population from target_removal_holds
    where tenant_id = ${tenantId} and target_id = ${targetId} and kind = ${kind} and decided_at is null`.execute(db)
  const [hold] = rows
  return hold ? { ...hold, heldAt: hold.heldAt.toISOString() } : null
}

/** What waits for a decision, and what stays because of one. */
const removalsOf = async (db: Db, key: TargetKey, kind: RemovalKind): Promise<Removals> => {
  const held = {
    accounts: sql`
      select removal is not distinct from 'rejected' as rejected from target_accounts
      where tenant_id = ${key.tenantId} and target_id = ${key.targetId} and state = 'held'`,
    members: sql`
      select removal is not distinct from 'rejected' as rejected from target_members
      where tenant_id = ${key.tenantId} and target_id = ${key.targetId} and state = 'held' and cause <> ${WAITS_WITH_ACCOUNT}`,
  }
  const { rows } = await sql<{ held: number; rejected: number }>`
    select (count(*) filter (where not rejected))::integer as held, (count(*) filter (where rejected))::integer as rejected
    from (${held[kind]}) h`.execute(db)
  return { held: 0, rejected: 0, ...rows[0], hold: await holdOf(db, key, kind) }
}

/** Only what is owed is tried again: without it, nobody finds out whether the target works. */
const owes = ({ tenantId, targetId }: TargetKey) => sql`(
  exists (select from target_accounts a where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.state = any(${OWED}))
  or exists (select from target_groups g where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.state = any(${OWED}))
)`

/** Whether a target works, and what waits for a person; undefined when the tenant has no such target. */
export const targetHealth = async (db: Db, key: TargetKey): Promise<TargetHealth | undefined> => {
  const { tenantId, targetId } = key
  const { rows } = await sql<HealthRow>`
    select h.paused_since as since, h.paused_until as until, h.cause, h.detail
    from provisioning_targets t
    left join target_health h on h.tenant_id = t.tenant_id and h.target_id = t.target_id and t.enabled and ${owes(key)}
    where t.tenant_id = ${tenantId} and t.target_id = ${targetId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { since, until, cause, detail } = row
  return {
    pause: since && until && { since: since.toISOString(), until: until.toISOString(), cause: cause ?? '', detail: detail ?? '' },
    accounts: await removalsOf(db, key, 'accounts'),
    members: await removalsOf(db, key, 'members'),
  }
}
