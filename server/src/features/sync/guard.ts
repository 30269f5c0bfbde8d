import {
  GUARD_KINDS,
  type GuardKind,
  type GuardSettings,
  type GuardWindow,
  type Limit,
  SMALL_POPULATION,
} from '@instep/contract/guard-settings.ts'
import { HELD_CODES, type HeldReason } from '@instep/contract/run-findings.ts'

/** People of one kind: whom this plan concerns, and whom the connector's runs concerned in the 24 hours before. */
export interface Amount {
  readonly now: number
  readonly recent: number
}

/** A connector, or one site of it. */
export interface Place {
  /** Active people there now. */
  readonly active: number
  readonly amounts: Readonly<Record<GuardKind, Amount>>
}

/** What the guard looks at. */
export interface GuardFigures {
  /** Records in the source. */
  readonly records: number
  readonly lostColumns: readonly string[]
  readonly whole: Place
  /** Sites that the plan concerns, where sites have limits. */
  readonly sites: readonly (Place & { readonly siteId: string; readonly site: string })[]
  /** What the source itself looks like (`checkSource`). */
  readonly source: readonly HeldReason[]
}

/** Kinds after which fewer people are left. */
const SHRINKING: ReadonlySet<GuardKind> = new Set(['deactivate', 'leave'])

/**
 * How many of a population may pass: the larger of number and percentage; where people go and there are few, never more than half of them
 * (decisions.md sections 3 and 9).
 */
export const allowedOf = ({ percent, number }: Limit, population: number, shrinks: boolean): number => {
  const allowed = Math.max(number, (population * percent) / 100)
  return shrinks && population < SMALL_POPULATION ? Math.min(allowed, population / 2) : allowed
}

/** The population that a window's percentage is of: as it was at the window's start, as far as the connector's own runs have changed it. */
const populationOf = ({ active, amounts }: Place, kind: GuardKind, window: GuardWindow): number => {
  if (window === 'run') return active
  if (kind === 'create') return Math.max(0, active - amounts.create.recent)
  return SHRINKING.has(kind) ? active + amounts.deactivate.recent : active
}

interface Asked {
  readonly kind: GuardKind
  readonly limits: Readonly<Record<GuardWindow, Limit>>
  readonly place: Place
}

const overIn = ({ kind, limits, place }: Asked, window: GuardWindow): HeldReason['params'] | undefined => {
  const limit = limits[window]
  const { now, recent } = place.amounts[kind]
  const population = populationOf(place, kind, window)
  const sum = window === 'run' ? now : now + recent
  if (!limit.on || now === 0 || sum <= allowedOf(limit, population, SHRINKING.has(kind))) return undefined
  return {
    kind,
    window,
    count: sum,
    now,
    recent,
    active: place.active,
    population,
    percent: population === 0 ? 0 : Math.round((sum / population) * 100),
    allowed: Math.floor(allowedOf(limit, population, SHRINKING.has(kind))),
  }
}

/** Beyond the limit of a run, else of the day: the same people are not told of twice. */
const overLimit = (asked: Asked): HeldReason['params'] | undefined => overIn(asked, 'run') ?? overIn(asked, 'day')

const wholeReasons = (place: Place, { limits }: GuardSettings): HeldReason[] =>
  GUARD_KINDS.flatMap((kind): HeldReason[] => {
    const params = overLimit({ kind, limits: limits[kind], place })
    if (!params) return []
    return kind === 'deactivate'
      ? [{ code: 'massDeactivation', params: { ...params, deactivations: params.now ?? 0 } }]
      : [{ code: 'overLimit', params }]
  })

const siteReasons = (site: GuardFigures['sites'][number], { sites }: GuardSettings): HeldReason[] =>
  GUARD_KINDS.flatMap((kind): HeldReason[] => {
    const limits =
      sites.find((limit) => limit.siteId === site.siteId && limit.kind === kind) ??
      sites.find((limit) => limit.siteId === null && limit.kind === kind)
    const params = limits && overLimit({ kind, limits, place: site })
    return params ? [{ code: 'overLimit', params: { ...params, siteId: site.siteId, site: site.site } }] : []
  })

/** By the order of the codes; of one code, people who would go before others, the connector before its sites, more people before fewer. */
const gravity = (a: HeldReason, b: HeldReason): number =>
  HELD_CODES.indexOf(a.code) - HELD_CODES.indexOf(b.code) ||
  Number(SHRINKING.has(b.params.kind as GuardKind)) - Number(SHRINKING.has(a.params.kind as GuardKind)) ||
  Number('site' in a.params) - Number('site' in b.params) ||
  Number(b.params.count ?? 0) - Number(a.params.count ?? 0)

/**
 * All reasons why a plan waits for an administrator (decisions.md sections 3 and 9), the gravest first; none where it need not. Pure. A source
 * without a single record and one that lost a mapped column are always held.
 */
export const guard = (figures: GuardFigures, settings: GuardSettings): HeldReason[] => {
  const { records, lostColumns, whole, sites, source } = figures
  const reasons: HeldReason[] = [...source, ...wholeReasons(whole, settings), ...sites.flatMap((site) => siteReasons(site, settings))]
  if (lostColumns.length > 0) reasons.push({ code: 'lostColumn', params: { columns: lostColumns.join(', '), count: lostColumns.length } })
  if (records === 0) reasons.push({ code: 'emptySource', params: { active: whole.active, deactivations: whole.amounts.deactivate.now } })
  return reasons.sort(gravity)
}
