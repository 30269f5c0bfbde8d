import { TOKEN_WARNING_DAYS } from '@instep/contract/scim-in.ts'
import { EXPIRY_WARNING_DAYS, type SourceState } from '@instep/contract/sources.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { isFetched } from '../connectors/public.ts'
import { findHostKey, findSourceState, type SourceKey } from './source-states.store.ts'
import type { SyncDeps } from './sync-deps.ts'

/** Whether plans of this source may be applied by themselves: a person has applied one before. */
export const isAutomaticOffered = async (db: Db | Tx, { tenantId, connectorId }: SourceKey): Promise<boolean> => {
  const { rows } = await sql<{ offered: boolean }>`
    select exists (
      select from runs where tenant_id = ${tenantId} and connector_id = ${connectorId} and kind = 'sync'
        and state in ('succeeded', 'partlySucceeded') and decided_by ->> 'kind' = 'admin' and input -> 'only' is null
    ) as offered`.execute(db)
  return rows[0]?.offered ?? false
}

/** How many days of the tenant's calendar are left, where a setting says when the credentials expire. */
const expiring = (connector: string, now: Date) => sql`
  (${sql.raw(connector)}.properties ->> 'credentialsExpireOn')::date - (${now}::timestamptz at time zone t.time_zone)::date`

/** Whether the last token that lets anybody push runs out soon, or has run out: one that was renewed ends without harm. */
const endingTokens = (now: Date) => sql`(
  select max(coalesce(k.expires_at, 'infinity')) from scim_tokens k where k.tenant_id = c.tenant_id and k.connector_id = c.id
) <= ${now}::timestamptz + make_interval(days => ${TOKEN_WARNING_DAYS})`

interface Expiry {
  readonly expireOn: string
  readonly daysLeft: number
}

const findExpiry = async (db: Db, { tenantId, connectorId }: SourceKey, now: Date): Promise<Expiry | null> => {
  const { rows } = await sql<Expiry>`
    select c.properties ->> 'credentialsExpireOn' as "expireOn", (${expiring('c', now)})::integer as "daysLeft"
    from connectors c join tenants t on t.id = c.tenant_id
    where c.tenant_id = ${tenantId} and c.id = ${connectorId} and c.properties ? 'credentialsExpireOn'
      and ${expiring('c', now)} <= ${EXPIRY_WARNING_DAYS}`.execute(db)
  return rows[0] ?? null
}

/** How a source that is fetched fares. */
export const viewSource = async (
  { db, clock, openSource }: Pick<SyncDeps, 'db' | 'clock' | 'openSource'>,
  key: SourceKey,
): Promise<SourceState> => {
  const [state, hostKey, credentials, automaticOffered, fetched] = await Promise.all([
    findSourceState(db, key),
    findHostKey(db, key),
    findExpiry(db, key, clock.now()),
    isAutomaticOffered(db, key),
    isFetched(openSource, key),
  ])
  return {
    fetched,
    lastFetchAt: state.lastFetchAt?.toISOString() ?? null,
    lastDataAt: state.lastDataAt?.toISOString() ?? null,
    lastError: state.lastError ? { code: state.lastError.code, params: { ...state.lastError.params } } : null,
    silentSince: state.silentSince?.toISOString() ?? null,
    hostKey: hostKey ?? null,
    credentials,
    automaticOffered,
  }
}

/** Sources of a tenant that somebody should look at: nothing comes, the last fetch failed, or credentials expire soon. */
export const sourcesInTrouble = async (db: Db, { tenantId, now }: { tenantId: string; now: Date }) => {
  const { rows } = await sql<{ connectorId: string; name: string; trouble: 'silent' | 'failed' | 'expiring' }>`
    select c.id as "connectorId", c.name,
      case when s.silent_since is not null then 'silent' when s.last_error is not null then 'failed' else 'expiring' end as trouble
    from connectors c
    join tenants t on t.id = c.tenant_id
    left join source_states s on s.tenant_id = c.tenant_id and s.connector_id = c.id
    where c.tenant_id = ${tenantId} and c.kind = 'source' and c.enabled and (
      s.silent_since is not null or s.last_error is not null
      or (c.properties ? 'credentialsExpireOn' and ${expiring('c', now)} <= ${EXPIRY_WARNING_DAYS})
      or ${endingTokens(now)}
    )
    order by c.name_folded limit 50`.execute(db)
  return rows
}
