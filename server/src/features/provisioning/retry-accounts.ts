import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/actor.ts'

export interface Retry {
  readonly tenantId: string
  readonly targetId: string
  /** Only accounts that failed because of this; all when left out. */
  readonly cause: string | undefined
  readonly actor: Pick<Actor, 'id' | 'name'>
  readonly correlationId: string
}

/**
 * Makes failed, given up and paused accounts due at once, as if they had not been tried. Without any, nothing is recorded.
 *
 * @returns how many; undefined when the tenant has no such target
 */
export const retryAccounts = async (db: Db, clock: Clock, retry: Retry): Promise<number | undefined> => {
  const { tenantId, targetId, cause, actor, correlationId } = retry
  return db.transaction().execute(async (tx) => {
    const target = await sql<{ name: string }>`
      select name from provisioning_targets where tenant_id = ${tenantId} and target_id = ${targetId}`.execute(tx)
    const name = target.rows[0]?.name
    if (name === undefined) return undefined
    const { numAffectedRows = 0n } = await sql`
      update target_accounts a
      set state = 'pending', revision = a.revision + 1, attempts = 0, next_try_at = '-infinity', cause = null, last_error = null,
        correlation_id = ${correlationId}
      from (
        select user_id from target_accounts
        where tenant_id = ${tenantId} and target_id = ${targetId} and state in ('failed', 'quarantined', 'paused')
          and (${cause ?? null}::text is null or cause = ${cause ?? null})
        order by user_id
        for update
      ) troubled
      where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.user_id = troubled.user_id`.execute(tx)
    const retried = Number(numAffectedRows)
    if (retried > 0)
      await recordEvents(tx, [
        {
          tenantId,
          at: clock.now(),
          stream: 'directory',
          type: 'target.retried',
          correlationId,
          actor: { kind: 'admin', id: actor.id, name: actor.name },
          connectorId: targetId,
          data: { target: name, count: retried, cause: cause ?? null },
        },
      ])
    return retried
  })
}
