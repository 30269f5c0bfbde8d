import { DEFAULT_TARGET_POLICY, TargetPolicy } from '@instep/contract/target-policy.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { TargetKey } from './account.store.ts'

/** What holds at a target: what was set, and the defaults for the rest. */
export const readPolicy = async (db: Db | Tx, { tenantId, targetId }: TargetKey): Promise<TargetPolicy> => {
  const { rows } = await sql<{ policy: Partial<TargetPolicy> }>`
    select policy from target_policies where tenant_id = ${tenantId} and target_id = ${targetId}`.execute(db)
  return TargetPolicy.parse({ ...DEFAULT_TARGET_POLICY, ...rows[0]?.policy })
}

/** Keeps the policy of a target; the caller's transaction records it. */
export const writePolicy = async (tx: Tx, { tenantId, targetId }: TargetKey, { policy, at }: { policy: TargetPolicy; at: Date }) => {
  await sql`
    insert into target_policies (tenant_id, target_id, policy, updated_at)
    values (${tenantId}, ${targetId}, ${JSON.stringify(policy)}, ${at})
    on conflict (tenant_id, target_id) do update set policy = excluded.policy, updated_at = excluded.updated_at`.execute(tx)
}
