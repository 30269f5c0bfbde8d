import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { DueTarget, TargetKey } from '../account.store.ts'
import { readPolicy } from '../policy.store.ts'
import { hold, lapse, lockRemovals, openHold } from '../removal-holds.ts'
import { judgeRemovals, type RemovalFigures } from '../removals.rules.ts'
import { asksGuard } from './member.rules.ts'
import type { DueMember } from './member.store.ts'

const DAY = 86_400_000

/** The cause of a member whose account waits for a decision itself: one decision for somebody who leaves, and not one for each group. */
export const WAITS_WITH_ACCOUNT = 'ACCOUNT_REMOVAL_HELD'

/** Rows `m` with their accounts `a`: members to be taken out whose accounts are not on their way out. */
const leaving = ({ tenantId, targetId }: TargetKey): RawBuilder<unknown> => sql`
  from target_members m
  left join target_accounts a on a.tenant_id = m.tenant_id and a.user_id = m.user_id and a.target_id = m.target_id
  where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.state in ('pending', 'held') and not m.wanted
    and m.remote_id is not null and (a.removal is null or a.removal = 'rejected')`

const WITH_ACCOUNT = sql`a.state = 'held' and (m.removal is null or m.removal = 'rejected')`
const REJECTED = sql`a.state is distinct from 'held' and m.removal = 'rejected'`
/** Nobody was asked about them. */
const UNASKED = sql`a.state is distinct from 'held' and m.removal is null`

const readFigures = async (tx: Tx, key: TargetKey, now: Date): Promise<RemovalFigures> => {
  const { tenantId, targetId } = key
  const { rows } = await sql<RemovalFigures>`
    select
      (select coalesce(sum(members), 0) from target_member_removals
        where tenant_id = ${tenantId} and target_id = ${targetId} and at > ${new Date(now.getTime() - DAY)})::integer as removed,
      (select count(*) from target_members m
        where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.remote_id is not null
          and (m.wanted or m.removal is null or m.removal = 'rejected'))::integer as "inUse",
      (select count(*) ${leaving(key)} and ${UNASKED})::integer as wanted`.execute(tx)
  return rows[0] ?? { removed: 0, inUse: 0, wanted: 0 }
}

/** Sets members aside who are to be taken out, in the order in which everybody takes them. */
const setAside = async (tx: Tx, key: TargetKey, { which, cause }: { which: RawBuilder<unknown>; cause: string }): Promise<void> => {
  await sql`
    with aside as materialized (
      select m.group_id, m.user_id ${leaving(key)} and m.state = 'pending' and ${which}
      order by m.group_id, m.user_id
      for update of m
    )
    update target_members m set state = 'held', cause = ${cause}
    from aside
    where m.tenant_id = ${key.tenantId} and m.target_id = ${key.targetId} and m.group_id = aside.group_id and m.user_id = aside.user_id`.execute(
    tx,
  )
}

/** Lets everybody pass who is to be taken out now, and counts them: whoever is tried again is not counted again. */
const letPass = async (tx: Tx, key: TargetKey, now: Date): Promise<void> => {
  const { tenantId, targetId } = key
  await sql`
    delete from target_member_removals
    where tenant_id = ${tenantId} and target_id = ${targetId} and at <= ${new Date(now.getTime() - DAY)}`.execute(tx)
  await sql`
    with passing as materialized (
      select m.group_id, m.user_id ${leaving(key)} and ${UNASKED}
      order by m.group_id, m.user_id
      for update of m
    ), passed as (
      update target_members m set removal = 'passed', state = 'pending', cause = null
      from passing
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = passing.group_id and m.user_id = passing.user_id
      returning m.user_id
    )
    insert into target_member_removals (tenant_id, target_id, at, members)
    select ${tenantId}::uuid, ${targetId}::uuid, ${now}::timestamptz, count(*) from passed having count(*) > 0`.execute(tx)
}

/** Asks about everybody who is to be taken out at the target, all at once. False: they wait, and are set aside. */
const judge = async (tx: Tx, due: DueTarget, now: Date): Promise<boolean> => {
  await lockRemovals(tx, due, 'members')
  await setAside(tx, due, { which: WITH_ACCOUNT, cause: WAITS_WITH_ACCOUNT })
  await setAside(tx, due, { which: REJECTED, cause: 'REMOVALS_REJECTED' })
  const open = await openHold(tx, due, 'members')
  const { memberRemovals } = await readPolicy(tx, due)
  const verdict = open?.holds ? null : judgeRemovals(memberRemovals, await readFigures(tx, due, now))
  if (verdict && !verdict.held) {
    if (open) await lapse(tx, due, { id: open.id, now })
    await letPass(tx, due, now)
    return true
  }
  if (verdict && !open) await hold(tx, due, { ...verdict, kind: 'members', now })
  await setAside(tx, due, { which: UNASKED, cause: 'REMOVALS_HELD' })
  return false
}

/**
 * Asks the guard of a target about members who are to be taken out, before anything is sent. Whoever may not go is set aside: with the account that
 * waits, or until a person has decided.
 *
 * @returns those of the members that may be carried out now
 */
export const askGuard = async (
  db: Db,
  due: DueTarget,
  { members, now }: { members: readonly DueMember[]; now: Date },
): Promise<DueMember[]> => {
  const asking = members.filter(asksGuard)
  if (asking.length === 0) return [...members]
  const passes = await db.transaction().execute((tx) => judge(tx, due, now))
  const ownCase = ({ accountState, removal }: DueMember) => accountState !== 'held' && removal !== 'rejected'
  return members.filter((member) => !asking.includes(member) || (passes && ownCase(member)))
}

/** Members who waited with an account that waits no longer are looked at again, and groups whose deletion waited for such members. */
export const wakeWithAccounts = async (db: Db, { tenantId, targetId }: TargetKey): Promise<void> => {
  await sql`
    with waking as materialized (
      select m.group_id, m.user_id from target_members m
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.state = 'held' and m.cause = ${WAITS_WITH_ACCOUNT}
        and not exists (
          select from target_accounts a
          where a.tenant_id = m.tenant_id and a.user_id = m.user_id and a.target_id = m.target_id and a.state = 'held'
        )
      order by m.group_id, m.user_id
      for update of m
    ), woken as (
      update target_members m set state = 'pending', cause = null
      from waking
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = waking.group_id and m.user_id = waking.user_id
    )
    update target_groups g set state = 'pending', cause = null
    where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.state = 'held' and g.id in (select group_id from waking)`.execute(
    db,
  )
}

/**
 * Whether a group may be deleted: its members go with it, so they are asked about like others. False: they wait, and the group with them.
 */
export const mayDeleteGroup = async (db: Db, due: DueTarget, { groupId, now }: { groupId: string; now: Date }): Promise<boolean> => {
  const { tenantId, targetId } = due
  const asking = await sql`select 1 ${leaving(due)} and m.group_id = ${groupId} and m.state = 'pending' limit 1`.execute(db)
  if (asking.rows.length > 0) await db.transaction().execute((tx) => judge(tx, due, now))
  const { rows } = await sql`
    select 1 from target_members m
    where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = ${groupId} and m.state = 'held' limit 1`.execute(db)
  return rows.length === 0
}
