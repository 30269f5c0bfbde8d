import { CronExpressionParser } from 'cron-parser'

interface When {
  readonly cron: string
  readonly timeZone: string
}

/**
 * The next times after a moment, in the zone's own days: what the clock jumps over is done once the jump is over, what it shows twice is done once.
 * Undefined for an expression that means nothing, or no day that there is.
 */
export const nextTimes = ({ cron, timeZone }: When, after: Date, count: number): Date[] | undefined => {
  // the library takes fewer fields, and one for seconds
  if (cron.split(' ').length !== 5) return undefined
  try {
    const times = CronExpressionParser.parse(cron, { currentDate: after, tz: timeZone })
    return Array.from({ length: count }, () => times.next().toDate())
  } catch {
    return undefined
  }
}

const HOUR = 60 * 60 * 1000
const SILENCE = 26 * HOUR
const GRACE = 2 * HOUR

/** Whether nothing has come for too long: 26 hours, or longer where the schedule itself comes round less often. */
export const isSilent = (when: When, { lastDataAt, now }: { lastDataAt: Date; now: Date }): boolean => {
  if (now.getTime() < lastDataAt.getTime() + SILENCE) return false
  // data comes a little after the time that it was due
  const [due] = nextTimes(when, lastDataAt, 1) ?? []
  return due !== undefined && now.getTime() >= due.getTime() + GRACE
}
