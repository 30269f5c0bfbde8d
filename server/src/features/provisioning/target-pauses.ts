import { recordEvents } from '../../platform/audit/record-event.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { type DueTarget, leaseDue } from './account.store.ts'
import type { Breaker } from './breaker.ts'
import { afterFailure, type Failure } from './failure.rules.ts'
import { recordOutcomes } from './record-outcomes.ts'

/** Pauses in a row after which a target is said to be down; shorter troubles pass by themselves and are nobody's news. */
const NEWSWORTHY = 3

interface Paused {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly due: DueTarget
  readonly breaker: Breaker
}

/** Records that a target was paused for good reason, or that it works again. */
export const tellOfPauses = async ({ db, clock, log, due, breaker }: Paused, before: number): Promise<void> => {
  const now = breaker.pauses()
  const paused = before < NEWSWORTHY && now >= NEWSWORTHY
  const resumed = before >= NEWSWORTHY && now === 0
  if (!paused && !resumed) return
  const failure = breaker.lastFailure()
  try {
    await db.transaction().execute((tx) =>
      recordEvents(tx, [
        {
          tenantId: due.tenantId,
          at: clock.now(),
          stream: 'directory',
          type: paused ? 'target.paused' : 'target.resumed',
          correlationId: uuidv7(clock.now().getTime()),
          actor: { kind: 'system', id: null, name: 'Instep' },
          connectorId: due.targetId,
          data: { target: due.name, ...(paused ? { cause: failure?.code ?? '', detail: failure?.detail ?? '' } : {}) },
        },
      ]),
    )
  } catch (error) {
    log.error({ err: error, targetId: due.targetId }, 'a pause could not be recorded')
  }
}

/** A target whose settings cannot be used is paused; one of its rows says why. */
export const pauseUnopened = async (
  { db, clock, due, breaker, leaseSeconds, random }: Omit<Paused, 'log'> & { leaseSeconds: number; random: () => number },
  failure: Failure,
): Promise<void> => {
  const unusable = failure.code === 'TARGET_FAULT' ? { ...failure, code: 'TARGET_SETTINGS_INVALID' } : failure
  breaker.failed(due.targetId, unusable)
  const now = clock.now()
  const rows = await leaseDue(db, due, { limit: 1, now, until: new Date(now.getTime() + leaseSeconds * 1000) })
  await recordOutcomes(
    db,
    { ...due, targetName: due.name, now, correlationId: uuidv7(now.getTime()) },
    rows.map((row) => ({
      row,
      displayName: '',
      version: 0,
      wanted: { document: {}, hash: '', active: false },
      outcome: { kind: 'failed', failure: unusable, uncertain: row.uncertain, sent: null },
      deleteAt: null,
      removal: null,
      namesManagers: false,
      standing: afterFailure(unusable, {
        attempts: row.attempts,
        now,
        targetFailing: true,
        resumesAt: breaker.resumesAt(),
        random,
      }),
    })),
  )
}
