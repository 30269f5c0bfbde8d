import type { Limit } from '@instep/contract/guard-settings.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { DUE, type DueTarget, type LeasedAccount, rowsOf, stillHeld, type TargetKey } from './account.store.ts'
import type { Removal } from './leaver.rules.ts'
import { hold, lapse, lockRemovals, openHold } from './removal-holds.ts'
import { judgeRemovals, type RemovalFigures } from './removals.rules.ts'

export interface RemovalRequest {
  readonly rows: readonly LeasedAccount[]
  readonly removal: Removal
  readonly limit: Limit
  readonly now: Date
}

const DAY = 86_400_000

const readFigures = async (tx: Tx, { tenantId, targetId }: TargetKey, { rows, removal, now }: RemovalRequest): Promise<RemovalFigures> => {
  const settled = removal === 'disable' ? ['disable', 'delete', 'approved', 'rejected'] : ['delete', 'approved', 'rejected']
  const found = await sql<RemovalFigures>`
    select
      (select count(*) from target_accounts a
        where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.removal_at > ${new Date(now.getTime() - DAY)})::integer as removed,
      (select count(*) from target_accounts a
        where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.remote_id is not null
          and (a.removal is null or a.removal = 'rejected'))::integer as "inUse",
      (select count(*) from target_accounts a
        join provisioning_leavers l on l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.protection is null
        where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.state in ${DUE} and a.next_try_at <= ${now}
          and a.remote_id is not null and (a.removal is null or a.removal <> all(${settled}::text[])))::integer as wanted`.execute(tx)
  const [figures = { removed: 0, inUse: 0, wanted: 0 }] = found.rows
  return { ...figures, wanted: Math.max(figures.wanted, rows.length) }
}

/**
 * Asks the guard of a target whether leased accounts may be removed, before anything is sent. What passes is written down as removed, so that it is
 * counted whoever dies; what does not pass opens a hold, and while one is open nothing passes.
 */
export const mayRemove = (db: Db, due: DueTarget, request: RemovalRequest): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rows, removal, limit, now } = request
    await lockRemovals(tx, due, 'accounts')
    const open = await openHold(tx, due, 'accounts')
    if (open?.holds) return false
    const verdict = judgeRemovals(limit, await readFigures(tx, due, request))
    if (verdict.held) {
      if (!open) await hold(tx, due, { ...verdict, kind: 'accounts', now })
      return false
    }
    if (open) await lapse(tx, due, { id: open.id, now })
    await sql`
      with mine as materialized (${stillHeld(due, rows)})
      update target_accounts a set removal = ${removal}, removal_at = ${now}
      where ${rowsOf(due, rows)} and a.user_id = any(array(select user_id from mine))`.execute(tx)
    return true
  })
