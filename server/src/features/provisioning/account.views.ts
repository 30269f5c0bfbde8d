import { TARGET_STATES, type TargetAccount, type TargetTimes } from '@instep/contract/provisioning.ts'
import type { UserTarget } from '@instep/contract/users.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { acceptedOf } from './accepted.views.ts'
import type { TargetKey } from './account.store.ts'
import { nextTry, OWED, shownState, standingOf, TARGETS } from './resting-target.ts'
import { type Standing, targetCounts } from './target-counts.ts'
import { targetPace, targetTimes } from './target-figures.ts'

type State = (typeof TARGET_STATES)[number]

/** How many of some people's accounts a target still owes, owes once it is asked again, holds as wanted, and could not take. */
export interface TargetStanding {
  readonly targetId: string
  readonly name: string
  readonly enabled: boolean
  readonly pending: number
  readonly paused: number
  readonly inStep: number
  readonly failed: number
}

/**
 * Where the accounts of some people stand now, one entry for each target that has any of them, by name. `failed` are those that could not be
 * done so far, given up or not.
 *
 * @param people.users a relation with a column `user_id`, without repetitions
 */
export const targetProgress = async (
  db: Db,
  { tenantId, users }: { tenantId: string; users: RawBuilder<unknown> },
): Promise<TargetStanding[]> => {
  const { rows } = await sql<TargetStanding>`
    select
      t.target_id as "targetId", t.name, t.enabled,
      count(*) filter (where ${shownState} in ('pending', 'held'))::integer as pending,
      count(*) filter (where ${shownState} = 'paused')::integer as paused,
      count(*) filter (where ${shownState} in ('inStep', 'leaving', 'protected'))::integer as "inStep",
      count(*) filter (where ${shownState} in ('failed', 'quarantined'))::integer as failed
    from (${users}) u
    join target_accounts a on a.tenant_id = ${tenantId} and a.user_id = u.user_id
    join ${TARGETS} t on t.tenant_id = a.tenant_id and t.target_id = a.target_id
    group by t.target_id, t.name, t.enabled
    order by t.name, t.target_id`.execute(db)
  return rows
}

/** Where one person's account stands at every target, by the target's name. */
export const userTargets = async (db: Db, { tenantId, userId }: { tenantId: string; userId: string }): Promise<UserTarget[]> => {
  const { rows } = await sql<Omit<UserTarget, 'nextTryAt' | 'appliedAt'> & { nextTryAt: Date | null; appliedAt: Date | null }>`
    select
      a.target_id as "targetId", t.name as "targetName", t.enabled as "targetEnabled", ${shownState} as state, a.remote_id as "remoteId", a.attempts,
      ${nextTry} as "nextTryAt", a.last_error as "lastError", a.applied_at as "appliedAt",
      ${acceptedOf('a')} as accepted
    from target_accounts a
    join ${TARGETS} t on t.tenant_id = a.tenant_id and t.target_id = a.target_id
    where a.tenant_id = ${tenantId} and a.user_id = ${userId}
    order by t.name, a.target_id`.execute(db)
  return rows.map((row) => ({ ...row, nextTryAt: row.nextTryAt?.toISOString() ?? null, appliedAt: row.appliedAt?.toISOString() ?? null }))
}

/** How many accounts of a target are in each state, and what those in trouble have in common, most frequent first. */
export interface TargetSummary {
  readonly counts: Record<State, number>
  readonly causes: { readonly cause: string; readonly count: number; readonly example: string }[]
  readonly backlog: { readonly count: number; readonly perMinute: number; readonly seconds: number | null }
  readonly times: TargetTimes
  readonly marking: { readonly done: number; readonly total: number } | null
}

/** Undefined when the tenant has no such target. */
export const targetSummary = async (
  db: Db,
  place: { tenantId: string; targetId: string; now: Date },
): Promise<TargetSummary | undefined> => {
  const target = await standingOf(db, place)
  if (!target) return undefined
  const standings = await targetCounts(db, place)
  const counts = Object.fromEntries(TARGET_STATES.map((state) => [state, 0])) as Record<State, number>
  for (const { state, count } of standings) counts[target.rests && isOwed(state) ? 'paused' : state] += count
  const times = await targetTimes(db, place)
  const causes = await causesOf(db, place, standings)
  const pace = target.rests ? 0 : await targetPace(db, place)
  return { counts, causes, backlog: backlogOf(counts, pace), times, marking: await markingOf(db, place) }
}

