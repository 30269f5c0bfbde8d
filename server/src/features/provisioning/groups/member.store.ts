import { type RawBuilder, sql } from 'kysely'
import type { NewEvent } from '../../../platform/audit/record-event.ts'
import type { Db } from '../../../platform/db/database.ts'
import { uuidv7 } from '../../../platform/ids.ts'
import type { TargetKey } from '../account.store.ts'
import type { LeasedGroup } from './group.store.ts'
import type { Removable } from './member.rules.ts'

/** A member to be done, as it stands now. */
export interface DueMember extends Removable {
  readonly userId: string
  readonly revision: number
  readonly correlationId: string | null
  /** Of the account: `held` while its own removal waits for a person. */
  readonly accountState: string | null
}

/** The next members of a group that are due, by person, with the accounts that they have now. */
export const dueMembers = async (
  db: Db,
  { tenantId, targetId }: TargetKey,
  { groupId, after, limit }: { groupId: string; after: string | undefined; limit: number },
): Promise<DueMember[]> => {
  const { rows } = await sql<DueMember>`
    select m.user_id as "userId", m.revision, m.correlation_id as "correlationId", m.wanted, m.remote_id as "memberId",
      m.removal, a.remote_id as "accountId", a.removal as "accountRemoval", a.state as "accountState"
    from target_members m
    left join target_accounts a on a.tenant_id = m.tenant_id and a.user_id = m.user_id and a.target_id = m.target_id
    where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = ${groupId} and m.state = 'pending'
      ${after === undefined ? sql`` : sql`and m.user_id > ${after}::uuid`}
    order by m.user_id
    limit ${limit}`.execute(db)
  return rows
}

/** What became of one member. */
export interface MemberAnswer {
  readonly userId: string
  readonly revision: number
  /** The account that the target has as a member now. */
  readonly memberId: string | null
  readonly standing: 'inStep' | 'waiting' | 'gone' | 'quarantined' | 'pending'
  readonly cause: string | null
  readonly lastError: string | null
}

const answered = (answers: readonly MemberAnswer[]): RawBuilder<unknown> => sql`
  select * from json_to_recordset(${JSON.stringify(answers)}::json) as g (
    "userId" uuid, revision integer, "memberId" text, standing text, cause text, "lastError" text
  )`

/** Adds an event, no entry of the admin stream, within a statement: where `condition` holds. */
const insertEvent = (event: NewEvent, condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into events (tenant_id, id, at, stream, type, correlation_id, actor, subject_id, connector_id, data)
  select ${event.tenantId}::uuid, ${uuidv7(event.at.getTime())}::uuid, ${event.at}::timestamptz, ${event.stream}, ${event.type},
    ${event.correlationId}, ${JSON.stringify(event.actor)}::jsonb, ${event.subjectId ?? null}::uuid, ${event.connectorId ?? null}::uuid,
    ${JSON.stringify(event.data ?? {})}::jsonb
  where ${condition}`

/**
 * Writes answers about a group's members, with one event that counts them. They count only while the group is held; a member that was wanted
 * otherwise meanwhile keeps what the target confirmed and stays pending.
 *
 * @returns how many were written; 0 when the lease is another's
 */
export const recordMembers = async (
  db: Db,
  { tenantId, targetId }: TargetKey,
  { group, answers, event }: { group: LeasedGroup; answers: readonly MemberAnswer[]; event: NewEvent | undefined },
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with given as materialized (${answered(answers)}), holding as materialized (
      select g.id from target_groups g
      where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.id = ${group.id} and g.lease_owner = ${group.lease}
      for no key update
    ), mine as materialized (
      select m.user_id, m.revision from target_members m, holding
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = holding.id
        and m.user_id = any(${answers.map(({ userId }) => userId)}::uuid[])
      order by m.user_id
      for update of m
    ), gone as (
      delete from target_members m using mine, given g
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = ${group.id} and m.user_id = mine.user_id
        and g."userId" = mine.user_id and g.standing = 'gone' and g.revision = mine.revision
    ), changed as (
      update target_members m set
        remote_id = g."memberId",
        state = case when mine.revision = g.revision then g.standing else 'pending' end,
        cause = case when mine.revision = g.revision then g.cause end,
        last_error = case when mine.revision = g.revision then g."lastError" end
      from mine, given g
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = ${group.id} and m.user_id = mine.user_id
        and g."userId" = mine.user_id and (g.standing <> 'gone' or g.revision <> mine.revision)
    )${event ? sql`, told as (${insertEvent(event, sql`exists (select from mine)`)})` : sql``}
    select count(*)::integer as count from mine`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Sets right who is a member after an act whose answer never came: of the people whom we know in this group, the target has these accounts.
 * Members that the target has from elsewhere are left alone.
 */
export const correctMembers = async (
  db: Db,
  { tenantId, targetId }: TargetKey,
  { group, accounts }: { group: LeasedGroup; accounts: readonly string[] },
): Promise<void> => {
  await sql`
    with there as materialized (select distinct unnest(${accounts}::text[]) as remote_id), known as materialized (
      select m.user_id, t.remote_id
      from target_members m
      left join target_accounts a on a.tenant_id = m.tenant_id and a.user_id = m.user_id and a.target_id = m.target_id
      left join there t on t.remote_id = coalesce(a.remote_id, m.remote_id)
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = ${group.id}
        and m.remote_id is distinct from t.remote_id
        and exists (
          select from target_groups g
          where g.tenant_id = m.tenant_id and g.target_id = m.target_id and g.id = m.group_id and g.lease_owner = ${group.lease}
        )
      order by m.user_id
      for update of m
    )
    update target_members m set remote_id = known.remote_id, state = 'pending', revision = m.revision + 1
    from known
    where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = ${group.id} and m.user_id = known.user_id`.execute(db)
}

/** Moved accounts that are looked at in one transaction. */
const MOVED = 5000

/**
 * Has members looked at again whose accounts came, went or were replaced, and groups that such people look after. Answers how many accounts.
 */
export const wakeMembers = (db: Db, { tenantId, targetId }: TargetKey): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ count: number }>`
      with next as materialized (
        select seq from moved_accounts where tenant_id = ${tenantId} and target_id = ${targetId}
        order by seq limit ${MOVED} for update skip locked
      ), moved as (
        delete from moved_accounts m using next
        where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.seq = next.seq
        returning m.user_id
      ), people as materialized (select distinct user_id from moved), admins as (
        update target_groups g set state = 'pending', revision = g.revision + 1, next_try_at = '-infinity', attempts = 0
        where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.wanted and g.state <> 'quarantined'
          and g.settings -> 'admins' ?| array(select user_id::text from people)
      ), theirs as materialized (
        select m.group_id, m.user_id from target_members m
        where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.user_id = any(array(select user_id from people))
        order by m.group_id, m.user_id
        for update of m
      ), woken as (
        update target_members m set state = 'pending', revision = m.revision + 1
        from theirs
        where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = theirs.group_id and m.user_id = theirs.user_id
      )
      select count(*)::integer as count from next`.execute(tx)
    return rows[0]?.count ?? 0
  })

/** The accounts of people at a target, in the order of their people; whoever has none is left out. */
export const accountsOf = async (db: Db, { tenantId, targetId }: TargetKey, userIds: readonly string[]): Promise<string[]> => {
  if (userIds.length === 0) return []
  const { rows } = await sql<{ remoteId: string }>`
    select a.remote_id as "remoteId" from target_accounts a
    where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.user_id = any(${userIds}::uuid[]) and a.remote_id is not null
    order by a.user_id`.execute(db)
  return rows.map(({ remoteId }) => remoteId)
}
