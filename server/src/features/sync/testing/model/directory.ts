/** The directory of a model test: what Instep should hold of everybody, computed in the plainest way and without a database. */
import type { RuleSet } from './placement.ts'
import { type Placement, type Site, siteAt, siteOf } from './sites.ts'

/** What a source says of somebody; null: nothing. */
export type Values = Record<string, string | null>

export interface Base {
  readonly values: Values
  readonly active: boolean
  readonly employment: 'notStarted' | 'ended' | null
  /** Where the source's rules have put them; null: no rules had to do with them. */
  readonly placement: Placement | null
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
  /** When they were switched off, in milliseconds; null: they are not. */
  off: number | null
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
  /** In milliseconds. */
  readonly at: number
  readonly base?: Base
  readonly overrides?: Map<string, Override>
  /** Whether the version grows even where nobody sees a change. */
  readonly always?: boolean
  /** A site that is given back whatever the location says. */
  readonly site?: { readonly given: Site }
}

/** Where somebody works who is written anew: whom an administrator moved stays until the source names another site. */
const siteAfter = ({ site, base: { placement: was } }: Person, { placement: is }: Base, [from, to]: readonly [Site, Site]): Site => {
  if (is !== null) return site === null || is !== (was ?? from ?? 'none') ? siteAt(is) : site
  if (was !== null) return site === null || was !== (to ?? 'none') ? to : site
  return site
}

/** Writes somebody anew: effective values, site, version, and since when they count as switched off. */
export const rewrite = (
  person: Person,
  { at, base = person.base, overrides = person.overrides, always = false, site: given }: Rewriting,
): void => {
  const before = effectiveOf(person)
  const after = effectiveOf({ base, overrides })
  const [was, is] = [before.values['locationName'] ?? null, after.values['locationName'] ?? null]
  const byRules = base.placement !== null || person.base.placement !== null
  const grows = always || !isSame(before, after) || base.placement !== person.base.placement
  if (given) person.site = given.given
  else if (byRules) person.site = siteAfter(person, base, [siteOf(was), siteOf(is)])
  else if (was !== is || person.site === null) person.site = siteOf(is)
  person.base = base
  person.overrides = overrides
  const awaited = base.employment === 'notStarted' && !overrides.has('active')
  if (after.active || awaited) person.off = null
  else if (before.active) person.off = at
  if (grows) person.version += 1
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
  rules: RuleSet
  /** How long leavers are kept. */
  graceDays: number
}

/** Nobody yet, and everything as where nobody has set anything. */
export const emptyDirectory = (now: number): Directory => ({
  people: [],
  cases: new Map(),
  now,
  keys: ['ExternalId'],
  rules: 'none',
  graceDays: 30,
})
