import type { ScimPush, ScimStatus } from '@instep/contract/scim-in.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Pusher } from './push.ts'
import type { Place } from './resources.store.ts'

const refusing = (definition: string | undefined): void => {
  if (definition === undefined) throw problem('NOT_FOUND')
  if (definition !== 'scim-in') throw problem('CONNECTOR_KIND_WRONG')
}

/** Refuses a connector that is not there or takes no pushes: `NOT_FOUND`, `CONNECTOR_KIND_WRONG`. */
export const assertScimSource = async (db: Db, { tenantId, connectorId }: Place): Promise<void> => {
  const row = await db
    .selectFrom('connectors')
    .select('definition_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', connectorId)
    .executeTakeFirst()
  refusing(row?.definition_id)
}

/** The same, and keeps others from changing the connector's tokens until the transaction ends. */
export const lockScimSource = async (tx: Tx, { tenantId, connectorId }: Place): Promise<void> => {
  const row = await tx
    .selectFrom('connectors')
    .select('definition_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', connectorId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  refusing(row?.definition_id)
}

type LastError = NonNullable<ScimStatus['lastError']>

/** Remembers the last request that was refused, for whoever looks after the connector. */
export const rememberError = async (db: Db, by: Pusher, error: Omit<LastError, 'by'>): Promise<void> => {
  await sql`
    insert into scim_feeds (tenant_id, connector_id, last_error)
    values (${by.tenantId}, ${by.connectorId}, ${JSON.stringify({ ...error, by: by.token.label })})
    on conflict (tenant_id, connector_id) do update set last_error = excluded.last_error`.execute(db)
}

const RECENT = 10

const listRecent = async (db: Db, { tenantId, connectorId }: Place): Promise<ScimPush[]> => {
  const { rows } = await sql<Omit<ScimPush, 'at'> & { at: Date }>`
    select id, at, type as "eventType", data, actor ->> 'name' as by, correlation_id as "correlationId"
    from events
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and type like 'scim.%' and type not like 'scim.token.%'
    order by id desc limit ${RECENT}`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** What was pushed to a connector. */
export const readScimStatus = async (db: Db, place: Place): Promise<Omit<ScimStatus, 'baseUrl'>> => {
  const { tenantId, connectorId } = place
  const own = sql<boolean>`tenant_id = ${tenantId} and connector_id = ${connectorId}`
  const figures = sql<{ users: number; inactive: number; groups: number; lastPushAt: Date | null; lastError: LastError | null }>`
    select
      (select count(*)::integer from scim_users where ${own}) as users,
      (select count(*)::integer from scim_users where ${own} and not active) as inactive,
      (select count(*)::integer from scim_groups where ${own}) as groups,
      (select last_push_at from scim_feeds where ${own}) as "lastPushAt",
      (select last_error from scim_feeds where ${own}) as "lastError"`.execute(db)
  const [{ rows }, recent] = await Promise.all([figures, listRecent(db, place)])
  const { users = 0, inactive = 0, groups = 0, lastPushAt = null, lastError = null } = rows[0] ?? {}
  return { users, inactive, groups, lastPushAt: lastPushAt?.toISOString() ?? null, lastError, recent }
}
