import type { GroupDocument } from '@instep/connectors/kit/group-target.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { uuidv7 } from '../../../platform/ids.ts'
import type { DueTarget, TargetKey } from '../account.store.ts'
import type { GroupSettings } from './want-groups.ts'

/** Rows `a` to be tried at `now` that nobody holds. */
const free = (now: Date) => sql`g.next_try_at <= ${now} and (g.leased_until is null or g.leased_until <= ${now})`

/** Targets that occur in a relation, found by skipping from one to the next along an index that begins with tenant and target. */
const skipping = (name: string, { rows, where }: { rows: RawBuilder<unknown>; where: RawBuilder<unknown> }) => sql`
  ${sql.ref(name)} as (
    (select r.tenant_id, r.target_id from ${rows} r where ${where} order by r.tenant_id, r.target_id limit 1)
    union all
    select next.tenant_id, next.target_id
    from ${sql.ref(name)} last, lateral (
      select r.tenant_id, r.target_id from ${rows} r
      where ${where} and (r.tenant_id, r.target_id) > (last.tenant_id, last.target_id)
      order by r.tenant_id, r.target_id limit 1
    ) next
  )`

/** The groups of target `t` that have members to add or to take out, found by skipping from group to group. */
const fillingGroups = (key: { tenantId: RawBuilder<unknown>; targetId: RawBuilder<unknown> }) => {
  const first = (from: RawBuilder<unknown>) => sql`
    select m.group_id from target_members m
    where m.tenant_id = ${key.tenantId} and m.target_id = ${key.targetId} and m.state = 'pending' ${from}
    order by m.group_id limit 1`
  return sql`
    with recursive filling as (
      (${first(sql``)})
      union all
      select next.group_id from filling, lateral (${first(sql`and m.group_id > filling.group_id`)}) next
    ) select group_id from filling`
}

const TROUBLED = sql`('pending', 'failed', 'paused')`

/** Enabled targets that have groups, members or moved accounts to be done at `now`. */
export const dueGroupTargets = async (db: Db, now: Date): Promise<DueTarget[]> => {
  const { rows } = await sql<DueTarget>`
    with recursive
      ${skipping('owing', { rows: sql`target_groups`, where: sql`r.state in ${TROUBLED}` })},
      ${skipping('filling', { rows: sql`target_members`, where: sql`r.state = 'pending'` })},
      ${skipping('moved', { rows: sql`moved_accounts`, where: sql`true` })}
    select t.tenant_id as "tenantId", t.target_id as "targetId", t.name
    from (select * from owing union select * from filling union select * from moved) o
    join provisioning_targets t on t.tenant_id = o.tenant_id and t.target_id = o.target_id
    where t.enabled and (
      exists (select from moved_accounts m where m.tenant_id = t.tenant_id and m.target_id = t.target_id)
      or exists (
        select from target_groups g
        where g.tenant_id = t.tenant_id and g.target_id = t.target_id and g.state in ${TROUBLED} and ${free(now)}
      )
      or exists (
        select from (${fillingGroups({ tenantId: sql`t.tenant_id`, targetId: sql`t.target_id` })}) f
        join target_groups g on g.tenant_id = t.tenant_id and g.target_id = t.target_id and g.id = f.group_id
        where g.state not in ('quarantined', 'held') and ${free(now)}
      )
    )`.execute(db)
  return rows
}

/** A row of `target_groups` that a worker holds. */
export interface LeasedGroup {
  readonly id: string
  readonly lease: string
  readonly leasedUntil: Date
  readonly name: string
  readonly settings: GroupSettings
  readonly wanted: boolean
  readonly revision: number
  readonly attempts: number
  readonly cause: string | null
  readonly correlationId: string | null
  readonly uncertain: boolean
  readonly remoteId: string | null
  readonly applied: GroupDocument | null
  readonly appliedHash: string | null
}

/**
 * Leases groups that are due, or have members that are. A group whose last lease ran out comes back as uncertain: its holder may have died
 * between sending and recording.
 */
