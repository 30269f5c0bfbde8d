import type { AccountDocument, RemoteAccount } from '@instep/connectors/kit/target.ts'
import type { DriftChange, DriftSettings } from '@instep/contract/drift.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { type Accepted, stillHas, withValue } from './accepted.rules.ts'
import { type Applied, forgetAccepted, readAccepted, writeApplied } from './accepted.store.ts'
import type { TargetKey } from './account.store.ts'
import { compareDocuments } from './compare-documents.ts'
import { DEFAULT_DRIFT } from './drift.rules.ts'

/** A read-back run, by its target. */
export interface DriftKey extends TargetKey {
  readonly runId: string
}

/** The condition that the account `a` is one that a run found missing, and nobody has decided what becomes of it. */
export const isMissing = ({ tenantId, runId }: DriftKey) => sql`exists (
  select from drift_findings f
  where f.tenant_id = ${tenantId} and f.run_id = ${runId} and f.kind = 'missing' and f.state = 'open'
    and f.user_id = a.user_id and f.remote_id = a.remote_id
)`

/** What a target is read back by, and when next. */
export const findDriftSettings = async (
  db: Db | Tx,
  { tenantId, targetId }: TargetKey,
): Promise<{ settings: DriftSettings; nextAt: Date | null }> => {
  const { rows } = await sql<DriftSettings & { nextAt: Date | null }>`
    select every, weekday, hour, time_zone as "timeZone", put_back as "putBack", next_at as "nextAt"
    from drift_settings where tenant_id = ${tenantId} and target_id = ${targetId}`.execute(db)
  const [row] = rows
  if (!row) return { settings: DEFAULT_DRIFT, nextAt: null }
  const { nextAt, ...settings } = row
  return { settings, nextAt }
}

export const saveDriftSettings = async (
  tx: Tx,
  { tenantId, targetId }: TargetKey,
  { settings, nextAt }: { settings: DriftSettings; nextAt: Date | null },
): Promise<void> => {
  const { every, weekday, hour, timeZone, putBack } = settings
  await sql`
    insert into drift_settings (tenant_id, target_id, every, weekday, hour, time_zone, put_back, next_at)
    values (${tenantId}, ${targetId}, ${every}, ${weekday}, ${hour}, ${timeZone}, ${putBack}, ${nextAt})
    on conflict (tenant_id, target_id) do update set
      every = excluded.every, weekday = excluded.weekday, hour = excluded.hour, time_zone = excluded.time_zone, put_back = excluded.put_back,
      next_at = excluded.next_at`.execute(tx)
}

/** A run begins from nothing, also one that was cut short. */
export const clearFindings = async (db: Db | Tx, { tenantId, runId }: { tenantId: string; runId: string }): Promise<void> => {
  await sql`delete from drift_findings where tenant_id = ${tenantId} and run_id = ${runId}`.execute(db)
  await forgetSeen(db, { tenantId, runId })
}

export const forgetSeen = async (db: Db | Tx, { tenantId, runId }: { tenantId: string; runId: string }): Promise<void> => {
  await sql`delete from drift_seen where tenant_id = ${tenantId} and run_id = ${runId}`.execute(db)
}

