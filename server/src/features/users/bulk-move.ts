import type { bulkMove as bulkMoveEndpoint } from '@instep/contract/bulk-move.ts'
import type { ResponseOf } from '@instep/contract/endpoint.ts'
import { isTenantLevel, permits } from '@instep/contract/roles.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { numberedId } from '../../platform/db/numbered-id.ts'
import { keepSitesOpen } from '../../platform/db/site-locks.ts'
import { withinSites } from '../../platform/db/within-sites.ts'
import { problem } from '../../platform/http/problem.ts'
import { placeInSiteGroups } from '../provisioning/public.ts'
import { type Change, type EditDeps, eventBy, takes } from './edit-deps.ts'
import { wrongSite } from './site-choice.ts'

/** Who is to be moved where. */
export interface Move {
  readonly tenantId: string
  /** Undefined: whatever their connector. */
  readonly connectorId: string | undefined
  readonly siteId: string | null
  readonly userIds: readonly string[]
  readonly change: Change
}

type Answer = ResponseOf<typeof bulkMoveEndpoint>
type Refusal = Answer['identities'][number]['reason']

interface Found {
  readonly id: string
  readonly siteId: string | null
  readonly locked: boolean
  readonly vip: boolean
  readonly definitionId: string
  readonly permissions: number
}

/** The people whom the caller sees, locked against other changes until the transaction ends. */
const lockPeople = async (tx: Tx, { tenantId, connectorId, userIds, change }: Move): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    select u.id, u.site_id as "siteId", u.locked, u.vip, c.definition_id as "definitionId", c.permissions
    from users u join connectors c on c.tenant_id = u.tenant_id and c.id = u.connector_id
    where u.tenant_id = ${tenantId} and u.id = any (${[...userIds]}::uuid[]) and ${withinSites('u.site_id', change.actor.sites)}
      and ${connectorId ? sql`u.connector_id = ${connectorId}` : sql`true`}
    order by u.id for update of u`.execute(tx)
  return rows
}

/** Puts them at the site, one event a person; whoever is there already leaves no trace. A site reaches no account, but perhaps groups. */
const put = async (tx: Tx, { tenantId, siteId, change }: Move, ids: readonly string[]): Promise<void> => {
  const by = eventBy(change)
  const { rows } = await sql<{ id: string }>`
    with moved as (
      update users u set site_id = ${siteId}::uuid, version = u.version + 1, updated_at = ${by.at}::timestamptz
      from users o
      where u.tenant_id = ${tenantId} and u.id = any (${[...ids]}::uuid[]) and o.tenant_id = u.tenant_id and o.id = u.id
        and u.site_id is distinct from ${siteId}::uuid
      returning u.id, u.connector_id, u.version, o.site_id as was
    ), told as (
      insert into events (tenant_id, id, at, stream, type, correlation_id, actor, subject_id, connector_id, data, before, after)
      select ${tenantId}::uuid, ${numberedId(by.at, sql`row_number() over (order by m.id)`)}, ${by.at}::timestamptz, 'user', 'user.moved',
        ${by.correlationId}, ${JSON.stringify(by.actor)}::jsonb, m.id, m.connector_id, jsonb_build_object('version', m.version),
        jsonb_build_object('siteId', m.was), jsonb_build_object('siteId', ${siteId}::text)
      from moved m
    )
    select id from moved`.execute(tx)
  if (rows.length === 0) return
  const users = sql`select unnest(${rows.map(({ id }) => id)}::uuid[]) as user_id`
  await placeInSiteGroups(tx, { tenantId, users, correlationId: by.correlationId })
}

/**
 * Moves people to a site or to the Unassigned bucket in one transaction. Throws `NOT_FOUND` where the caller sees nobody of them, and INVALID on
 * `targetSiteId` for a site that the caller sees none of.
 */
export const bulkMove = (deps: Pick<EditDeps, 'db' | 'definitionOf'>, move: Move): Promise<Answer> =>
  deps.db.transaction().execute(async (tx) => {
    const { tenantId, siteId, change } = move
    const { actor } = change
    await keepSitesOpen(tx, tenantId)
    const wrong = await wrongSite(tx, { tenantId, siteId, sites: actor.sites })
    if (wrong || (siteId === null && !isTenantLevel(actor.roles)))
      throw problem('INVALID', { fields: { targetSiteId: [wrong ?? 'siteRequired'] } })
    const found = new Map((await lockPeople(tx, move)).map((person) => [person.id, person]))
    if (found.size === 0) throw problem('NOT_FOUND')
    const refusalOf = (id: string): Refusal => {
      const person = found.get(id)
      if (!person) return 'unknown'
      const { definitionId, permissions } = person
      if (!permits('editUsers', actor.permissions, permissions) || !takes(deps.definitionOf(definitionId), 'update')) return 'notModifiable'
      if (person.locked) return 'locked'
      return person.vip ? 'vip' : null
    }
    const identities = [...new Set(move.userIds)].map((userId) => {
      const reason = refusalOf(userId)
      return { userId, status: reason === null ? ('Success' as const) : ('Error' as const), reason }
    })
    await put(
      tx,
      move,
      identities.flatMap(({ userId, reason }) => (reason === null ? [userId] : [])),
    )
    return { identities, success: identities.every(({ reason }) => reason === null) }
  })

/** How many people of a tenant stand at no site, and how many of them are active: everybody, without those who are counted at sites. */
export const countUnassigned = async (db: Db, tenantId: string): Promise<{ people: number; active: number }> => {
  const { rows } = await sql<{ people: number; active: number }>`
    with counted as (
      select case when place_id = ${tenantId} then people else -people end as people, list_status
      from people_counts where tenant_id = ${tenantId}
    )
    select coalesce(sum(people), 0)::integer as people, coalesce(sum(people) filter (where list_status < 3), 0)::integer as active
    from counted`.execute(db)
  return rows[0] ?? { people: 0, active: 0 }
}
