import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { placeInSiteGroups, settleSiteGroups } from './groups/group-per-site.ts'

/** People whose accounts are to be looked at again. */
export interface Marking {
  readonly tenantId: string
  /** A relation with a column `user_id`: `` sql`select id as user_id from …` ``. */
  readonly users: RawBuilder<unknown>
  /** The change that asks for it; its events at the targets carry the same one. */
  readonly correlationId: string
  /** A person has looked at the change and approved it: the guards of the targets do not ask again. */
  readonly removalsApproved?: boolean
}

/**
 * Marks people pending at every enabled target of the tenant, in the transaction of the change that makes it necessary. One statement,
 * made for thousands of people at a time. Rows that failed start afresh; rows a worker holds are done again when it has finished.
 *
 * Rows are taken in the order of target and user, as workers do, so that the two cannot wait for each other in a circle.
 */
export const markPending = async (tx: Tx, { tenantId, users, correlationId, removalsApproved = false }: Marking): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${lockOf(tenantId)})`.execute(tx)
  await mark(tx, {
    tenantId,
    correlationId,
    removalsApproved,
    pairs: sql`
      select t.target_id, u.user_id
      from provisioning_targets t cross join (${users}) u
      where t.tenant_id = ${tenantId} and t.enabled`,
  })
  await placeInSiteGroups(tx, { tenantId, users, correlationId, removalsApproved })
}

/** A target at which everybody is to be looked at again. */
interface TargetMarking {
  readonly tenantId: string
  readonly targetId: string
  readonly correlationId: string
}

/** People marked in one transaction. */
const CHUNK = 10_000

/**
 * Marks all people of the tenant pending at one target: it was created, enabled, or its settings changed. Of more people than a chunk holds, the
 * others are marked behind the caller's transaction (`markNextChunk`), so that no call waits for a million rows.
 *
 * @param chunk for tests
 */
export const markTargetPending = async (tx: Tx, { tenantId, targetId, correlationId }: TargetMarking, chunk = CHUNK): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockOf(tenantId)})`.execute(tx)
  // one under way would say of its people that they are done, and they are not any more
  await sql`delete from target_markings where tenant_id = ${tenantId} and target_id = ${targetId}`.execute(tx)
  const last = await markChunk(tx, { tenantId, targetId, correlationId }, { after: null, chunk })
  if (last !== null)
    await sql`
      insert into target_markings (tenant_id, target_id, correlation_id, after_user, done)
      values (${tenantId}, ${targetId}, ${correlationId}, ${last}, ${chunk})`.execute(tx)
}

/**
 * Marks the next people at a target that still has some to be marked. Whoever is added meanwhile is marked by the change that adds them, since
 * the target is there.
 *
 * @returns whether there was anything to do
 */
export const markNextChunk = (db: Db, chunk = CHUNK): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<TargetMarking & { after: string }>`
      select m.tenant_id as "tenantId", m.target_id as "targetId", m.correlation_id as "correlationId", m.after_user as after
      from target_markings m
      join provisioning_targets t on t.tenant_id = m.tenant_id and t.target_id = m.target_id and t.enabled
      limit 1
      for update of m skip locked`.execute(tx)
    const [marking] = rows
    if (!marking) return false
    const { tenantId, targetId, after } = marking
    const last = await markChunk(tx, marking, { after, chunk })
    await (last === null
      ? sql`delete from target_markings where tenant_id = ${tenantId} and target_id = ${targetId}`
      : sql`
        update target_markings set after_user = ${last}, done = done + ${chunk}
        where tenant_id = ${tenantId} and target_id = ${targetId}`
    ).execute(tx)
    return true
  })

/** Marks so many people behind `after`; answers the last of them, null where nobody is left behind it. */
const markChunk = async (
  tx: Tx,
  { tenantId, targetId, correlationId }: TargetMarking,
  { after, chunk }: { after: string | null; chunk: number },
): Promise<string | null> => {
  const behind = sql`u.tenant_id = ${tenantId} ${after === null ? sql`` : sql`and u.user_id > ${after}::uuid`}`
  const { rows } = await sql<{ last: string }>`
    select u.user_id as last from provisioning_users u where ${behind} order by u.user_id offset ${chunk - 1} limit 1`.execute(tx)
  const last = rows[0]?.last ?? null
  const users = sql`select u.user_id from provisioning_users u where ${behind} ${last === null ? sql`` : sql`and u.user_id <= ${last}::uuid`}`
  await mark(tx, { tenantId, correlationId, pairs: sql`select ${targetId}::uuid as target_id, p.user_id from (${users}) p` })
  await settleSiteGroups(tx, { tenantId, targetId, correlationId, users })
  return last
}

/**
 * Of two transactions of which one adds people and the other a target, neither sees the other's: the people would never get an account there.
 * So the second waits for the first. Taken in a statement of its own, because the next one then sees what was committed meanwhile.
 */
const lockOf = (tenantId: string) => sql`hashtextextended(${`targets ${tenantId}`}, 0)`

interface Marks {
  readonly tenantId: string
  readonly correlationId: string
  readonly pairs: RawBuilder<unknown>
  readonly removalsApproved?: boolean
}

const mark = (tx: Tx, { tenantId, correlationId, pairs, removalsApproved = false }: Marks) =>
  sql`
    insert into target_accounts as a (tenant_id, target_id, user_id, correlation_id, removal)
    select ${tenantId}::uuid, p.target_id, p.user_id, ${correlationId}, ${removalsApproved ? approved(tenantId) : sql`null`}
    from (select distinct target_id, user_id from (${pairs}) given) p
    order by p.target_id, p.user_id
    on conflict (tenant_id, user_id, target_id) do update set
      state = 'pending', revision = a.revision + 1, correlation_id = excluded.correlation_id,
      attempts = 0, next_try_at = '-infinity', cause = null, last_error = null, removal = coalesce(excluded.removal, a.removal),
      marked_at = case when a.state = 'inStep' then excluded.marked_at else a.marked_at end`.execute(tx)

const approved = (tenantId: string) => sql`
  case when exists (
    select from provisioning_users u where u.tenant_id = ${tenantId} and u.user_id = p.user_id and not u.active
  ) then 'approved' end`
