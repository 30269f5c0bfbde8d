import type { JsonValue } from '@instep/connectors/kit/fetching-source.ts'
import { sql } from 'kysely'
import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { RunReason } from '../../platform/runs/run.ts'

export interface SourceKey {
  readonly tenantId: string
  readonly connectorId: string
}

/** The key of a server, and the place at which it was seen. */
export interface HostKey {
  readonly place: string
  readonly fingerprint: string
}

/** A row of `source_states`. */
export interface SourceStateRow {
  readonly watermark: JsonValue
  readonly settleDue: JsonValue
  readonly hostKey: HostKey | null
  readonly lastFetchAt: Date | null
  readonly lastDataAt: Date | null
  readonly lastError: RunReason | null
  readonly silentSince: Date | null
}

const NOTHING: SourceStateRow = {
  watermark: null,
  settleDue: null,
  hostKey: null,
  lastFetchAt: null,
  lastDataAt: null,
  lastError: null,
  silentSince: null,
}

/** What is known of a source; of one that was never fetched nothing is. */
export const findSourceState = async (db: Db | Tx, { tenantId, connectorId }: SourceKey): Promise<SourceStateRow> => {
  const { rows } = await sql<SourceStateRow>`
    select watermark, settle_due as "settleDue", host_key as "hostKey", last_fetch_at as "lastFetchAt", last_data_at as "lastDataAt",
      last_error as "lastError", silent_since as "silentSince"
    from source_states where tenant_id = ${tenantId} and connector_id = ${connectorId}`.execute(db)
  return rows[0] ?? NOTHING
}

/** Where a source's server is, as far as its key belongs to it. */
export const placeOfSource = async (db: Db | Tx, { tenantId, connectorId }: SourceKey): Promise<string> => {
  const { rows } = await sql<{ place: string }>`
    select concat(properties ->> 'host', ':', coalesce(properties ->> 'port', '22')) as place
    from connectors where tenant_id = ${tenantId} and id = ${connectorId}`.execute(db)
  return rows[0]?.place ?? ''
}

/** The kept key of a source's server; that of another place does not count. */
export const findHostKey = async (db: Db | Tx, key: SourceKey): Promise<string | undefined> => {
  const { hostKey } = await findSourceState(db, key)
  return hostKey && hostKey.place === (await placeOfSource(db, key)) ? hostKey.fingerprint : undefined
}

export const keepHostKey = async (tx: Tx, { tenantId, connectorId }: SourceKey, hostKey: HostKey): Promise<void> => {
  await sql`
    insert into source_states (tenant_id, connector_id, host_key) values (${tenantId}, ${connectorId}, ${JSON.stringify(hostKey)})
    on conflict (tenant_id, connector_id) do update set host_key = excluded.host_key`.execute(tx)
}

/** What a fetch came to; `seen` is absent where there was nothing new. */
export interface FetchOutcome {
  readonly at: Date
  readonly seen?: JsonValue
  readonly error?: RunReason
}

/** Remembers how a fetch went; the same data once more is no news. Tells of the end of a silence. */
export const recordFetch = async (
  tx: Tx,
  key: SourceKey & { name: string; correlationId: string },
  { at, seen, error }: FetchOutcome,
): Promise<void> => {
  const { tenantId, connectorId, name, correlationId } = key
  const { rows: before } = await sql<{ silentSince: Date | null }>`
    select silent_since as "silentSince" from source_states
    where tenant_id = ${tenantId} and connector_id = ${connectorId} for update`.execute(tx)
  const { rows } = await sql<{ silentSince: Date | null }>`
    insert into source_states as s (tenant_id, connector_id, last_fetch_at, last_data_at, last_error, seen)
    values (${tenantId}, ${connectorId}, ${at}, ${seen === undefined ? null : at}, ${error ? JSON.stringify(error) : null},
      ${seen === undefined ? null : JSON.stringify(seen)})
    on conflict (tenant_id, connector_id) do update set
      last_fetch_at = excluded.last_fetch_at,
      last_error = excluded.last_error,
      last_data_at = case when excluded.seen is null or excluded.seen = s.seen then s.last_data_at else excluded.last_data_at end,
      silent_since = case when excluded.seen is null or excluded.seen = s.seen then s.silent_since end,
      seen = coalesce(excluded.seen, s.seen)
    returning silent_since as "silentSince"`.execute(tx)
  if (!before[0]?.silentSince || rows[0]?.silentSince) return
  const actor = { kind: 'system', id: null, name } as const
  await recordEvents(tx, [{ tenantId, at, stream: 'directory', type: 'source.heard', correlationId, actor, connectorId, data: { name } }])
}

/** Moves the watermark, because its run was applied; what is to be put aside at the source is a row before it is an act. */
export const moveWatermark = async (tx: Tx, { tenantId, connectorId }: SourceKey, watermark: JsonValue): Promise<void> => {
  await sql`
    insert into source_states (tenant_id, connector_id, watermark, settle_due)
    values (${tenantId}, ${connectorId}, ${JSON.stringify(watermark)}, ${JSON.stringify(watermark)})
    on conflict (tenant_id, connector_id) do update set watermark = excluded.watermark, settle_due = excluded.settle_due`.execute(tx)
}

/** Says that what was due is put aside; what came due since stays. */
export const clearSettled = async (db: Db, { tenantId, connectorId }: SourceKey, settled: JsonValue): Promise<void> => {
  await sql`
    update source_states set settle_due = null
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and settle_due = ${JSON.stringify(settled)}::jsonb`.execute(db)
}
