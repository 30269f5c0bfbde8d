import { foldedName } from '@instep/contract/folded-name.ts'
import { type PlaceableSite, type Placed, placerFor } from '@instep/contract/place-person.ts'
import type { Placement } from '@instep/contract/placement.ts'
import { countingOf, type PersonDates, type SiteDays } from './employment.rules.ts'
import type { BaseValues } from './map-record.ts'
import type { Reason } from './plan-row.ts'

/** What `base.placement` says of somebody whom no rule places. */
export const NOWHERE = 'none'

/** The rules of a source laid over the sites of its tenant. */
export interface Placing {
  /** Undefined: there are no rules, and the location's name is the site's. */
  readonly place: ((values: Readonly<Record<string, unknown>>) => Placed) | undefined
  /** The active site that a location names. */
  readonly siteNamed: (location: string | null) => string | null
  readonly nameOf: (siteId: string) => string
}

/** Where a record puts somebody. */
export interface Place {
  /** `base.placement` as it was and as it is to be; null: there is none. */
  readonly before: string | null
  readonly after: string | null
  /** Whether the source names another site than before; where it does not, the change is written only beside others. */
  readonly moves: boolean
  readonly reason: Reason
  /** Where the person will work. */
  readonly siteId: string | null
}

interface Person {
  readonly base: Readonly<Record<string, unknown>>
  readonly dates?: PersonDates
}

/** Makes `Placing` of rules and sites. Pure. */
export const placingFor = (placement: Placement | undefined, sites: readonly PlaceableSite[], today: string): Placing => {
  const rules = placement?.rules ?? []
  const byName = new Map(sites.flatMap(({ id, name, active }) => (active ? [[foldedName(name), id] as const] : [])))
  const names = new Map(sites.map(({ id, name }) => [id, name]))
  return {
    place: rules.length > 0 ? placerFor(rules, sites, today) : undefined,
    siteNamed: (location) => (location === null ? undefined : byName.get(foldedName(location))) ?? null,
    nameOf: (siteId) => names.get(siteId) ?? '',
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const said = ({ siteId, rule }: Placed, { nameOf }: Placing): Reason =>
  siteId === null ? { code: 'placedNowhere' } : { code: 'placedByRule', params: { rule: rule ?? 0, site: nameOf(siteId) } }

/** Who stands somewhere stays there until the source names another site. */
const siteAfter = (moves: boolean, named: string | null, person: Person | null): string | null =>
  moves ? named : (person?.dates?.siteId ?? named)

/**
 * Where the rules put the person of a record, or that they no longer do; undefined where rules have never had anything to do with them. Rules go by
 * what the source says, like the scope: overrides make no difference, and whoever was moved by hand stays until the source names another site. Pure.
 *
 * @param given.values what the record says, laid over what was said before
 */
export const placeOf = (
  given: { readonly values: BaseValues & Readonly<Record<string, unknown>>; readonly person: Person | null },
  placing: Placing | undefined,
): Place | undefined => {
  if (!placing) return undefined
  const { values, person } = given
  const before = textOf(person?.base['placement'])
  const placed = placing.place?.(values)
  if (!placed) {
    if (before === null) return undefined
    const named = placing.siteNamed(countingOf('locationName', values, person))
    const moves = (named ?? NOWHERE) !== before
    return { before, after: null, moves, reason: { code: 'placedByLocation' }, siteId: siteAfter(moves, named, person) }
  }
  const after = placed.siteId ?? NOWHERE
  const location = countingOf('locationName', {}, person)
  const moves = after !== (before ?? (person ? (placing.siteNamed(location) ?? NOWHERE) : undefined))
  return { before, after, moves, reason: said(placed, placing), siteId: siteAfter(moves, placed.siteId, person) }
}

/** The days of somebody of whom rules tell where they work, whatever their location says. */
export const daysAtSite = (days: SiteDays, siteId: string | null): SiteDays => {
  const day = days.atSite(siteId)
  return { atSite: () => day, atLocation: () => day }
}
