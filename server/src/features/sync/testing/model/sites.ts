/** The sites of a model test: what time it is there, and how they are named. */
export type Site = 'North' | 'South' | null

/** Hours that the clocks of a place are ahead of UTC; nowhere is the tenant's own place. */
const AHEAD = { North: 0, South: 13 } as const
const HOUR = 3_600_000

/** The day that it is at a site. */
export const dayAt = (site: Site, now: number): string =>
  new Date(now + (site === null ? 0 : AHEAD[site]) * HOUR).toISOString().slice(0, 10)

/** The instant that ends a day at a site. */
export const endOfDay = (day: string, site: Site): number => Date.parse(day) + 24 * HOUR - (site === null ? 0 : AHEAD[site]) * HOUR

export const siteOf = (location: string | null): Site => {
  const name = (location ?? '').trim().toLowerCase()
  if (name === 'north') return 'North'
  return name === 'south' ? 'South' : null
}

/** Where rules put somebody; `none`: no rule does. */
export type Placement = 'North' | 'South' | 'none'

export const siteAt = (placement: Placement): Site => (placement === 'none' ? null : placement)
