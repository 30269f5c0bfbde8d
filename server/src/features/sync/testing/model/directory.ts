/** The directory of a model test: what Instep should hold of everybody, computed in the plainest way and without a database. */

/** What a source says of somebody; null: nothing. */
export type Values = Record<string, string | null>

export interface Base {
  readonly values: Values
  readonly active: boolean
  readonly employment: 'notStarted' | 'ended' | null
}

export interface Override {
  readonly value: string | boolean | null
  /** In milliseconds; null: for good. */
  readonly until: number | null
}

export interface Link {
  readonly key: string
  /** What the record said, with the mapping that read it; empty: forgotten. */
  readonly said: string
  readonly missing: boolean
}

export interface Person {
  readonly name: string
  base: Base
  overrides: Map<string, Override>
  site: Site
  link: Link
  version: number
  /** Whether they were switched off. */
  off: boolean
}

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

/** Everything that lists, rules and targets see. */
export interface Effective {
  readonly values: Values
  readonly active: boolean
}

export const effectiveOf = ({ base, overrides }: Pick<Person, 'base' | 'overrides'>): Effective => {
  const values: Values = { ...base.values }
  for (const [field, { value }] of overrides) if (field !== 'active') values[field] = value as string | null
  values['displayName'] = `${values['givenName']} ${values['familyName']}`
  values['accessCodeDelivery'] ??= 'none'
  const active = overrides.get('active')
  return { values, active: active ? active.value === true : base.active }
}

const isSame = (one: Effective, other: Effective): boolean =>
  one.active === other.active &&
  Object.keys({ ...one.values, ...other.values }).every((key) => (one.values[key] ?? null) === (other.values[key] ?? null))

/** How somebody is rewritten: with another base, other overrides, or both. */
export interface Rewriting {
  readonly base?: Base
  readonly overrides?: Map<string, Override>
  /** Whether the version grows even where nobody sees a change. */
  readonly always?: boolean
  /** A site that is given back whatever the location says. */
  readonly site?: { readonly given: Site }
}

/** Writes somebody anew: effective values, site, version, and whether they count as switched off. */
export const rewrite = (person: Person, { base = person.base, overrides = person.overrides, always = false, site }: Rewriting): void => {
  const before = effectiveOf(person)
  person.base = base
  person.overrides = overrides
  const after = effectiveOf(person)
  const [was, is] = [before.values['locationName'] ?? null, after.values['locationName'] ?? null]
  if (site) person.site = site.given
  else if (was !== is || person.site === null) person.site = siteOf(is)
  const awaited = base.employment === 'notStarted' && !overrides.has('active')
  if (after.active || awaited) person.off = false
  else if (before.active) person.off = true
  if (always || !isSame(before, after)) person.version += 1
}

/** What the base says of a field that can be overridden. */
export const saidOf = (base: Base, field: string): string | boolean | null =>
  field === 'active' ? base.active : (base.values[field] ?? null)

/** Overrides that say something else than the source does, and those that it has caught up with. */
export const splitCaughtUp = (overrides: ReadonlyMap<string, Override>, base: Base) => {
  const all = [...overrides]
  return {
    left: new Map(all.filter(([field, { value }]) => value !== saidOf(base, field))),
    caughtUp: new Map(all.filter(([field, { value }]) => value === saidOf(base, field))),
  }
}

/** Who somebody's manager is: whom the external id means, else the employee id, else the address; nobody where it means several. */
export const managerOf = (person: Person, everybody: readonly Person[]): string | null => {
  const meant = effectiveOf(person).values['manager'] ?? null
  if (meant === null) return null
  for (const field of ['externalId', 'employeeNumber', 'workEmail']) {
    const fold = (value: string | null | undefined) => (field === 'workEmail' ? value?.toLowerCase() : value)
    const found = everybody.filter((other) => fold(effectiveOf(other).values[field]) === fold(meant))
    if (found.length > 0) return found.length === 1 ? (found[0]?.name ?? null) : null
  }
  return null
}

/** A record that a person is asked about. */
export interface Case {
  readonly kind: string
  readonly answer: 'create' | 'ignore' | null
}

/** Keys of lookups in the order in which they are tried. */
export type LookupKey = 'ExternalId' | 'EmployeeId' | 'EmployeeId normalised'

export interface Directory {
  readonly people: Person[]
  /** By source key; cases that are closed are not in it. */
  readonly cases: Map<string, Case>
  now: number
  keys: readonly LookupKey[]
}
