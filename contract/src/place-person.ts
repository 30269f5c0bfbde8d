/** What placement rules mean for somebody: the same for a run and for the screen that tries rules on people. Pure. */
import { foldedName, writtenName } from './folded-name.ts'
import { fieldsOf, holdsFor, movesWithTime } from './holds-for.ts'
import type { PlacementRule, SiteNaming } from './placement.ts'

/** A site as rules know it; one that is not active is never a destination. */
export interface PlaceableSite {
  readonly id: string
  readonly name: string
  readonly code: string | null
  readonly active: boolean
}

export interface Placed {
  /** Null: no rule names an active site; the person belongs to the Unassigned bucket. */
  readonly siteId: string | null
  /** Which rule decided, counted from 1; null: none. */
  readonly rule: number | null
}

const NOWHERE: Placed = { siteId: null, rule: null }

const KEYS: Readonly<Record<SiteNaming, (text: string) => string>> = { name: foldedName, code: writtenName }

/** Sites by what names them; a code that two sites have names neither. */
const sitesBy = (sites: readonly PlaceableSite[], naming: SiteNaming): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const doubled = new Set<string>()
  for (const { id, active, ...names } of sites) {
    const key = KEYS[naming](names[naming] ?? '')
    if (!active || key === '') continue
    if (found.has(key)) doubled.add(key)
    found.set(key, id)
  }
  for (const key of doubled) found.delete(key)
  return found
}

/**
 * Compiles rules once, to be asked of many: the first rule that speaks of somebody and names an active site decides.
 *
 * @param today `YYYY-MM-DD`, what spans of conditions are counted from
 */
export const placerFor = (
  rules: readonly PlacementRule[],
  sites: readonly PlaceableSite[],
  today: string,
): ((values: Readonly<Record<string, unknown>>) => Placed) => {
  const active = new Set(sites.flatMap((site) => (site.active ? [site.id] : [])))
  const named = { name: sitesBy(sites, 'name'), code: sitesBy(sites, 'code') }
  const compiled = rules.map(({ when, to }) => {
    const holds = when ? holdsFor(when, today) : () => true
    if ('siteId' in to) {
      const siteId = active.has(to.siteId) ? to.siteId : undefined
      return (values: Readonly<Record<string, unknown>>) => (holds(values) ? siteId : undefined)
    }
    const siteBy = (text: string) => named[to.by].get(KEYS[to.by](text))
    return (values: Readonly<Record<string, unknown>>) => {
      const text = values[to.field]
      return typeof text === 'string' && holds(values) ? siteBy(text) : undefined
    }
  })
  return (values) => {
    for (const [place, siteOf] of compiled.entries()) {
      const siteId = siteOf(values)
      if (siteId !== undefined) return { siteId, rule: place + 1 }
    }
    return NOWHERE
  }
}

/** The fields that rules ask for, each once. */
export const placementFields = (rules: readonly PlacementRule[]): string[] => [
  ...new Set(rules.flatMap(({ when, to }) => [...(when ? fieldsOf(when) : []), ...('field' in to ? [to.field] : [])])),
]

/** Whether what rules say of the same values may be another tomorrow. */
export const placementMoves = (rules: readonly PlacementRule[]): boolean => rules.some(({ when }) => when && movesWithTime(when))
