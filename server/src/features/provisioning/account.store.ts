import type { TargetUser } from '@instep/connectors/kit/target.ts'
import { columnOf, type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { KnownAccount } from './account.rules.ts'
import type { Allowance } from './leaver.rules.ts'

export interface TargetKey {
  readonly tenantId: string
  readonly targetId: string
}

export interface DueTarget extends TargetKey {
  readonly name: string
}

/** States whose rows are done when their time comes; the words of the index of due rows. */
export const DUE = sql`('pending', 'failed', 'paused', 'leaving', 'protected')`

/** Enabled targets that have rows to be done at `now`; found by skipping from target to target along the index of due rows. */
export const dueTargets = async (db: Db, now: Date): Promise<DueTarget[]> => {
  const { rows } = await sql<DueTarget>`
    with recursive owing as (
      (
        select tenant_id, target_id from target_accounts
        where state in ${DUE}
        order by tenant_id, target_id limit 1
      )
      union all
      select next.tenant_id, next.target_id
      from owing, lateral (
        select a.tenant_id, a.target_id from target_accounts a
        where a.state in ${DUE} and (a.tenant_id, a.target_id) > (owing.tenant_id, owing.target_id)
        order by a.tenant_id, a.target_id limit 1
      ) next
    )
    select t.tenant_id as "tenantId", t.target_id as "targetId", t.name
    from owing
    join provisioning_targets t on t.tenant_id = owing.tenant_id and t.target_id = owing.target_id
    where t.enabled and exists (
      select from target_accounts a
      where a.tenant_id = t.tenant_id and a.target_id = t.target_id and a.state in ${DUE}
        and a.next_try_at <= ${now} and (a.leased_until is null or a.leased_until <= ${now})
    )`.execute(db)
  return rows
}

/**
 * The condition that names rows `a` by their people. An array, and not only a join, so that every plan goes by the whole key: on a table
 * that was filled a moment ago the planner knows nothing and would read all rows of the target for each batch.
 */
export const rowsOf = ({ tenantId, targetId }: TargetKey, rows: readonly { readonly userId: string }[]) =>
  sql`a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.user_id = any(${rows.map((row) => row.userId)}::uuid[])`

/** A row of `target_accounts` that a worker holds. */
export interface LeasedAccount extends KnownAccount {
  readonly userId: string
  /** Names this lease: whoever takes the row over has another one, and only the holder's answer is recorded. */
  readonly lease: string
  readonly leasedUntil: Date
  /** Where the row stands in the order of due rows. */
  readonly dueSince: string
  /** Which marking the row was leased at. */
  readonly revision: number
  readonly attempts: number
  readonly cause: string | null
  readonly correlationId: string | null
  /** How far the account may be removed without asking the guard. */
  readonly removal: Allowance
}

export interface LeaseRequest {
  readonly limit: number
  readonly now: Date
  readonly until: Date
  /** Go on behind this row, so as not to step over everything that was done before; from the start when left out. */
  readonly after?: Pick<LeasedAccount, 'dueSince' | 'userId'> | undefined
}

/** Comes before every person. */
const NO_USER = '00000000-0000-0000-0000-000000000000'

/**
 * Leases rows that are due, oldest first; rows that others hold or are changing are left out. A row whose last lease ran out comes back as
 * uncertain: its holder may have died between sending and recording.
 */
export const leaseDue = async (
  db: Db,
  { tenantId, targetId }: TargetKey,
  { limit, now, until, after }: LeaseRequest,
): Promise<LeasedAccount[]> => {
  const lease = uuidv7(now.getTime())
  const { rows } = await sql<Omit<LeasedAccount, 'lease' | 'leasedUntil'>>`
    with due as materialized (
      select a.user_id from target_accounts a
      where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.state in ${DUE}
        and a.next_try_at <= ${now} and (a.leased_until is null or a.leased_until <= ${now})
        and (a.next_try_at, a.user_id) > (${after?.dueSince ?? '-infinity'}::timestamptz, ${after?.userId ?? NO_USER}::uuid)
        and exists (select from provisioning_targets t where t.tenant_id = ${tenantId} and t.target_id = ${targetId} and t.enabled)
      order by a.next_try_at, a.user_id
      limit ${limit}
      for update of a skip locked
    ), leased as (
      update target_accounts a
      set uncertain = a.uncertain or a.lease_owner is not null, lease_owner = ${lease}, leased_until = ${until}
      where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.user_id = any(array(select user_id from due))
      returning
        a.user_id, a.next_try_at, a.revision, a.attempts, a.cause, a.correlation_id, a.uncertain, a.remote_id, a.applied_document,
        a.applied_hash, a.removal, a.etag
    )
    select
      user_id as "userId", next_try_at::text as "dueSince", revision, attempts, cause, correlation_id as "correlationId", uncertain,
      remote_id as "remoteId", applied_document as applied, encode(applied_hash, 'hex') as "appliedHash", removal, etag
    from leased
    order by next_try_at, user_id`.execute(db)
  return rows.map((row) => ({ ...row, lease, leasedUntil: until }))
}

/** Fields that no target gets; the view does not show them. */
const KEPT_HERE: readonly UserFieldName[] = [
  'accessCodeDelivery',
  'gender',
  'dateOfBirth',
  'customField1',
  'customField2',
  'externalPartnerCompany',
]
const FIELDS = userFieldNames.filter((field) => !KEPT_HERE.includes(field))

export interface Person extends TargetUser {
  readonly userId: string
  readonly version: number
}

/**
 * The people behind leased rows as they are now. It must be a statement of its own, after the lease: a person read in the same one could
 * be older than the marking that was leased, and the newer values would count as done.
 */
export const readPeople = async (db: Db, tenantId: string, userIds: readonly string[]): Promise<Map<string, Person>> => {
  const columns = FIELDS.map((field) => sql`u.${sql.ref(columnOf(field))} as ${sql.ref(field)}`)
  const { rows } = await sql<
    { userId: string; version: number; active: boolean; prefix: string | null } & Record<UserFieldName, string | null>
  >`
    select u.user_id as "userId", u.version, u.active, u.external_id_prefix as prefix, ${sql.join(columns)}
    from provisioning_users u
    where u.tenant_id = ${tenantId} and u.user_id = any(${userIds}::uuid[])`.execute(db)
  return new Map(
    rows.map(({ userId, version, active, prefix, ...fields }) => [userId, { userId, version, active, externalIdPrefix: prefix, fields }]),
  )
}

/** Leases that are still held, by person; renewed until `until`. Rows somebody else took over are missing. */
export const renewLeases = async (
  db: Db,
  key: TargetKey,
  { held, until }: { held: readonly LeasedAccount[]; until: Date },
): Promise<Set<string>> => {
  const { rows } = await sql<{ userId: string }>`
    with mine as materialized (${stillHeld(key, held)})
    update target_accounts a set leased_until = ${until}
    where ${rowsOf(key, held)} and a.user_id = any(array(select user_id from mine))
    returning a.user_id as "userId"`.execute(db)
  return new Set(rows.map((row) => row.userId))
}

/** Gives back rows for which nothing was sent, so that others need not wait for the lease to end nor look anything up. */
export const releaseLeases = async (db: Db, key: TargetKey, held: readonly LeasedAccount[]): Promise<void> => {
  await sql`
    with mine as materialized (${stillHeld(key, held)})
    update target_accounts a set lease_owner = null, leased_until = null
    where ${rowsOf(key, held)} and a.user_id = any(array(select user_id from mine))`.execute(db)
}

/** Locks those of the given rows that are still held, in the order in which everybody takes them. */
export const stillHeld = (key: TargetKey, held: readonly LeasedAccount[]) => sql`
  select a.user_id from target_accounts a
  where ${rowsOf(key, held)} and a.lease_owner = any(${[...new Set(held.map((row) => row.lease))]}::uuid[])
  order by a.user_id
  for update of a`

/**
 * Ends every lease: for a database that one process alone uses, when it starts. The holders stay named, so that their rows are looked up
 * before anything is made.
 */
export const releaseAllLeases = async (db: Db): Promise<void> => {
  await sql`
    update target_accounts set leased_until = null
    where state in ${DUE} and leased_until is not null`.execute(db)
}

/** Writes down that an account found at the target is this person's. False when it is another person's, or the lease is lost. */
export const linkAccount = async (
  db: Db,
  { tenantId, targetId }: TargetKey,
  { row, remoteId }: { row: LeasedAccount; remoteId: string },
): Promise<boolean> => {
  try {
    const { numAffectedRows } = await sql`
      update target_accounts set remote_id = ${remoteId}, uncertain = true
      where tenant_id = ${tenantId} and target_id = ${targetId} and user_id = ${row.userId} and lease_owner = ${row.lease}`.execute(db)
    return numAffectedRows === 1n
  } catch (error) {
    if (isTakenAccount(error)) return false
    throw error
  }
}

/** Whether the database refused a second person for one account. */
export const isTakenAccount = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'target_accounts_remote'
