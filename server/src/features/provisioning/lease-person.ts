import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { LeasedAccount } from './account.store.ts'

/** A target that one person's account is looked at. */
export interface PersonTarget {
  readonly targetId: string
  readonly name: string
}

/** The enabled targets of a tenant, by name. */
export const enabledTargets = async (db: Db | Tx, tenantId: string): Promise<PersonTarget[]> => {
  const { rows } = await sql<PersonTarget>`
    select target_id as "targetId", name from provisioning_targets where tenant_id = ${tenantId} and enabled order by name, target_id`.execute(
    db,
  )
  return rows
}

const columns = sql`
  a.user_id as "userId", a.next_try_at::text as "dueSince", a.revision, a.attempts, a.cause, a.correlation_id as "correlationId", a.uncertain,
  a.remote_id as "remoteId", a.applied_document as applied, encode(a.applied_hash, 'hex') as "appliedHash",
  a.etag, a.removal`

type Row = Omit<LeasedAccount, 'lease' | 'leasedUntil'> & { readonly targetId: string }

/**
 * Leases one person's rows at every enabled target, or at one of them, that no worker holds; in the transaction that marked them no worker finds them free
 * in between.
 * A row whose last lease ran out comes back as uncertain.
 */
export const leasePerson = async (
  tx: Tx,
  { tenantId, userId, targetId, now, until }: { tenantId: string; userId: string; targetId?: string; now: Date; until: Date },
): Promise<Map<string, LeasedAccount>> => {
  const lease = uuidv7(now.getTime())
  const { rows } = await sql<Row>`
    update target_accounts a
    set uncertain = a.uncertain or a.lease_owner is not null, lease_owner = ${lease}, leased_until = ${until}
    from provisioning_targets t
    where t.tenant_id = a.tenant_id and t.target_id = a.target_id and t.enabled
      and a.tenant_id = ${tenantId} and a.user_id = ${userId} and (a.leased_until is null or a.leased_until <= ${now})
      ${targetId === undefined ? sql`` : sql`and a.target_id = ${targetId}`}
    returning a.target_id as "targetId", ${columns}`.execute(tx)
  return new Map(rows.map(({ targetId, ...row }) => [targetId, { ...row, lease, leasedUntil: until }]))
}

/** What is known of one person's account at a target; undefined before there is a row. */
export const knownAccount = async (
  db: Db,
  { tenantId, targetId, userId }: { tenantId: string; targetId: string; userId: string },
): Promise<Row | undefined> => {
  const { rows } = await sql<Row>`
    select a.target_id as "targetId", ${columns}
    from target_accounts a where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.user_id = ${userId}`.execute(db)
  return rows[0]
}
