import type { TARGET_STATES } from '@instep/contract/provisioning.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { TargetKey } from './account.store.ts'

/** Accounts of a target that are in the same state. */
export interface Standing {
  readonly state: (typeof TARGET_STATES)[number]
  /** Of failed, quarantined and paused accounts. */
  readonly cause: string | null
  readonly count: number
}

/**
 * How many accounts a target has of each state and cause. The database adds what a statement moved in the transaction that moved it, so the
 * figures are exact, and cost the same at ten accounts and at a million.
 */
export const targetCounts = async (db: Db, { tenantId, targetId }: TargetKey): Promise<Standing[]> => {
  const { rows } = await sql<Standing>`
    select state, cause, sum(accounts)::integer as count
    from target_counts
    where tenant_id = ${tenantId} and target_id = ${targetId}
    group by state, cause
    having sum(accounts) <> 0`.execute(db)
  return rows
}

/**
 * Folds what was appended to `target_counts` into one row a target, state and cause. One statement: whoever counts meanwhile sees the rows before
 * or the rows after it, which say the same.
 */
export const foldTargetCounts = async (db: Db): Promise<void> => {
  await sql`
    with folded as (
      delete from target_counts n using (
        select tenant_id, target_id, state, cause from target_counts group by 1, 2, 3, 4 having count(*) > 1 or sum(accounts) = 0
      ) d
      where (n.tenant_id, n.target_id, n.state) = (d.tenant_id, d.target_id, d.state) and n.cause is not distinct from d.cause
      returning n.*
    )
    insert into target_counts
    select tenant_id, target_id, state, cause, sum(accounts) from folded group by 1, 2, 3, 4 having sum(accounts) <> 0`.execute(db)
}
