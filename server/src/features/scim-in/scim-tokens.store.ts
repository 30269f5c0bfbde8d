import { sql } from 'kysely'
import type { EventActor } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Pusher } from './push.ts'
import type { Place } from './resources.store.ts'

export interface TokenRow {
  readonly id: string
  readonly label: string
  readonly createdAt: Date
  readonly createdBy: EventActor
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

const COLUMNS = sql.raw(
  'id, label, created_at as "createdAt", created_by as "createdBy", expires_at as "expiresAt", last_used_at as "lastUsedAt"',
)

const within = ({ tenantId, connectorId }: Place) => sql<boolean>`tenant_id = ${tenantId} and connector_id = ${connectorId}`

/** The tokens of a connector, newest first. */
export const listTokens = async (db: Db, place: Place): Promise<TokenRow[]> => {
  const { rows } = await sql<TokenRow>`select ${COLUMNS} from scim_tokens where ${within(place)} order by id desc`.execute(db)
  return rows
}

/** One token, locked until the transaction ends. */
export const lockToken = async (tx: Tx, { id, ...place }: Place & { id: string }): Promise<TokenRow | undefined> => {
  const { rows } = await sql<TokenRow>`select ${COLUMNS} from scim_tokens where ${within(place)} and id = ${id} for update`.execute(tx)
  return rows[0]
}

/** How many tokens a connector has. */
export const countTokens = async (tx: Tx, place: Place): Promise<number> => {
  const { rows } = await sql<{ amount: number }>`select count(*)::integer as amount from scim_tokens where ${within(place)}`.execute(tx)
  return rows[0]?.amount ?? 0
}

export interface NewTokenRow extends Place {
  readonly id: string
  readonly label: string
  readonly hash: string
  readonly createdBy: EventActor
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

/** Adds a token. */
export const insertToken = async (tx: Tx, row: NewTokenRow): Promise<TokenRow> => {
  const { rows } = await sql<TokenRow>`
    insert into scim_tokens (tenant_id, connector_id, id, label, hash, created_by, created_at, expires_at)
    values (${row.tenantId}, ${row.connectorId}, ${row.id}, ${row.label}, ${row.hash}, ${JSON.stringify(row.createdBy)}, ${row.createdAt},
      ${row.expiresAt})
    returning ${COLUMNS}`.execute(tx)
  return rows[0] as TokenRow
}

/** Lets a token end no later than then. */
export const endTokenBy = async (tx: Tx, { id, ...place }: Place & { id: string }, at: Date): Promise<void> => {
  await sql`
    update scim_tokens set expires_at = least(expires_at, ${at}::timestamptz) where ${within(place)} and id = ${id}`.execute(tx)
}

/** Removes a token. */
export const deleteToken = async (tx: Tx, { id, ...place }: Place & { id: string }): Promise<void> => {
  await sql`delete from scim_tokens where ${within(place)} and id = ${id}`.execute(tx)
}

export interface FoundPusher extends Pusher {
  readonly lastUsedAt: Date | null
}

/** Whose token this is: of this connector, not expired, the connector and its tenant enabled. Undefined for everything else, whatever it is. */
export const findPusher = async (
  db: Db,
  { connectorId, hash, now }: { connectorId: string; hash: string; now: Date },
): Promise<FoundPusher | undefined> => {
  const { rows } = await sql<{ tenantId: string; id: string; label: string; lastUsedAt: Date | null }>`
    select k.tenant_id as "tenantId", k.id, k.label, k.last_used_at as "lastUsedAt"
    from scim_tokens k
    join connectors c on c.tenant_id = k.tenant_id and c.id = k.connector_id
    join tenants t on t.id = k.tenant_id
    where k.hash = ${hash} and k.connector_id = ${connectorId} and (k.expires_at is null or k.expires_at > ${now})
      and c.enabled and c.definition_id = 'scim-in' and t.status = 'active'`.execute(db)
  const row = rows[0]
  return row && { tenantId: row.tenantId, connectorId, token: { id: row.id, label: row.label }, lastUsedAt: row.lastUsedAt }
}

/** Remembers that a token was used. */
export const markTokenUsed = async (db: Db, { tenantId, connectorId, token }: Pusher, at: Date): Promise<void> => {
  await sql`update scim_tokens set last_used_at = ${at} where ${within({ tenantId, connectorId })} and id = ${token.id}`.execute(db)
}
