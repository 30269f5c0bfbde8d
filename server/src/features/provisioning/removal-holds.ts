import type { RemovalKind } from '@instep/contract/target-policy.ts'
import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { DueTarget, TargetKey } from './account.store.ts'
import type { RemovalVerdict } from './removals.rules.ts'

/** Of two transactions that count removals neither sees the other's: so the second waits for the first. */
export const lockRemovals = (tx: Tx, { targetId }: TargetKey, kind: RemovalKind) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`removals ${kind} ${targetId}`}, 0))`.execute(tx)

/** A hold that nobody has decided, and whether anything is held by it still; undefined where there is none. */
export const openHold = async (tx: Tx, { tenantId, targetId }: TargetKey, kind: RemovalKind) => {
  const holds =
    kind === 'accounts'
      ? sql`exists (
          select from target_accounts a
          where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.state = 'held' and a.removal is distinct from 'rejected'
        )`
      : sql`exists (
          select from target_members m
          where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.state = 'held' and m.cause = 'REMOVALS_HELD'
        )`
  const { rows } = await sql<{ id: string; holds: boolean }>`
    select h.id, ${holds} as holds
    from target_removal_holds h
    where h.tenant_id = ${tenantId} and h.target_id = ${targetId} and h.kind = ${kind} and h.decided_at is null`.execute(tx)
  return rows[0]
}

const EVENT_OF = { accounts: 'target.removals.held', members: 'target.memberRemovals.held' } as const

/** Opens a hold and tells of it. */
export const hold = async (
  tx: Tx,
  { tenantId, targetId, name }: DueTarget,
  { kind, wanted, allowed, population, now }: RemovalVerdict & { kind: RemovalKind; now: Date },
): Promise<void> => {
  await sql`
    insert into target_removal_holds (tenant_id, id, target_id, kind, held_at, wanted, allowed, population)
    values (${tenantId}, ${uuidv7(now.getTime())}, ${targetId}, ${kind}, ${now}, ${wanted}, ${allowed}, ${population})`.execute(tx)
  await recordEvents(tx, [
    {
      tenantId,
      at: now,
      stream: 'directory',
      type: EVENT_OF[kind],
      correlationId: uuidv7(now.getTime()),
      actor: { kind: 'system', id: null, name: 'Instep' },
      connectorId: targetId,
      data: { target: name, wanted, allowed, population },
    },
  ])
}

/** Closes a hold that holds nothing any more. */
export const lapse = async (tx: Tx, { tenantId }: TargetKey, { id, now }: { id: string; now: Date }): Promise<void> => {
  await sql`
    update target_removal_holds set decided_at = ${now}, decision = 'lapsed' where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}
