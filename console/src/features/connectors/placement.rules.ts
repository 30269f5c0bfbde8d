import { type PlaceableSite, placerFor } from '@instep/contract/place-person.ts'
import { MOST_PLACEMENT_RULES, type PlacementRule, type PlacementSample, SITE_NAMINGS } from '@instep/contract/placement.ts'
import type { Site } from '@instep/contract/sites.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'

/** Where a rule leads, as it is chosen: to a site, or to the one that a field names. */
export const DESTINATIONS = ['site', ...SITE_NAMINGS] as const
export type DestinationKind = (typeof DESTINATIONS)[number]

export const kindOf = ({ to }: PlacementRule): DestinationKind => ('siteId' in to ? 'site' : to.by)

/** The rules with the one at `from` put at `to`; the same list where there is no such place. */
export const withRuleMoved = (rules: readonly PlacementRule[], from: number, to: number): PlacementRule[] => {
  const moved = rules[from]
  if (!moved || to < 0 || to >= rules.length || from === to) return [...rules]
  return rules.filter((_, place) => place !== from).toSpliced(to, 0, moved)
}

/** A rule that leads elsewhere, to the first site or by the location until something else is chosen. */
export const withKind = (rule: PlacementRule, kind: DestinationKind, sites: readonly Pick<Site, 'id'>[]): PlacementRule => {
  if (kind === kindOf(rule)) return rule
  if (kind === 'site') return { ...rule, to: { siteId: sites[0]?.id ?? '' } }
  const field: UserFieldName = 'field' in rule.to ? rule.to.field : 'locationName'
  return { ...rule, to: { field, by: kind } }
}

/** A rule as it is added: the location names the site, which is what holds without rules. */
export const newRule = (): PlacementRule => ({ to: { field: 'locationName', by: 'name' } })

export const isFull = (rules: readonly PlacementRule[]): boolean => rules.length >= MOST_PLACEMENT_RULES

/** Sites as rules know them. */
export const placeable = (sites: readonly Site[]): PlaceableSite[] =>
  sites.map(({ id, name, externalCode, active }) => ({ id, name, code: externalCode, active }))

export interface SampleResult {
  readonly person: PlacementSample
  /** The site now, and the one that the rules name; null: none. */
  readonly now: string | null
  readonly next: string | null
  readonly rule: number | null
}

/** What rules make of the people at hand; without rules the location's name is the site's. */
export const resultsOf = (
  rules: readonly PlacementRule[],
  { sample, sites, today }: { sample: readonly PlacementSample[]; sites: readonly PlaceableSite[]; today: string },
): SampleResult[] => {
  const place = placerFor(rules.length > 0 ? rules : [newRule()], sites, today)
  return sample.map((person) => {
    const { siteId, rule } = place(person.values)
    return { person, now: person.siteId, next: siteId, rule: rules.length > 0 ? rule : null }
  })
}

/** How many people each rule places, and how many nobody places (`none`). */
export const countsOf = (results: readonly SampleResult[]): ReadonlyMap<number | 'none', number> => {
  const counts = new Map<number | 'none', number>()
  for (const { rule, next } of results) {
    const key = next === null ? 'none' : (rule ?? 0)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
