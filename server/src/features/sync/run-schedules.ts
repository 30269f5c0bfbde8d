import { type EventActor, recordEvents } from '../../platform/audit/record-event.ts'
import type { Tx } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { tellAdmins } from '../messaging/public.ts'
import { findSource } from './connector-config.store.ts'
import { isSilent, nextTimes } from './schedule.rules.ts'
import { advanceSchedule, claimDueSchedule, type DueSchedule, markSilent, quietSources, type SkipReason } from './schedules.store.ts'
import { queueFetch } from './start-fetch.ts'
import type { SyncDeps } from './sync-deps.ts'

type TickDeps = Pick<SyncDeps, 'db' | 'clock' | 'nudge'>

/** Who does what nobody asked for by hand. */
export const SCHEDULE: EventActor = { kind: 'system', id: null, name: 'Schedule' }

const HOUR = 60 * 60 * 1000
const QUIET = 26 * HOUR

/** Starts the run of a schedule whose time has come, or says why not. */
const begin = async (tx: Tx, due: DueSchedule, at: Date): Promise<SkipReason | null> => {
  const { tenantId, connectorId, apply } = due
  if (!due.mayImport) return 'paused'
  const source = await findSource(tx, { tenantId, connectorId }, true)
  if (!source || source.configVersion === null || !source.config.mapping) return 'noMapping'
  const fetch = { began: 'schedule', apply, dryRun: false } as const
  const by = { by: SCHEDULE, correlationId: uuidv7(at.getTime()) }
  const run = await queueFetch(tx, { tenantId, connectorId, source, configVersion: source.configVersion, fetch, ...by, at })
  return run ? null : 'runActive'
}

const carryOut = async (tx: Tx, at: Date): Promise<boolean> => {
  const due = await claimDueSchedule(tx, at)
  if (!due) return false
  const skipped = await begin(tx, due, at)
  // from now on, not from when it was due: whatever was missed is caught up by one run
  const [regular = null] = nextTimes(due, at, 1) ?? []
  // a time that falls into a run is not lost: what came meanwhile is fetched as soon as that run is over
  const nextAt = skipped === 'runActive' ? due.nextAt : regular
  await advanceSchedule(tx, due, { at, nextAt, skipped })
  if (skipped && due.skipped?.reason !== skipped) {
    const { tenantId, connectorId, name } = due
    const event = { tenantId, at, stream: 'directory', type: `schedule.skipped.${skipped}`, actor: SCHEDULE, connectorId } as const
    await recordEvents(tx, [{ ...event, correlationId: uuidv7(at.getTime()), data: { name } }])
  }
  return true
}

/** Starts what is due: each schedule once, however many of its times have passed and however many processes look. */
export const runDueSchedules = async ({ db, clock, nudge }: TickDeps): Promise<void> => {
  let some = false
  while (await db.transaction().execute((tx) => carryOut(tx, clock.now()))) some = true
  if (some) nudge()
}

/** Gives the alarm for sources that have brought nothing for too long, once a silence. */
export const tellSilence = async ({ db, clock }: Pick<TickDeps, 'db' | 'clock'>): Promise<void> => {
  const now = clock.now()
  for (const source of await quietSources(db, new Date(now.getTime() - QUIET))) {
    const { tenantId, connectorId, name, lastDataAt } = source
    if (!isSilent(source, { lastDataAt, now })) continue
    await db.transaction().execute(async (tx) => {
      if (!(await markSilent(tx, source, { since: lastDataAt, at: now }))) return
      const event = { tenantId, at: now, stream: 'directory', type: 'source.silent', actor: SCHEDULE, connectorId } as const
      const data = { name, since: lastDataAt.toISOString() }
      const correlationId = uuidv7(now.getTime())
      await recordEvents(tx, [{ ...event, correlationId, data }])
      const params = { connectorId, connector: name, since: data.since, hours: Math.floor((now.getTime() - lastDataAt.getTime()) / HOUR) }
      const occasion = `${connectorId} ${data.since}`
      await tellAdmins(tx, { tenantId, template: 'silentSource', params, occasion, correlationId, at: now })
    })
  }
}
