import { PERMISSIONS } from '@instep/contract/roles.ts'
import type { APPLY_MODES, SKIP_REASONS } from '@instep/contract/sources.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { SourceKey } from './source-states.store.ts'

export type SkipReason = (typeof SKIP_REASONS)[number]

/** What an administrator sets. */
export interface ScheduleValues {
  readonly cron: string
  readonly timeZone: string
  readonly enabled: boolean
  readonly apply: (typeof APPLY_MODES)[number]
}

/** A row of `source_schedules`. */
export interface ScheduleRow extends ScheduleValues {
  readonly lastStartedAt: Date | null
  readonly skipped: { readonly at: string; readonly reason: SkipReason } | null
}

const columns = sql`s.cron, s.time_zone as "timeZone", s.enabled, s.apply, s.last_started_at as "lastStartedAt", s.skipped`

/** The schedule of a source; `lock` keeps others from changing it until the transaction ends. */
export const findSchedule = async (db: Db | Tx, { tenantId, connectorId }: SourceKey, lock = false): Promise<ScheduleRow | undefined> => {
  const { rows } = await sql<ScheduleRow>`
    select ${columns} from source_schedules s where s.tenant_id = ${tenantId} and s.connector_id = ${connectorId}
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0]
}

/** Sets a schedule; silence is measured anew from the moment it is switched on, and one from before is over. */
export const saveSchedule = async (
  tx: Tx,
  { tenantId, connectorId }: SourceKey,
  { cron, timeZone, enabled, apply, nextAt, at }: ScheduleValues & { nextAt: Date | null; at: Date },
): Promise<void> => {
  await sql`
    insert into source_schedules as s (tenant_id, connector_id, cron, time_zone, enabled, apply, enabled_at, next_at)
    values (${tenantId}, ${connectorId}, ${cron}, ${timeZone}, ${enabled}, ${apply}, ${at}, ${nextAt})
    on conflict (tenant_id, connector_id) do update set
      cron = excluded.cron, time_zone = excluded.time_zone, enabled = excluded.enabled, apply = excluded.apply, next_at = excluded.next_at,
      enabled_at = case when excluded.enabled and not s.enabled then excluded.enabled_at else s.enabled_at end, retries = 0`.execute(tx)
  await sql`
    update source_states t set silent_since = null from source_schedules s
    where t.tenant_id = ${tenantId} and t.connector_id = ${connectorId} and s.tenant_id = t.tenant_id and s.connector_id = t.connector_id
      and s.enabled and t.silent_since <= s.enabled_at`.execute(tx)
}

export interface DueSchedule extends SourceKey, ScheduleRow {
  /** Whether the connector is enabled and admits people being brought in (decisions.md section 6). */
  readonly mayImport: boolean
  readonly name: string
  readonly nextAt: Date
}

const HAS_OPEN_RUN = sql`exists (
    select from runs r
    where r.tenant_id = s.tenant_id and r.connector_id = s.connector_id and r.state in ('queued', 'running', 'planned', 'held')
  )`

/** Waits for the end of the run that was open when its time came. */
const WAITS = sql`s.skipped ->> 'reason' = 'runActive' and ${HAS_OPEN_RUN}`

/** The schedule that has been due for longest, locked; what another process has in hand is passed over, and whatever waits for a run to end. */
export const claimDueSchedule = async (tx: Tx, now: Date): Promise<DueSchedule | undefined> => {
  const { rows } = await sql<DueSchedule>`
    select s.tenant_id as "tenantId", s.connector_id as "connectorId", ${columns}, c.enabled and (c.permissions & ${PERMISSIONS.importUsers}) <> 0 as "mayImport", c.name,
      s.next_at as "nextAt"
    from source_schedules s join connectors c on c.tenant_id = s.tenant_id and c.id = s.connector_id
    where s.enabled and s.next_at <= ${now} and (${WAITS}) is not true
    order by s.next_at limit 1 for update of s skip locked`.execute(tx)
  return rows[0]
}

/** Sets the next time of a schedule whose time has come, and what became of this one. */
export const advanceSchedule = async (
  tx: Tx,
  { tenantId, connectorId }: SourceKey,
  { at, nextAt, skipped }: { at: Date; nextAt: Date | null; skipped: SkipReason | null },
): Promise<void> => {
  await sql`
    update source_schedules set next_at = ${nextAt},
      last_started_at = case when ${skipped === null} then ${at}::timestamptz else last_started_at end,
      skipped = ${skipped === null ? null : JSON.stringify({ at: at.toISOString(), reason: skipped })}
    where tenant_id = ${tenantId} and connector_id = ${connectorId}`.execute(tx)
}

const MOST_RETRIES = 3
const RETRY_SECONDS = 15 * 60

/** Tries again before the next regular time, after a failure that may pass; three times, then it waits for its time. */
export const retrySoon = async (
  tx: Tx,
  { tenantId, connectorId }: SourceKey,
  { at, seconds }: { at: Date; seconds: number | undefined },
): Promise<void> => {
  await sql`
    update source_schedules
    set next_at = least(next_at, ${at}::timestamptz + make_interval(secs => ${Math.max(seconds ?? 0, RETRY_SECONDS)})), retries = retries + 1
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and enabled and retries < ${MOST_RETRIES}`.execute(tx)
}

/** Lets a schedule have its quick second tries again. */
export const forgetRetries = async (tx: Tx, { tenantId, connectorId }: SourceKey): Promise<void> => {
  await sql`
    update source_schedules set retries = 0 where tenant_id = ${tenantId} and connector_id = ${connectorId} and retries > 0`.execute(tx)
}

export interface QuietSource extends SourceKey {
  readonly name: string
  readonly cron: string
  readonly timeZone: string
  readonly lastDataAt: Date
}

/** Scheduled sources that have brought nothing since a moment and of which nothing has been said yet; one whose run waits for somebody is not asked. */
export const quietSources = async (db: Db, before: Date): Promise<QuietSource[]> => {
  const { rows } = await sql<QuietSource>`
    select s.tenant_id as "tenantId", s.connector_id as "connectorId", c.name, s.cron, s.time_zone as "timeZone",
      greatest(t.last_data_at, s.enabled_at) as "lastDataAt"
    from source_schedules s
    join connectors c on c.tenant_id = s.tenant_id and c.id = s.connector_id
    left join source_states t on t.tenant_id = s.tenant_id and t.connector_id = s.connector_id
    where s.enabled and c.enabled and t.silent_since is null and greatest(t.last_data_at, s.enabled_at) <= ${before}
      and not ${HAS_OPEN_RUN}`.execute(db)
  return rows
}

/** Marks a silence; false where another process was quicker, or data came. */
export const markSilent = async (
  tx: Tx,
  { tenantId, connectorId }: SourceKey,
  { since, at }: { since: Date; at: Date },
): Promise<boolean> => {
  // a moment that went through here has lost what the database holds below a millisecond
  const { rows } = await sql`
    insert into source_states as s (tenant_id, connector_id, silent_since) values (${tenantId}, ${connectorId}, ${at})
    on conflict (tenant_id, connector_id) do update set silent_since = excluded.silent_since
    where s.silent_since is null and (s.last_data_at is null or date_trunc('milliseconds', s.last_data_at) <= ${since})
    returning 1`.execute(tx)
  return rows.length > 0
}
