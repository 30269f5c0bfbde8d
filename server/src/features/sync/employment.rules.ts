import type { BaseValues } from './map-record.ts'

/** Where the dates put somebody on one day: before the first day, after the last one, or (null) they keep nobody away. */
export type Employment = 'notStarted' | 'ended' | null

/** What an administrator set on top of the fields that decide it, and where the person works now. */
export interface PersonDates {
  readonly siteId: string | null
  readonly overrides: Readonly<Record<string, string | null>>
}

/** Somebody whom a record is linked to. */
interface Person {
  readonly base: Readonly<Record<string, unknown>>
  readonly dates?: PersonDates
}

/** The day that it is where people work, `YYYY-MM-DD`. */
export interface SiteDays {
  /** At a site; null: where the tenant is. */
  readonly atSite: (siteId: string | null) => string
  /** At the site that a location names, else where the tenant is. */
  readonly atLocation: (location: string | null) => string
}

/** The dates that count for somebody, and what they say. */
export interface Standing {
  readonly employment: Employment
  readonly startDate: string | null
  readonly endDate: string | null
}

/**
 * What two dates say of a day. Both days belong to the employment: it begins with the midnight before the start date and is over with the midnight
 * after the end date. An end date that has passed counts whatever the start date says.
 */
export const employmentOn = ({ startDate, endDate }: { startDate: string | null; endDate: string | null }, today: string): Employment => {
  if (endDate !== null && endDate < today) return 'ended'
  return startDate !== null && startDate > today ? 'notStarted' : null
}

/** What counts of a field: an override (also one that says there is none), else what the record says, else what was said before. */
export const countingOf = (field: 'startDate' | 'endDate' | 'locationName', values: BaseValues, person: Person | null): string | null => {
  const overridden = person?.dates?.overrides[field]
  if (overridden !== undefined) return overridden
  return values[field] === undefined ? ((person?.base[field] as string | undefined) ?? null) : values[field]
}

/** Where the person of a record stands by the dates, on the day that it is at the site where the record puts them. Without days no date acts. */
export const standingOf = (values: BaseValues, person: Person | null, days: SiteDays | undefined): Standing => {
  const startDate = countingOf('startDate', values, person)
  const endDate = countingOf('endDate', values, person)
  if (!days || (startDate === null && endDate === null)) return { employment: null, startDate, endDate }
  const location = countingOf('locationName', values, person)
  const siteId = person?.dates?.siteId ?? null
  const stays = siteId !== null && location === countingOf('locationName', {}, person)
  return { employment: employmentOn({ startDate, endDate }, stays ? days.atSite(siteId) : days.atLocation(location)), startDate, endDate }
}