export const leaseGroups = async (
  db: Db,
  { tenantId, targetId }: TargetKey,
  { limit, now, until }: { limit: number; now: Date; until: Date },
): Promise<LeasedGroup[]> => {
  const lease = uuidv7(now.getTime())
  const { rows } = await sql<Omit<LeasedGroup, 'lease' | 'leasedUntil'>>`
    with asked as materialized (
      select g.id from target_groups g
      where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.state in ${TROUBLED} and ${free(now)}
      union
      select group_id from (${fillingGroups({ tenantId: sql`${tenantId}::uuid`, targetId: sql`${targetId}::uuid` })}) f
    ), due as materialized (
      select g.id from target_groups g
      where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.id = any(array(select id from asked))
        and g.state not in ('quarantined', 'held') and ${free(now)}
        and exists (select from provisioning_targets t where t.tenant_id = ${tenantId} and t.target_id = ${targetId} and t.enabled)
      order by g.next_try_at, g.id
      limit ${limit}
      for update of g skip locked
    )
    update target_groups g
    set uncertain = g.uncertain or g.lease_owner is not null, lease_owner = ${lease}, leased_until = ${until}
    where g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.id = any(array(select id from due))
    returning
      g.id, g.name, g.settings, g.wanted, g.revision, g.attempts, g.cause, g.correlation_id as "correlationId", g.uncertain,
      g.remote_id as "remoteId", g.applied_document as applied, encode(g.applied_hash, 'hex') as "appliedHash"`.execute(db)
  return rows.map((row) => ({ ...row, lease, leasedUntil: until }))
}

const held = ({ tenantId, targetId }: TargetKey, groups: readonly Pick<LeasedGroup, 'id' | 'lease'>[]) => sql`
  g.tenant_id = ${tenantId} and g.target_id = ${targetId} and g.id = any(${groups.map(({ id }) => id)}::uuid[])
  and g.lease_owner = any(${[...new Set(groups.map(({ lease }) => lease))]}::uuid[])`

/** The groups that are still held; renewed until `until`. */
export const renewGroups = async (
  db: Db,
  key: TargetKey,
  { groups, until }: { groups: readonly LeasedGroup[]; until: Date },
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    update target_groups g set leased_until = ${until} where ${held(key, groups)} returning g.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Gives back groups for which nothing was sent. */
export const releaseGroups = async (db: Db, key: TargetKey, groups: readonly LeasedGroup[]): Promise<void> => {
  await sql`update target_groups g set lease_owner = null, leased_until = null where ${held(key, groups)}`.execute(db)
}

/** Ends every lease of groups, as `releaseAllLeases` does of accounts. */
export const releaseAllGroupLeases = async (db: Db): Promise<void> => {
  await sql`update target_groups set leased_until = null where leased_until is not null`.execute(db)
}

/** What is known of a group at the target from now on, while it is still held. */
export interface KnownGroup {
  readonly remoteId: string | null
  readonly document: GroupDocument | null
  readonly hash: string | null
  readonly uncertain: boolean
}

/**
 * Writes down what is known of a group before the next step is taken. A group that came into being, or is gone, has none of the members that
 * were recorded before. `taken`: the group belongs to another row; `lost`: the lease is another's.
 */
export const noteGroup = async (
  db: Db,
  { tenantId, targetId }: TargetKey,
  { group, known }: { group: LeasedGroup; known: KnownGroup },
): Promise<'noted' | 'taken' | 'lost'> => {
  try {
    const { rows } = await sql`
      with noted as (
        update target_groups g set
          remote_id = ${known.remoteId}, applied_document = ${known.document && JSON.stringify(known.document)}::jsonb,
          applied_hash = decode(${known.hash}, 'hex'), uncertain = ${known.uncertain}
        where ${held({ tenantId, targetId }, [group])}
        returning g.id, g.remote_id
      ), emptied as (
        update target_members m set remote_id = null, state = 'pending', revision = m.revision + 1
        from noted
        where noted.remote_id is null and m.tenant_id = ${tenantId} and m.target_id = ${targetId} and m.group_id = noted.id
          and m.remote_id is not null
      )
      select 1 from noted`.execute(db)
    return rows.length > 0 ? 'noted' : 'lost'
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'target_groups_remote') return 'taken'
    throw error
  }
}

/** Forgets a group that was deleted at the target, unless it was wanted again meanwhile: then it is made anew. */
export const forgetGroup = async (db: Db, key: TargetKey, group: LeasedGroup): Promise<void> => {
  const { numAffectedRows } = await sql`
    delete from target_groups g where ${held(key, [group])} and g.revision = ${group.revision}`.execute(db)
  if (numAffectedRows === 1n) return
  await noteGroup(db, key, { group, known: { remoteId: null, document: null, hash: null, uncertain: false } })
  await releaseGroups(db, key, [group])
}
