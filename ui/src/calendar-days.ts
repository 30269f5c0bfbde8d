/** Days of a calendar as `YYYY-MM-DD`. Pure but for `today`. */
const DAY = 86_400_000

const at = (date: string): Date => new Date(`${date}T00:00:00Z`)
const written = (date: Date): string => date.toISOString().slice(0, 10)

/** The day where the reader is. */
export const today = (now = new Date()): string => written(new Date(now.getTime() - now.getTimezoneOffset() * 60_000))

export const yearOf = (date: string): number => Number(date.slice(0, 4))

export const addDays = (date: string, days: number): string => written(new Date(at(date).getTime() + days * DAY))

/** The same day of another month; its last day where that month is shorter. */
export const addMonths = (date: string, months: number): string => {
  const first = at(date)
  const day = first.getUTCDate()
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + months)
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(day, last))
  return written(first)
}

/** The weeks that show the month of a day, Monday first, filled up with days of the neighbours. */
export const monthGrid = (date: string): string[][] => {
  const first = `${date.slice(0, 7)}-01`
  const start = addDays(first, -((at(first).getUTCDay() + 6) % 7))
  const last = addDays(addMonths(first, 1), -1)
  const weeks: string[][] = []
  for (let day = start; day <= last; day = addDays(day, 7)) weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)))
  return weeks
}

/** The day that a key leads to: arrows by day and week, Home and End within the week, Page Up and Down by month, with Shift by year. */
export const dayOfKey = (date: string, key: string, { shift, rtl }: { shift: boolean; rtl: boolean }): string | undefined => {
  const forward = rtl ? -1 : 1
  const weekday = (at(date).getUTCDay() + 6) % 7
  const days = new Map([
    ['ArrowRight', forward],
    ['ArrowLeft', -forward],
    ['ArrowDown', 7],
    ['ArrowUp', -7],
    ['Home', -weekday],
    ['End', 6 - weekday],
  ]).get(key)
  if (days !== undefined) return addDays(date, days)
  const months = { PageUp: -1, PageDown: 1 }[key]
  return months === undefined ? undefined : addMonths(date, shift ? months * 12 : months)
}
