import { sql } from 'kysely'
import type { NewEvent } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { numberedId } from '../../platform/db/numbered-id.ts'
import { placeInSiteGroups } from '../provisioning/public.ts'

/** A place among the people of a site: the order of its list by name. */
export type SitePlace = readonly [listStatus: number, nameKey: string, id: string]

export interface Moving {
  readonly tenantId: string
  readonly from: string
  /** Null: the Unassigned bucket. */
  readonly to: string | null
  readonly by: Pick<NewEvent, 'actor' | 'at' | 'correlationId'>
  /** Behind this place; undefined: from the first on. */
  readonly after?: SitePlace | undefined
  /** How many at most. */
  readonly most: number
}

export interface Moved {
  readonly moved: number
  /** Where to go on; undefined when there was nobody any more. */
  readonly last: SitePlace | undefined
}

/** The next people of the site, in the order of an index, so that many chunks do not sort the site as many times. */
const nextPlaces = async (tx: Tx, { tenantId, from, after, most }: Moving): Promise<SitePlace[]> => {
  const behind = after ? sql`and (list_status, name_key, id) > (${after[0]}::smallint, ${after[1]}, ${after[2]}::uuid)` : sql``
  const { rows } = await sql<{ status: number; name: string; id: string }>`
    select list_status as status, name_key as name, id from users
    where tenant_id = ${tenantId} and site_id = ${from} and not locked ${behind}
    order by list_status, name_key, id limit ${most}`.execute(tx)
  return rows.map(({ status, name, id }) => [status, name, id])
}

/**
 * Puts people of one site who are not locked at another one, in the caller's transaction: one event a person, and the groups of sites follow. A site
 * reaches no account.
 */
export const movePeople = async (tx: Tx, moving: Moving): Promise<Moved> => {
  const { tenantId, from, to, by } = moving
  const places = await nextPlaces(tx, moving)
  const { rows } = await sql<{ id: string }>`
    with gone as (
      select u.id from users u
      where u.tenant_id = ${tenantId} and u.id = any (${places.map(([, , id]) => id)}::uuid[]) and u.site_id = ${from} and not u.locked
      order by u.id for update
    ), moved as (
      update users u set site_id = ${to}::uuid, version = u.version + 1, updated_at = ${by.at}::timestamptz
      from gone where u.tenant_id = ${tenantId} and u.id = gone.id
      returning u.id, u.connector_id, u.version
    ), told as (
      insert into events (tenant_id, id, at, stream, type, correlation_id, actor, subject_id, connector_id, data, before, after)
      select ${tenantId}::uuid,
        ${numberedId(by.at, sql`row_number() over (order by m.id)`)},
        ${by.at}::timestamptz, 'user', 'user.moved', ${by.correlationId}, ${JSON.stringify(by.actor)}::jsonb, m.id, m.connector_id,
        jsonb_build_object('version', m.version), jsonb_build_object('siteId', ${from}::text), jsonb_build_object('siteId', ${to}::text)
      from moved m
    )
    select id from moved`.execute(tx)
  if (rows.length > 0) {
    const users = sql`select unnest(${rows.map(({ id }) => id)}::uuid[]) as user_id`
    await placeInSiteGroups(tx, { tenantId, users, correlationId: by.correlationId })
  }
  return { moved: rows.length, last: places.at(-1) }
}
