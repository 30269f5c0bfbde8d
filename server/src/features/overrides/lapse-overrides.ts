import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { restoreOverrides } from '../users/public.ts'

/** Overrides of one transaction. */
const CHUNK = 500

const lapseOfTenant = async (db: Db, tenantId: string, at: Date): Promise<number> => {
  const by = { actor: { kind: 'system' as const, id: null, name: 'Instep' }, at, correlationId: uuidv7(at.getTime()) }
  const due = sql`
    select o.user_id, o.field from user_overrides o join users u on u.tenant_id = o.tenant_id and u.id = o.user_id
    where o.tenant_id = ${tenantId} and o.until <= ${at}::timestamptz and not u.locked
    order by o.until, o.user_id, o.field limit ${CHUNK}`
  let lapsed = 0
  for (let restored = 1; restored > 0; lapsed += restored) {
    const { rows: pairs } = await sql<{ user_id: string; field: string }>`${due}`.execute(db)
    if (pairs.length === 0) break
    const named = sql`select p.user_id, p.field from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (user_id uuid, field text)`
    restored = (await db.transaction().execute((tx) => restoreOverrides(tx, { tenantId, pairs: named, why: 'lapsed', by }))).restored
  }
  return lapsed
}

/**
 * Takes back the overrides whose last day is over where the person works, tenant by tenant; what the source says counts again. Locked people
 * keep theirs until they are unlocked. What fails in one tenant is thrown when the others have had theirs.
 *
 * @returns how many were taken back
 */
export const lapseOverrides = async (db: Db, at: Date): Promise<number> => {
  const { rows: tenants } = await sql<{ tenant_id: string }>`
    select distinct o.tenant_id from user_overrides o where o.until is not null and o.until <= ${at}::timestamptz`.execute(db)
  let lapsed = 0
  const failures: unknown[] = []
  for (const { tenant_id } of tenants) {
    try {
      lapsed += await lapseOfTenant(db, tenant_id, at)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'overrides of some tenants have not lapsed')
  return lapsed
}
