import { hashDocument } from '@instep/connectors/kit/hash-document.ts'
import type { AccountDocument } from '@instep/connectors/kit/target.ts'
import { sql } from 'kysely'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Accepted } from './accepted.rules.ts'
import type { TargetKey } from './account.store.ts'

/** What is accepted of some people's accounts at a target, by person. */
export const readAccepted = async (
  db: Db | Tx,
  { tenantId, targetId }: TargetKey,
  userIds: readonly string[],
): Promise<Map<string, Accepted[]>> => {
  const { rows } = await sql<Accepted>`
    select d.user_id as "userId", d.path, d.ours, d.theirs from drift_accepted d
    where d.tenant_id = ${tenantId} and d.target_id = ${targetId} and d.user_id = any(${userIds}::uuid[])
    order by d.user_id, d.path`.execute(db)
  return Map.groupBy(rows, ({ userId }) => userId)
}

/** Remembers what is accepted from now on, and who said so. */
export const addAccepted = async (
  tx: Tx,
  { tenantId, targetId }: TargetKey,
  { accepted, by, at }: { accepted: readonly Accepted[]; by: EventActor; at: Date },
): Promise<void> => {
  await sql`
    insert into drift_accepted (tenant_id, target_id, user_id, path, ours, theirs, by, at)
    select ${tenantId}::uuid, ${targetId}::uuid, g."userId", g.path, g.ours, g.theirs, ${JSON.stringify(by)}::jsonb, ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(accepted)}::json) as g ("userId" uuid, path text[], ours jsonb, theirs jsonb)
    on conflict (tenant_id, target_id, user_id, path) do update set
      ours = excluded.ours, theirs = excluded.theirs, by = excluded.by, at = excluded.at`.execute(tx)
}

/** Either side has another value now. */
export const forgetAccepted = async (db: Db | Tx, { tenantId, targetId }: TargetKey, over: readonly Accepted[]): Promise<void> => {
  if (over.length === 0) return
  const rows = JSON.stringify(over.map(({ userId, path }) => ({ userId, path })))
  await sql`
    delete from drift_accepted d using json_to_recordset(${rows}::json) as g ("userId" uuid, path text[])
    where d.tenant_id = ${tenantId} and d.target_id = ${targetId} and d.user_id = g."userId" and d.path = g.path`.execute(db)
}

/** What counts as applied of an account from now on; null: that there is none. */
export interface Applied {
  readonly userId: string
  readonly document: AccountDocument | null
}

/**
 * Writes down what counts as applied, where nobody is at the account.
 *
 * @param at when it was said so; null: what was said before is not said anew
 */
export const writeApplied = async (
  tx: Tx,
  { tenantId, targetId }: TargetKey,
  { applied, at }: { applied: readonly Applied[]; at: Date | null },
): Promise<void> => {
  if (applied.length === 0) return
  const rows = applied.map(({ userId, document }) => ({ userId, document, hash: document && hashDocument(document) }))
  await sql`
    update target_accounts a set
      applied_document = g.document, applied_hash = decode(g.hash, 'hex'), etag = null, applied_at = coalesce(${at}::timestamptz, a.applied_at),
      remote_id = case when g.hash is null then null else a.remote_id end
    from json_to_recordset(${JSON.stringify(rows)}::json) as g ("userId" uuid, document jsonb, hash text)
    where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.user_id = g."userId"
      and a.user_id = any(${applied.map(({ userId }) => userId)}::uuid[]) and a.state = 'inStep' and a.lease_owner is null`.execute(tx)
}
