import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { DriftKey } from './drift.store.ts'

export interface PutBack extends DriftKey {
  /** A relation with the columns `user_id` and `remote_id`, each person once. */
  readonly accounts: RawBuilder<unknown>
  readonly correlationId: string
}

/**
 * Has accounts looked at again that are not what was applied, or are gone: they are marked pending, and uncertain, so that a worker reads each back
 * before it writes, and makes it again where there is none. All that workers heed (protection, guards, pace) is heeded. Accounts that are other ones by
 * now are left alone.
 *
 * @returns the people whose accounts were marked
 */
export const putBack = async (tx: Tx, { tenantId, targetId, accounts, correlationId }: PutBack): Promise<string[]> => {
  const { rows } = await sql<{ userId: string }>`
    with given as materialized (
      select a.user_id from target_accounts a join (${accounts}) g on g.user_id = a.user_id and g.remote_id = a.remote_id
      where a.tenant_id = ${tenantId} and a.target_id = ${targetId}
      order by a.user_id
      for update of a
    )
    update target_accounts a set
      state = 'pending', revision = a.revision + 1, uncertain = true, attempts = 0, next_try_at = '-infinity', cause = null, last_error = null,
      correlation_id = ${correlationId}, marked_at = case when a.state = 'inStep' then now() else a.marked_at end
    from given g
    where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.user_id = g.user_id
    returning a.user_id as "userId"`.execute(tx)
  return rows.map(({ userId }) => userId)
}
