import { fold } from './fold.ts'

const AT_MOST = 50

/** Whether the platform knows a time zone. */
export const isTimeZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return zone !== ''
  } catch {
    return false
  }
}

/** Time zones whose name holds every word of a search, the first fifty; "new york" finds America/New_York. */
export const findTimeZones = (search: string): string[] => {
  const words = fold(search)
    .split(/[\s_/]+/)
    .filter(Boolean)
  return ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((zone) => words.every((word) => fold(zone).includes(word))).slice(0, AT_MOST)
}
