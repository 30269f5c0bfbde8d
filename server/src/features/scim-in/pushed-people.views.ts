import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { JsonObject } from './json.ts'
import type { PushedPerson } from './people-table.rules.ts'
import type { Place } from './resources.store.ts'

/** The number of a connector's last change, and when that was; undefined where nothing was ever pushed. */
export const lastChange = async (tx: Tx, { tenantId, connectorId }: Place): Promise<{ change: number; at: Date | null } | undefined> => {
  const row = await tx
    .selectFrom('scim_feeds')
    .select(['change', 'last_push_at'])
    .where('tenant_id', '=', tenantId)
    .where('connector_id', '=', connectorId)
    .executeTakeFirst()
  return row && row.change > 0 ? { change: row.change, at: row.last_push_at } : undefined
}

/** How many people a connector was pushed who work here. */
export const countActive = async (tx: Tx, { tenantId, connectorId }: Place): Promise<number> => {
  const { rows } = await sql<{ amount: number }>`
    select count(*)::integer as amount from scim_users
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and active`.execute(tx)
  return rows[0]?.amount ?? 0
}

const BATCH = 1000

/** A person `r` with the names of their groups. */
const personColumns = sql`
  r.id, r.resource, coalesce(
    (
      select array_agg(g.resource ->> 'displayName' order by g.name_folded, g.id)
      from scim_group_members m
      join scim_groups g on g.tenant_id = m.tenant_id and g.connector_id = m.connector_id and g.id = m.group_id
      where m.tenant_id = r.tenant_id and m.connector_id = r.connector_id and m.user_id = r.id
    ),
    '{}'
  ) as groups`

/** Some of those of whom a condition on `r` holds, and when each was pushed last. */
export const findActive = async (
  tx: Tx,
  { tenantId, connectorId }: Place,
  { condition, limit }: { condition: RawBuilder<boolean>; limit: number },
): Promise<(PushedPerson & { pushedAt: Date })[]> => {
  const { rows } = await sql<PushedPerson & { pushedAt: Date }>`
    select ${personColumns}, r.updated_at as "pushedAt" from scim_users r
    where r.tenant_id = ${tenantId} and r.connector_id = ${connectorId} and r.active and ${condition}
    order by r.id limit ${limit}`.execute(tx)
  return rows
}

/** The people who are pushed as active, with their groups, in batches by id. */
export async function* activePeople(tx: Tx, { tenantId, connectorId }: Place): AsyncGenerator<PushedPerson[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<PushedPerson>`
      select ${personColumns} from scim_users r
      where r.tenant_id = ${tenantId} and r.connector_id = ${connectorId} and r.id > ${after} and r.active
      order by r.id limit ${BATCH}`.execute(tx)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (rows.length < BATCH || !last) return
    after = last.id
  }
}

/** The extensions of those people, without values: which attributes the table needs columns for. */
export async function* activeExtensions(tx: Tx, place: Place, known: readonly string[]): AsyncGenerator<JsonObject[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<{ id: string; resource: JsonObject }>`
      select u.id, u.resource from scim_users u
      where u.tenant_id = ${place.tenantId} and u.connector_id = ${place.connectorId} and u.id > ${after} and u.active
        and exists (select from jsonb_object_keys(u.resource) name where name ilike 'urn:%' and name <> all(${known}::text[]))
      order by u.id limit ${BATCH}`.execute(tx)
    if (rows.length > 0) yield rows.map(({ resource }) => resource)
    const last = rows.at(-1)
    if (rows.length < BATCH || !last) return
    after = last.id
  }
}
