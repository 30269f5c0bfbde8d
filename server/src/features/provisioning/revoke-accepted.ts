import { sql } from 'kysely'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TargetKey } from './account.store.ts'

interface Revocation extends TargetKey {
  readonly userId: string
  /** Null: that there is no account. */
  readonly attribute: string | null
  readonly target: string
  readonly by: EventActor
  readonly correlationId: string
}

/**
 * Takes back that something may differ at one account: it is marked, and read back before it is written. Answers how many values; none leaves no trace.
 */
export const revokeAccepted = ({ db, clock }: { db: Db; clock: Clock }, given: Revocation): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const { tenantId, targetId, userId, attribute, target, by, correlationId } = given
    const { numAffectedRows = 0n } = await sql`
      delete from drift_accepted
      where tenant_id = ${tenantId} and target_id = ${targetId} and user_id = ${userId} and array_to_string(path, '.') = ${attribute ?? ''}`.execute(
      tx,
    )
    if (numAffectedRows === 0n) return 0
    await sql`
      update target_accounts a set
        state = 'pending', revision = a.revision + 1, uncertain = a.uncertain or a.remote_id is not null, attempts = 0,
        next_try_at = '-infinity', cause = null, last_error = null, correlation_id = ${correlationId},
        marked_at = case when a.state = 'inStep' then now() else a.marked_at end
      where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.user_id = ${userId}`.execute(tx)
    await recordEvents(tx, [
      {
        tenantId,
        at: clock.now(),
        stream: 'user',
        type: 'drift.account.revoked',
        correlationId,
        actor: by,
        subjectId: userId,
        connectorId: targetId,
        data: { target, attribute: attribute ?? '' },
      },
    ])
    return Number(numAffectedRows)
  })
