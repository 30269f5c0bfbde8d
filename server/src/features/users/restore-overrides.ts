import { type RawBuilder, sql } from 'kysely'
import type { NewEvent } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { keepSitesOpen } from '../../platform/db/site-locks.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { markPending } from '../provisioning/public.ts'
import { isTakenElsewhere, lockExternalIds } from './external-ids.ts'
import { type Rewritten, rewriteUsersReturning } from './rewrite-users.ts'

export interface Restoring {
  readonly tenantId: string
  /** A relation with the columns `user_id uuid, field text`; fields by their names of the form model. */
  readonly pairs: RawBuilder<unknown>
  /** Somebody takes them back, or they have held until their day. */
  readonly why: 'restored' | 'lapsed'
  readonly by: Pick<NewEvent, 'actor' | 'at' | 'correlationId'>
}

export interface Restored {
  /** Overrides that were taken back, and of how many people. */
  readonly restored: number
  readonly people: number
  /** Overrides that stay: the person is locked, or somebody else has the external id that the source gives. */
  readonly leftAlone: number
}

/** The pairs, both halves of a reference to another person where one of them is named. */
const wholeReferences = (pairs: RawBuilder<unknown>) => sql`
  select distinct p.user_id, f.field
  from (${pairs}) p
  cross join lateral (
    values (p.field), (case when p.field in ('manager', 'approver') then p.field || 'ReferenceType' end),
      (case when p.field in ('managerReferenceType', 'approverReferenceType') then replace(p.field, 'ReferenceType', '') end)
  ) f (field)
  where f.field is not null`

interface Removed {
  readonly user_id: string
  readonly connector_id: string
  readonly display_name: string
  readonly field: string
  readonly value: unknown
  readonly base: unknown
}

/** Locks the people in the order of their ids, as the sync does, and takes the overrides of those who are not locked for editing. */
const remove = async (tx: Tx, tenantId: string, pairs: RawBuilder<unknown>): Promise<Removed[]> => {
  const { rows: people } = await sql<{ id: string; locked: boolean }>`
    select u.id, u.locked from users u
    where u.tenant_id = ${tenantId} and u.id in (select p.user_id from (${pairs}) p)
    order by u.id for update`.execute(tx)
  const givesIds = await sql`select from (${pairs}) p where p.field = 'externalId' limit 1`.execute(tx)
  if (givesIds.rows.length > 0) await lockExternalIds(tx, tenantId)
  const free = people.filter(({ locked }) => !locked).map(({ id }) => id)
  const { rows } = await sql<Removed>`
    delete from user_overrides o using (${pairs}) p, users u
    where o.tenant_id = ${tenantId} and o.user_id = p.user_id and o.field = p.field
      and u.tenant_id = ${tenantId} and u.id = o.user_id and u.id = any (${free}::uuid[])
      and (o.field <> 'externalId' or not exists (
        select from users t
        where t.tenant_id = u.tenant_id and t.connector_id = u.connector_id and t.external_id = u.base ->> 'externalId' and t.id <> u.id
      ) and not ${isTakenElsewhere({ tenantId, connectorId: sql.ref('u.connector_id') }, sql`u.base ->> 'externalId'`)})
    returning o.user_id, u.connector_id, u.display_name, o.field, o.value, u.base -> o.field as base`.execute(tx)
  return rows
}

const remaining = async (tx: Tx, tenantId: string, pairs: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from user_overrides o join (${pairs}) p on p.user_id = o.user_id and p.field = o.field
    where o.tenant_id = ${tenantId}`.execute(tx)
  return rows[0]?.count ?? 0
}

interface PersonEvent {
  readonly id: string
  readonly user_id: string
  readonly connector_id: string
  readonly data: Record<string, unknown>
  readonly before: Record<string, unknown>
  readonly after: Record<string, unknown>
}

/** One event a person: what was overridden, and what the source says. */
const eventsOf = (removed: readonly Removed[], { people, at }: { people: ReadonlyMap<string, Rewritten>; at: Date }): PersonEvent[] =>
  [...Map.groupBy(removed, ({ user_id }) => user_id)].flatMap(([id, fields]) => {
    const [first] = fields
    const now = people.get(id)
    if (!first || !now) return []
    const renamed = now.display_name !== first.display_name && !fields.some(({ field }) => field === 'displayName')
    return [
      {
        id: uuidv7(at.getTime()),
        user_id: id,
        connector_id: first.connector_id,
        data: { version: now.version, fields: fields.map(({ field }) => field).join(', ') },
        before: {
          ...(renamed && { displayName: first.display_name }),
          ...Object.fromEntries(fields.map(({ field, value }) => [field, value])),
        },
        after: { ...(renamed && { displayName: now.display_name }), ...Object.fromEntries(fields.map(({ field, base }) => [field, base])) },
      },
    ]
  })

const record = async (tx: Tx, { tenantId, why, by }: Restoring, events: readonly PersonEvent[]): Promise<void> => {
  await sql`
    insert into events (tenant_id, id, at, stream, type, correlation_id, actor, subject_id, connector_id, data, before, after)
    select ${tenantId}::uuid, e.id, ${by.at}::timestamptz, 'user', ${why === 'restored' ? 'user.override.restored' : 'user.override.lapsed'},
      ${by.correlationId}, ${JSON.stringify(by.actor)}::jsonb, e.user_id, e.connector_id, e.data, e.before, e.after
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as e (id uuid, user_id uuid, connector_id uuid, data jsonb, before jsonb, after jsonb)`.execute(tx)
}

/**
 * Takes overrides back, of thousands of people at once, in the caller's transaction: what the source says counts again, the version grows, the
 * targets are told, and each person's record says so. Locked people are left alone.
 */
export const restoreOverrides = async (tx: Tx, given: Restoring): Promise<Restored> => {
  const { tenantId, by } = given
  const pairs = wholeReferences(given.pairs)
  await keepSitesOpen(tx, tenantId)
  const removed = await remove(tx, tenantId, pairs)
  const leftAlone = await remaining(tx, tenantId, pairs)
  if (removed.length === 0) return { restored: 0, people: 0, leftAlone }
  const ids = [...new Set(removed.map(({ user_id }) => user_id))]
  const rewritten = await rewriteUsersReturning(tx, {
    tenantId,
    at: by.at,
    documents: sql`
      select u.id, u.base, true as linked, false as site_given, null::uuid as given_site
      from users u where u.tenant_id = ${tenantId} and u.id = any (${ids}::uuid[])`,
    bump: 'always',
  })
  await record(tx, given, eventsOf(removed, { people: new Map(rewritten.map((row) => [row.id, row])), at: by.at }))
  const changed = removed.filter(({ value, base }) => JSON.stringify(value) !== JSON.stringify(base)).map(({ user_id }) => user_id)
  await markPending(tx, {
    tenantId,
    correlationId: by.correlationId,
    users: sql`select id as user_id from unnest(${changed}::uuid[]) as t (id)`,
  })
  return { restored: removed.length, people: ids.length, leftAlone }
}
