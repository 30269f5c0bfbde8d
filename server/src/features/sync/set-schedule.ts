import type { Schedule } from '@instep/contract/sources.ts'
import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { nextTimes } from './schedule.rules.ts'
import { findSchedule, type ScheduleRow, type ScheduleValues, saveSchedule } from './schedules.store.ts'
import { anySource } from './source-for-fetch.ts'
import type { SourceKey } from './source-states.store.ts'
import { isAutomaticOffered } from './sources.views.ts'
import type { SyncDeps } from './sync-deps.ts'

const SHOWN_TIMES = 3

/** The next three times. Throws INVALID for an expression that means nothing. */
export const previewTimes = (when: { cron: string; timeZone: string }, now: Date): string[] => {
  const times = nextTimes(when, now, SHOWN_TIMES)
  if (!times) throw problem('INVALID', { fields: { cron: ['noSuchTime'] } })
  return times.map((time) => time.toISOString())
}

const present = (row: ScheduleRow, now: Date): Schedule => ({
  cron: row.cron,
  timeZone: row.timeZone,
  enabled: row.enabled,
  apply: row.apply,
  next: row.enabled ? previewTimes(row, now) : [],
  lastStartedAt: row.lastStartedAt?.toISOString() ?? null,
  skipped: row.skipped,
})

/** The schedule of a source as it is shown; null where it has none. */
export const showSchedule = async (db: Db | Tx, key: SourceKey, now: Date): Promise<Schedule | null> => {
  const row = await findSchedule(db, key)
  return row ? present(row, now) : null
}

const told = ({ cron, timeZone, enabled, apply }: ScheduleValues) => ({ cron, timeZone, enabled, apply })

/** Sets when a source is fetched by itself. What changes nothing leaves no trace. Throws the problems of the endpoint. */
export const setSchedule = async (
  { db, clock }: Pick<SyncDeps, 'db' | 'clock'>,
  given: SourceKey & { values: ScheduleValues; by: EventActor; correlationId: string },
): Promise<Schedule> => {
  const { tenantId, connectorId, by, correlationId } = given
  const at = clock.now()
  const values = { ...given.values, cron: given.values.cron.split(/\s+/).join(' ') }
  const [next] = previewTimes(values, at)
  return db.transaction().execute(async (tx) => {
    const { name } = await anySource(tx, given, true)
    const before = await findSchedule(tx, given, true)
    const isNew = !before || JSON.stringify(told(before)) !== JSON.stringify(told(values))
    if (isNew) {
      if (values.apply === 'automatic' && before?.apply !== 'automatic' && !(await isAutomaticOffered(tx, given)))
        throw problem('SCHEDULE_AUTOMATIC_EARLY')
      await saveSchedule(tx, given, { ...values, nextAt: values.enabled && next ? new Date(next) : null, at })
      const event = { tenantId, at, stream: 'directory', type: 'schedule.changed', correlationId, actor: by, connectorId } as const
      await recordEvents(tx, [{ ...event, data: { name }, ...(before ? { before: told(before) } : {}), after: told(values) }])
    }
    return present({ ...values, lastStartedAt: before?.lastStartedAt ?? null, skipped: before?.skipped ?? null }, at)
  })
}