/** Accounts that are known to be at the target. */
export const countKnown = async (db: Db, { tenantId, targetId }: TargetKey): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from target_accounts
    where tenant_id = ${tenantId} and target_id = ${targetId} and remote_id is not null`.execute(db)
  return rows[0]?.count ?? 0
}

interface Known {
  readonly remoteId: string
  readonly userId: string
  readonly applied: RemoteAccount['document'] | null
  /** In step since before the run began, so that what is there now must be what was applied then. */
  readonly settled: boolean
}

/** Whose the accounts of a page are, and whose drift is ignored. */
const known = async (db: Tx, { tenantId, targetId }: TargetKey, { remoteIds, began }: { remoteIds: readonly string[]; began: Date }) => {
  const accounts = await sql<Known>`
    select
      a.remote_id as "remoteId", a.user_id as "userId", a.applied_document as applied,
      a.state = 'inStep' and a.lease_owner is null and coalesce(a.applied_at, '-infinity') < ${began} as settled
    from target_accounts a
    where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.remote_id = any(${remoteIds}::text[])`.execute(db)
  const ignored = await sql<{ remoteId: string }>`
    select remote_id as "remoteId" from drift_ignored
    where tenant_id = ${tenantId} and target_id = ${targetId} and remote_id = any(${remoteIds}::text[])`.execute(db)
  return {
    accounts: new Map(accounts.rows.map((row) => [row.remoteId, row])),
    ignored: new Set(ignored.rows.map(({ remoteId }) => remoteId)),
  }
}

interface Finding {
  readonly kind: 'changed' | 'unknown'
  readonly remoteId: string
  readonly userId: string | null
  readonly found: RemoteAccount['document']
  readonly changes: readonly DriftChange[]
}

/**
 * What was accepted counts only as long as the target has that value: of an account with another one, what we would write counts as applied again, so that
 * the difference is told like any other.
 */
const endAccepted = async (
  tx: Tx,
  key: DriftKey,
  { accounts, ours }: { accounts: readonly RemoteAccount[]; ours: Map<string, Known> },
): Promise<void> => {
  const people = [...ours.values()].filter(({ settled }) => settled).map(({ userId }) => userId)
  const accepted = await readAccepted(tx, key, people)
  if (accepted.size === 0) return
  const over: Accepted[] = []
  const applied: Applied[] = []
  for (const { remoteId, document } of accounts) {
    const row = ours.get(remoteId)
    const moved = (row && accepted.get(row.userId)?.filter((one) => !stillHas(document, one, 'theirs'))) ?? []
    if (!row?.applied || moved.length === 0) continue
    const before = moved.reduce((made: AccountDocument, { path, ours: value }) => withValue(made, path, value), row.applied)
    ours.set(remoteId, { ...row, applied: before })
    over.push(...moved)
    applied.push({ userId: row.userId, document: before })
  }
  await forgetAccepted(tx, key, over)
  await writeApplied(tx, key, { applied, at: null })
}

/** What a page of accounts tells; those met before (a page that moved while it was read) are not told twice. */
export const addPage = async (
  tx: Tx,
  key: DriftKey,
  { accounts, began, sequence }: { accounts: readonly RemoteAccount[]; began: Date; sequence: number },
): Promise<{ listed: number; changed: number; unknown: number }> => {
  const { tenantId, targetId, runId } = key
  const fresh = await sql<{ remoteId: string }>`
    insert into drift_seen (tenant_id, run_id, remote_id)
    select ${tenantId}, ${runId}, id from unnest(${accounts.map(({ remoteId }) => remoteId)}::text[]) id
    on conflict do nothing
    returning remote_id as "remoteId"`.execute(tx)
  const remoteIds = fresh.rows.map(({ remoteId }) => remoteId)
  const { accounts: ours, ignored } = await known(tx, key, { remoteIds, began })
  await endAccepted(tx, key, { accounts, ours })
  const isFresh = new Set(remoteIds)
  const findings = accounts.flatMap((account): Finding[] => {
    const { remoteId, document } = account
    if (!isFresh.delete(remoteId) || ignored.has(remoteId)) return []
    const row = ours.get(remoteId)
    if (!row) return [{ kind: 'unknown', remoteId, userId: null, found: document, changes: [] }]
    if (!row.settled || !row.applied) return []
    const changes = compareDocuments(row.applied, document).map(({ attribute, before, after }) => ({
      attribute,
      applied: before,
      found: after,
    }))
    return changes.length > 0 ? [{ kind: 'changed', remoteId, userId: row.userId, found: document, changes }] : []
  })
  if (findings.length > 0)
    await sql`
      insert into drift_findings (tenant_id, run_id, sequence, target_id, kind, remote_id, user_id, found, changes)
      select ${tenantId}, ${runId}, ${sequence}::integer + g.place, ${targetId}, g.kind, g."remoteId", g."userId", g.found, g.changes
      from rows from (
        json_to_recordset(${JSON.stringify(findings)}::json) as (kind text, "remoteId" text, "userId" uuid, found jsonb, changes jsonb)
      ) with ordinality as g (kind, "remoteId", "userId", found, changes, place)`.execute(tx)
  const changed = findings.filter(({ kind }) => kind === 'changed').length
  return { listed: remoteIds.length, changed, unknown: findings.length - changed }
}

/**
 * What can only be told when everything was read: who is missing, and which unknown account has become somebody's meanwhile.
 *
 * @returns how many are missing, and how many are unknown after all
 */
export const addMissing = async (
  tx: Tx,
  key: DriftKey,
  { began, sequence }: { began: Date; sequence: number },
): Promise<{ missing: number; unknown: number }> => {
  const { tenantId, targetId, runId } = key
  await sql`
    delete from drift_findings f using target_accounts a
    where f.tenant_id = ${tenantId} and f.run_id = ${runId} and f.kind = 'unknown'
      and a.tenant_id = f.tenant_id and a.target_id = ${targetId} and a.remote_id = f.remote_id`.execute(tx)
  const { numAffectedRows = 0n } = await sql`
    insert into drift_findings (tenant_id, run_id, sequence, target_id, kind, remote_id, user_id, changes)
    select ${tenantId}, ${runId}, ${sequence}::integer + row_number() over (order by a.user_id), ${targetId}, 'missing', a.remote_id, a.user_id, '[]'
    from target_accounts a
    where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.remote_id is not null and a.state = 'inStep' and a.lease_owner is null
      and coalesce(a.applied_at, '-infinity') < ${began}
      and not exists (select from drift_seen s where s.tenant_id = ${tenantId} and s.run_id = ${runId} and s.remote_id = a.remote_id)
      and not exists (
        select from drift_ignored i where i.tenant_id = ${tenantId} and i.target_id = ${targetId} and i.remote_id = a.remote_id
      )`.execute(tx)
  const { rows } = await sql<{ unknown: number }>`
    select count(*)::integer as unknown from drift_findings where tenant_id = ${tenantId} and run_id = ${runId} and kind = 'unknown'`.execute(
    tx,
  )
  return { missing: Number(numAffectedRows), unknown: rows[0]?.unknown ?? 0 }
}

/** Findings of a target are kept of its newest runs. */
const KEPT_RUNS = 5

export const dropOldFindings = async (tx: Tx, { tenantId, targetId }: TargetKey): Promise<void> => {
  await sql`
    delete from drift_findings f
    where f.tenant_id = ${tenantId} and f.run_id in (
      select id from runs where tenant_id = ${tenantId} and connector_id = ${targetId} and kind = 'drift' order by id desc offset ${KEPT_RUNS}
    )`.execute(tx)
}
