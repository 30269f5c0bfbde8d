import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { placeInSiteGroups, settleSiteGroups } from './groups/group-per-site.ts'

/** People whose accounts are to be looked at again. */
export interface Marking {
  readonly tenantId: string
  /** A relation with a column `user_id`: `` sql`select id as user_id from …` ``. */
  readonly users: RawBuilder<unknown>
  /** The change that asks for it; its events at the targets carry the same one. */
  readonly correlationId: string
  /** A person has looked at who leaves and approved it: the guards of the targets do not ask again. */
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
  await placeInSiteGroups(tx, { tenantId, users, correlationId })
}

/** Marks all people of the tenant pending at one target: it was created, enabled, or its settings changed. */
export const markTargetPending = async (
  tx: Tx,
  { tenantId, targetId, correlationId }: { tenantId: string; targetId: string; correlationId: string },
): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockOf(tenantId)})`.execute(tx)
  await mark(tx, {
    tenantId,
    correlationId,
    pairs: sql`select ${targetId}::uuid as target_id, u.user_id from provisioning_users u where u.tenant_id = ${tenantId}`,
  })
  await settleSiteGroups(tx, { tenantId, targetId, correlationId })
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
