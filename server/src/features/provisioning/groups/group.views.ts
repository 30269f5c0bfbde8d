import type { TargetGroup, TargetMember } from '@instep/contract/target-groups.ts'
import { MEMBER_STATES } from '@instep/contract/target-groups.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { TargetKey } from '../account.store.ts'
import { nextTry, shownState, standingOf, TARGETS } from '../resting-target.ts'

/** Where a page of groups begins: behind this name and id. */
export interface GroupPosition {
  readonly nameKey: string
  readonly id: string
}

export interface ListedGroup {
  readonly group: TargetGroup
  readonly position: GroupPosition
}

type Row = Omit<TargetGroup, 'nextTryAt' | 'appliedAt' | 'members'> & {
  nextTryAt: Date | null
  appliedAt: Date | null
  counts: Partial<TargetGroup['members']> | null
  nameKey: string
}

const select = async (db: Db, { tenantId, targetId }: TargetKey, chosen: RawBuilder<unknown>): Promise<ListedGroup[]> => {
  const { rows } = await sql<Row>`
    select
      a.id, a.name, a.name_key as "nameKey", a.wanted, ${shownState} as state, a.settings ->> 'privacy' as privacy, a.remote_id as "remoteId",
      a.attempts, ${nextTry} as "nextTryAt", a.cause, a.last_error as "lastError", a.applied_at as "appliedAt", m.counts
    from (
      select * from target_groups g where g.tenant_id = ${tenantId} and g.target_id = ${targetId} ${chosen}
    ) a
    join ${TARGETS} t on t.tenant_id = a.tenant_id and t.target_id = a.target_id
    left join lateral (
      select jsonb_object_agg(s.state, s.count) as counts from (
        select m.state, count(*)::integer as count from target_members m
        where m.tenant_id = a.tenant_id and m.target_id = a.target_id and m.group_id = a.id
        group by m.state
      ) s
    ) m on true
    order by a.name_key, a.id`.execute(db)
  return rows.map(({ nameKey, counts, nextTryAt, appliedAt, ...row }) => ({
    position: { nameKey, id: row.id },
    group: {
      ...row,
      nextTryAt: nextTryAt?.toISOString() ?? null,
      appliedAt: appliedAt?.toISOString() ?? null,
      members: Object.fromEntries(MEMBER_STATES.map((state) => [state, counts?.[state] ?? 0])) as TargetGroup['members'],
    },
  }))
}

/** Groups of a target by name. Undefined when the tenant has no such target. */
export const targetGroups = async (
  db: Db,
  { after, limit, ...key }: TargetKey & { after: GroupPosition | null; limit: number },
): Promise<ListedGroup[] | undefined> => {
  if (!(await standingOf(db, key))) return undefined
  const behind = after ? sql`and (g.name_key, g.id) > (${after.nameKey}, ${after.id}::uuid)` : sql``
  return select(db, key, sql`${behind} order by g.name_key, g.id limit ${limit}`)
}

/** One group of a target. Undefined when there is no such target or group. */
export const targetGroup = async (db: Db, { groupId, ...key }: TargetKey & { groupId: string }): Promise<TargetGroup | undefined> =>
  (await select(db, key, sql`and g.id = ${groupId}`))[0]?.group

export interface MembersQuery extends TargetKey {
  readonly groupId: string
  readonly state: TargetMember['state']
  /** The person the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

/** Members of a group in one state, by person. Undefined when there is no such group. */
export const targetMembers = async (db: Db, query: MembersQuery): Promise<TargetMember[] | undefined> => {
  const { tenantId, targetId, groupId, state, after, limit } = query
  const group = await sql`
    select 1 from target_groups where tenant_id = ${tenantId} and target_id = ${targetId} and id = ${groupId}`.execute(db)
  if (group.rows.length === 0) return undefined
  const { rows } = await sql<TargetMember>`
    select m.user_id as "userId", u.connector_id as "connectorId", u.display_name as "displayName",
      coalesce(u.employee_number, u.external_id) as "employeeId", m.wanted, m.state, m.cause, m.last_error as "lastError"
    from target_members m
    join provisioning_users u on u.tenant_id = m.tenant_id and u.user_id = m.user_id
    where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = ${groupId} and m.state = ${state}
      and (${after}::uuid is null or m.user_id > ${after}::uuid)
    order by m.user_id
    limit ${limit}`.execute(db)
  return rows
}
