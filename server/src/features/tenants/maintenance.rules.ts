/** The weekly maintenance window (1-console.md section 9): Saturday from 08:00 to 14:00 of the tenant's time zone. Pure. */

const DAY = 'Sat'
const FROM_HOUR = 8
const TO_HOUR = 14
const MINUTE = 60_000

const localParts = (at: Date, timeZone: string): Record<string, string> =>
  Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )

/**
 * The end of the window that `at` lies in, or undefined outside of it. Clocks change at night between Saturday and Sunday wherever they do, so
 * hours of the window are real hours.
 */
export const maintenanceEnd = (at: Date, timeZone: string): Date | undefined => {
  const { weekday, hour, minute, second } = localParts(at, timeZone)
  const hours = Number(hour)
  if (weekday !== DAY || hours < FROM_HOUR || hours >= TO_HOUR) return undefined
  const left = (TO_HOUR * 60 - (hours * 60 + Number(minute))) * MINUTE - Number(second) * 1000 - (at.getTime() % 1000)
  return new Date(at.getTime() + left)
}
