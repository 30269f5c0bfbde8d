import type { GROUP_PRIVACIES, POST_PERMISSIONS } from '@instep/connectors/kit/group-target.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'

/** What a rule may say of a group beside its name; the column `settings` of `wantGroups`. Admins are people, not accounts. */
export interface GroupSettings {
  readonly description?: string
  readonly privacy?: (typeof GROUP_PRIVACIES)[number]
  readonly postPermission?: (typeof POST_PERMISSIONS)[number]
  readonly admins?: readonly string[]
}

/**
 * Rows written at once after which the tables are counted anew. Without it the planner takes the wrong index for each row that refers to them:
 * filling 2,000 groups with 30,000 members took 15.7 s instead of 4.6.
 */
const MANY = 1000n

/** One rule's groups at one target. */
export interface RuleAtTarget {
  readonly tenantId: string
  readonly targetId: string
  /** The rule; its groups and members are nobody else's. */
  readonly origin: string
  /** The change that asks for it. */
  readonly correlationId: string
}

/**
 * Wants these groups: new ones are made, others are renamed or set as it says; one that stands as wanted is left alone. One statement, in the
 * transaction of the change that makes it necessary.
 *
 * @param groups a relation with columns `key text`, `name text`, `settings jsonb` (`GroupSettings`), each key once
 */
export const wantGroups = async (
  tx: Tx,
  { tenantId, targetId, origin, correlationId, groups }: RuleAtTarget & { readonly groups: RawBuilder<unknown> },
): Promise<void> => {
  const { numAffectedRows = 0n } = await sql`
    with wanting as materialized (select w.key, w.name, w.settings from (${groups}) w)
    insert into target_groups as g (tenant_id, target_id, id, origin, key, name, settings, correlation_id)
    select ${tenantId}::uuid, ${targetId}::uuid, gen_random_uuid(), ${origin}, w.key, w.name, w.settings, ${correlationId}
    from wanting w
    order by w.key
    on conflict (tenant_id, target_id, origin, key) do update set
      name = excluded.name, settings = excluded.settings, wanted = true, correlation_id = excluded.correlation_id,
      state = 'pending', revision = g.revision + 1, attempts = 0, next_try_at = '-infinity', cause = null, last_error = null
    where (g.name, g.settings, g.wanted) is distinct from (excluded.name, excluded.settings, true)`.execute(tx)
  if (numAffectedRows > MANY) await sql`analyze (skip_locked) target_groups`.execute(tx)
}

/**
 * Wants groups of a rule no longer, and nobody in them: they are deleted at the target, and then forgotten. Wanted again, they begin without members.
 *
 * @param keys a relation with a column `key text`
 */
export const dropGroups = async (
  tx: Tx,
  { tenantId, targetId, origin, correlationId, keys }: RuleAtTarget & { readonly keys: RawBuilder<unknown> },
): Promise<void> => {
  await sql`
    with dropped as materialized (
      select id from target_groups
      where tenant_id = ${tenantId} and target_id = ${targetId} and origin = ${origin} and wanted and key in (select key from (${keys}) k)
      order by id for update
    ), members as (
      update target_members m set
        wanted = false, correlation_id = ${correlationId}, removal = null, state = 'pending', revision = m.revision + 1, cause = null,
        last_error = null
      from dropped
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = dropped.id and m.wanted
    )
    update target_groups g set
      wanted = false, correlation_id = ${correlationId}, state = 'pending', revision = g.revision + 1, attempts = 0,
      next_try_at = '-infinity', cause = null, last_error = null
    from dropped
    where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.id = dropped.id`.execute(tx)
}

/** Lets go of a rule's groups: they stay at the target as they are, and nothing is known of them here any more. */
export const letGoOfGroups = async (tx: Tx, { tenantId, targetId, origin }: Omit<RuleAtTarget, 'correlationId'>): Promise<void> => {
  await sql`
    delete from target_groups where tenant_id = ${tenantId} and target_id = ${targetId} and origin = ${origin}`.execute(tx)
}

export interface WantedMembers extends RuleAtTarget {
  /** A relation with columns `key text` and `user_id uuid`: who belongs to which group. Groups that the rule does not want are passed over. */
  readonly members: RawBuilder<unknown>
  /** A relation with a column `user_id`: of these people the relation says everything. Left out: of everybody. */
  readonly among?: RawBuilder<unknown>
  /** A person has looked at the change and approved it: whoever is taken out by it is not asked about again. */
  readonly removalsApproved?: boolean
}

/**
 * Wants exactly these memberships in a rule's groups, as far as the people `among` go: whoever is missing is added, whoever is not named is taken
 * out, and whoever stands as wanted is not touched. One statement made for a million memberships; what it writes is what changed.
 */
export const wantMembers = async (tx: Tx, wishes: WantedMembers): Promise<void> => {
  const { tenantId, targetId, origin, correlationId, members, among, removalsApproved = false } = wishes
  const ofThem = among ? sql`and m.user_id = any(array(select user_id from (${among}) a))` : sql``
  // on a table that was filled a moment ago the planner expects one row, and would compare every member with every group
  await sql`set local enable_nestloop = off`.execute(tx)
  const { numAffectedRows = 0n } = await sql`
    with ours as materialized (
      select g.id, g.key, g.wanted from target_groups g
      where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.origin = ${origin}
    ), named as materialized (
      select distinct ours.id as group_id, w.user_id from (${members}) w join ours on ours.key = w.key and ours.wanted
    ), held as materialized (
      select m.group_id, m.user_id, m.wanted from target_members m join ours on ours.id = m.group_id
      where m.tenant_id = ${tenantId} and m.target_id = ${targetId} ${ofThem}
    ), changed as (
      select group_id, user_id, named.user_id is not null as wanted
      from named full join held using (group_id, user_id)
      where (named.user_id is not null) is distinct from coalesce(held.wanted, false)
    )
    insert into target_members as m (tenant_id, target_id, group_id, user_id, wanted, correlation_id, removal)
    select ${tenantId}::uuid, ${targetId}::uuid, group_id, user_id, wanted, ${correlationId},
      case when ${removalsApproved} and not wanted then 'approved' end
    from changed
    order by group_id, user_id
    on conflict (tenant_id, target_id, group_id, user_id) do update set
      wanted = excluded.wanted, correlation_id = excluded.correlation_id, removal = excluded.removal, state = 'pending',
      revision = m.revision + 1, cause = null, last_error = null`.execute(tx)
  await sql`set local enable_nestloop = on`.execute(tx)
  if (numAffectedRows > MANY) await sql`analyze (skip_locked) target_members`.execute(tx)
}
