import type { DriftRun, DriftSettings } from '@instep/contract/drift.ts'
import { CronExpressionParser } from 'cron-parser'

/** What a target is read back by before anybody has said anything. */
export const DEFAULT_DRIFT: DriftSettings = { every: 'off', weekday: 1, hour: 3, timeZone: 'UTC', putBack: false }

/**
 * The next time that a target is read back by itself, by the zone's own days; null for never. An hour that the clock jumps over is done once the
 * jump is over, one that it shows twice is done once.
 */
export const nextDrift = ({ every, weekday, hour, timeZone }: DriftSettings, after: Date): Date | null => {
  if (every === 'off') return null
  const expression = `0 ${hour} * * ${every === 'weekly' ? weekday : '*'}`
  return CronExpressionParser.parse(expression, { currentDate: after, tz: timeZone }).next().toDate()
}

/** As many accounts may be put back without anybody looking: the larger of a number and a share of those that are known to be there. */
const LEAST = 5
const SHARE = 0.1

export interface DriftCounts {
  readonly known: number
  readonly listed: number
  /** What the target says it has; null where it says nothing. */
  readonly total: number | null
  readonly changed: number
  readonly missing: number
}

/**
 * Why a run puts nothing back by itself; null where it may. What was not read whole, or has shrunk by more than the limit, is not taken for the truth; and
 * more differences than the limit are a person's to decide, whichever side is wrong.
 */
export const holdBack = ({ known, listed, total, changed, missing }: DriftCounts): DriftRun['held'] => {
  const limit = Math.max(LEAST, Math.floor(known * SHARE))
  if (missing > limit || (known > 0 && listed === 0) || (total !== null && listed < total))
    return { code: 'driftIncomplete', params: { known, listed, missing, limit } }
  if (changed + missing > limit) return { code: 'driftTooMuch', params: { changed, missing, limit } }
  return null
}
