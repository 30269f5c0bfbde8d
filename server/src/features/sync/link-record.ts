import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { refusingDuplicate } from '../../platform/db/refusing-duplicate.ts'
import { problem } from '../../platform/http/problem.ts'

/** What a link replaced, as `match_cases.before` keeps it. */
export interface Replaced {
  readonly connectorId: string
  /** The version that the person had right after. */
  readonly version: number
  readonly link: {
    readonly connector_id: string
    readonly source_key: string
    readonly record_hash: string
    readonly config_version: number
    readonly missing_since: string | null
  } | null
}

interface Linking {
  readonly tenantId: string
  readonly connectorId: string
  readonly sourceKey: string
  readonly userId: string
  readonly at: Date
}

/** Whoever is never to be deactivated by a sync stays so in the connector that keeps them from now on. */
const moveProtection = async (tx: Tx, { tenantId, connectorId, userId }: Omit<Linking, 'sourceKey' | 'at'>): Promise<void> => {
  await sql`
    with moved as (
      delete from protected_people where tenant_id = ${tenantId} and user_id = ${userId} and connector_id <> ${connectorId} returning *
    )
    insert into protected_people (tenant_id, connector_id, user_id, reason, created_by, created_at)
    select tenant_id, ${connectorId}, user_id, reason, created_by, created_at from moved
    on conflict (tenant_id, connector_id, user_id) do nothing`.execute(tx)
}

/** Puts somebody into a connector; plans that have read them do not touch them any more, because their version grows. */
const moveTo = async (tx: Tx, { tenantId, connectorId, userId, at }: Omit<Linking, 'sourceKey'>): Promise<number> => {
  const { rows } = await refusingDuplicate({ users_external_id_unique: problem('CASE_ID_TAKEN') }, () =>
    sql<{ version: number }>`
      update users set connector_id = ${connectorId}, version = version + 1, updated_at = ${at}
      where tenant_id = ${tenantId} and id = ${userId} returning version`.execute(tx),
  )
  await moveProtection(tx, { tenantId, connectorId, userId })
  return rows[0]?.version ?? 0
}

const dropLink = async (tx: Tx, { tenantId, userId }: Pick<Linking, 'tenantId' | 'userId'>): Promise<Replaced['link']> => {
  const { rows } = await sql<{ link: Replaced['link'] }>`
    delete from source_links l where l.tenant_id = ${tenantId} and l.user_id = ${userId} returning to_jsonb(l) as link`.execute(tx)
  return rows[0]?.link ?? null
}

/** Links a record to somebody who is locked for update, in place of whatever they were linked to, and takes them into the connector. */
export const linkRecord = async (tx: Tx, linking: Linking): Promise<Replaced> => {
  const { tenantId, connectorId, sourceKey, userId } = linking
  const { rows } = await sql<{ connectorId: string; active: boolean }>`
    select connector_id as "connectorId", active from users where tenant_id = ${tenantId} and id = ${userId}`.execute(tx)
  const [person] = rows
  if (!person) throw problem('NOT_FOUND')
  const link = await dropLink(tx, linking)
  const version = await moveTo(tx, linking)
  // no record has this hash, so that the next run reads the record and says what it changes
  const inserted = await sql`
    insert into source_links (tenant_id, connector_id, source_key, user_id, record_hash, config_version, missing_since)
    values (${tenantId}, ${connectorId}, ${sourceKey}, ${userId}, '', 0, ${person.active ? null : linking.at})
    on conflict (tenant_id, connector_id, source_key) do nothing`.execute(tx)
  if (Number(inserted.numAffectedRows ?? 0) === 0) throw problem('CASE_STATE_WRONG')
  return { connectorId: person.connectorId, version, link }
}

/** Puts back what a link replaced; `CASE_ACTED_ON` where a run or anybody else has changed the person since. */
export const unlinkRecord = async (tx: Tx, { replaced, ...linking }: Linking & { replaced: Replaced }): Promise<void> => {
  const { tenantId, connectorId, sourceKey, userId, at } = linking
  const { rows } = await sql`
    select from users u join source_links l on l.tenant_id = u.tenant_id and l.user_id = u.id
    where u.tenant_id = ${tenantId} and u.id = ${userId} and u.version = ${replaced.version} and l.connector_id = ${connectorId}
      and l.source_key = ${sourceKey} and l.record_hash = '' for update of u`.execute(tx)
  if (rows.length === 0) throw problem('CASE_ACTED_ON')
  await dropLink(tx, linking)
  await moveTo(tx, { tenantId, connectorId: replaced.connectorId, userId, at })
  if (!replaced.link) return
  const restored = await sql`
    insert into source_links select (jsonb_populate_record(null::source_links, ${JSON.stringify(replaced.link)}::jsonb)).*
    on conflict (tenant_id, connector_id, source_key) do nothing`.execute(tx)
  if (Number(restored.numAffectedRows ?? 0) === 0) throw problem('CASE_ID_TAKEN')
}