const isOwed = (state: State): boolean => OWED.some((owed) => owed === state)

/** How many of the tenant's people were marked so far, where everybody is to be looked at again and not all are marked yet. */
const markingOf = async (db: Db, { tenantId, targetId }: TargetKey): Promise<TargetSummary['marking']> => {
  const { rows } = await sql<{ done: number; total: number }>`
    select least(m.done, p.people) as done, p.people as total
    from target_markings m join provisioning_people p on p.tenant_id = m.tenant_id
    where m.tenant_id = ${tenantId} and m.target_id = ${targetId}`.execute(db)
  return rows[0] ?? null
}

/** What accounts in trouble have in common, most frequent first, with the words that one of them was refused with. */
const causesOf = async (db: Db, { tenantId, targetId }: TargetKey, standings: readonly Standing[]): Promise<TargetSummary['causes']> => {
  const counts = new Map<string, number>()
  for (const { cause, count } of standings) if (cause !== null) counts.set(cause, (counts.get(cause) ?? 0) + count)
  if (counts.size === 0) return []
  const { rows } = await sql<{ cause: string; example: string | null }>`
    select c.cause, e.last_error as example
    from unnest(${[...counts.keys()]}::text[]) as c (cause)
    left join lateral (
      select a.last_error from target_accounts a
      where a.tenant_id = ${tenantId} and a.target_id = ${targetId} and a.cause = c.cause and a.state in ('failed', 'quarantined', 'paused')
      order by a.user_id limit 1
    ) e on true`.execute(db)
  return rows
    .map(({ cause, example }) => ({ cause, count: counts.get(cause) ?? 0, example: example ?? '' }))
    .sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1))
}

/** What is given up is no longer owed. */
const backlogOf = ({ pending, failed, paused }: TargetSummary['counts'], perMinute: number): TargetSummary['backlog'] => {
  const count = pending + failed + paused
  const seconds = count === 0 ? 0 : perMinute > 0 ? Math.ceil((count / perMinute) * 60) : null
  return { count, perMinute: Math.round(perMinute * 10) / 10, seconds }
}

/** A page of a target's accounts in one state, by person; `after` is the person the page before ended with. */
export interface AccountsQuery {
  readonly tenantId: string
  readonly targetId: string
  readonly state: State
  readonly after: string | null
  readonly limit: number
}

/** Undefined when the tenant has no such target. */
export const targetAccounts = async (db: Db, query: AccountsQuery): Promise<TargetAccount[] | undefined> => {
  const { tenantId, targetId, state, after, limit } = query
  const target = await standingOf(db, query)
  if (!target) return undefined
  // what is owed at a target that rests is paused, and nothing of it is anything else
  const stored = !target.rests || !isOwed(state) ? [state] : state === 'paused' ? OWED : []
  // state by state along the index, and no further than needed
  const { rows } = await sql<Omit<TargetAccount, 'nextTryAt'> & { nextTryAt: Date | null }>`
    select
      a.user_id as "userId", u.connector_id as "connectorId", u.display_name as "displayName",
      coalesce(u.employee_number, u.external_id) as "employeeId",
      ${state} as state, a.attempts, ${nextTry} as "nextTryAt", a.cause, a.last_error as "lastError"
    from unnest(${stored}::text[]) as s (state)
    cross join lateral (
      select * from target_accounts f
      where f.tenant_id = ${tenantId} and f.target_id = ${targetId} and f.state = s.state
        and (${after}::uuid is null or f.user_id > ${after}::uuid)
      order by f.user_id
      limit ${limit}
    ) a
    join ${TARGETS} t on t.tenant_id = a.tenant_id and t.target_id = a.target_id
    join provisioning_users u on u.tenant_id = a.tenant_id and u.user_id = a.user_id
    order by a.user_id
    limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, nextTryAt: row.nextTryAt?.toISOString() ?? null }))
}
