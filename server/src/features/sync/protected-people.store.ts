import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

interface PlanKey {
  readonly tenantId: string
  readonly connectorId: string
  readonly runId: string
}

/** Why a sync of a connector never deactivates the person `u`, as the code of a plan's reason; null: it may. */
export const protectionOf = (connectorId: RawBuilder<unknown>): RawBuilder<string | null> => sql<string | null>`case
  when u.vip then 'protectedVip'
  when exists (
    select from admins a
    where lower(a.email) = lower(u.work_email) and (a.tenant_id = u.tenant_id or a.tenant_id is null) and a.disabled_at is null
  ) then 'protectedAdmin'
  when exists (
    select from protected_people l where l.tenant_id = u.tenant_id and l.connector_id = ${connectorId} and l.user_id = u.id
  ) then 'protectedListed'
end`

/** Why a sync would not deactivate somebody of a connector; null: it would. */
export const findProtection = async (
  db: Db | Tx,
  { tenantId, connectorId, userId }: { tenantId: string; connectorId: string; userId: string },
): Promise<string | null> => {
  const { rows } = await sql<{ protection: string | null }>`
    select ${protectionOf(sql`${connectorId}::uuid`)} as protection from users u where u.tenant_id = ${tenantId} and u.id = ${userId}`.execute(
    db,
  )
  return rows[0]?.protection ?? null
}

interface ProtectedRow {
  readonly sequence: number
  readonly kind: string
  readonly stale: boolean
  readonly protection: string
}

/**
 * The rows of a plan that would let somebody go who is protected, and why they are. Read before anything is marked, so that no statement joins the
 * plan with itself: of a table just filled the planner knows nothing.
 */
const protectedRows = async (
  tx: Tx,
  { tenantId, connectorId, runId, from, to }: PlanKey & { from: number; to: number | null },
): Promise<ProtectedRow[]> => {
  const { rows } = await sql<ProtectedRow>`
    select * from (
      select p.seq as sequence, p.kind, p.stale, ${protectionOf(sql`${connectorId}::uuid`)} as protection
      from plan_rows p join users u on u.tenant_id = p.tenant_id and u.id = p.user_id
      where p.tenant_id = ${tenantId} and p.run_id = ${runId} and (p.kind in ('deactivate', 'leave') or p.kind = 'future' and p.before ->> 'active' = 'true')
        and p.seq >= ${from} and (${to}::integer is null or p.seq <= ${to}::integer)
    ) found where protection is not null`.execute(tx)
  return rows
}

const markRows = async (
  tx: Tx,
  key: PlanKey,
  { rows, change }: { rows: readonly ProtectedRow[]; change: RawBuilder<unknown> },
): Promise<void> => {
  for (const protection of new Set(rows.map((row) => row.protection))) {
    const sequences = rows.filter((row) => row.protection === protection).map(({ sequence }) => sequence)
    await sql`
      update plan_rows set ${change}, reasons = reasons || jsonb_build_array(jsonb_build_object('code', ${protection}::text))
      where tenant_id = ${key.tenantId} and run_id = ${key.runId} and seq = any (${sequences}::integer[])`.execute(tx)
  }
}

/**
 * Takes whoever is protected out of those whom a plan would let go: such a row becomes a conflict that says why. Answers how many of each kind it
 * took; to be called in the transaction that the plan is written in.
 */
export const protectPeople = async (tx: Tx, key: PlanKey): Promise<Readonly<Record<string, number>>> => {
  const rows = await protectedRows(tx, { ...key, from: 1, to: null })
  await markRows(tx, key, { rows, change: sql`kind = 'conflict', before = '{}', after = '{}'` })
  const taken: Record<string, number> = {}
  for (const { kind } of rows) taken[kind] = (taken[kind] ?? 0) + 1
  return taken
}

/**
 * Marks the rows `from` to `to` of a plan whose person has become protected since it was made, and says why; answers how many were not stale before.
 * The people must be locked, so that nobody becomes protected meanwhile.
 */
export const spareProtected = async (tx: Tx, key: PlanKey & { from: number; to: number }): Promise<number> => {
  const rows = await protectedRows(tx, key)
  await markRows(tx, key, { rows, change: sql`stale = true` })
  return rows.filter(({ stale }) => !stale).length
}
