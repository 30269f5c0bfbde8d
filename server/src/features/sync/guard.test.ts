import { DEFAULT_GUARDS, GUARD_KINDS, type GuardKind, type GuardSettings, type Limit } from '@instep/contract/guard-settings.ts'
import { HELD_CODES } from '@instep/contract/run-findings.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Amount, allowedOf, type GuardFigures, guard, type Place } from './guard.ts'

const place = (active: number, amounts: Partial<Record<GuardKind, Partial<Amount>>> = {}): Place => {
  const of = (kind: GuardKind): Amount => ({ now: 0, recent: 0, ...amounts[kind] })
  return { active, amounts: { create: of('create'), update: of('update'), deactivate: of('deactivate'), leave: of('leave') } }
}
const figures = (whole: Place, change: Partial<GuardFigures> = {}): GuardFigures => ({
  records: 1000,
  lostColumns: [],
  whole,
  sites: [],
  source: [],
  ...change,
})
const going = (active: number, now: number, recent = 0): GuardFigures => figures(place(active, { deactivate: { now, recent } }))
const limit = (percent: number, number: number): Limit => ({ on: true, percent, number })
const settings = (change: Partial<GuardSettings>): GuardSettings => ({ ...DEFAULT_GUARDS, ...change })

describe('by the defaults, a plan is held', () => {
  it.each([
    ['not where nobody leaves', figures(place(1000)), []],
    ['for a source without a single record', figures(place(1000), { records: 0 }), ['emptySource']],
    ['for a first source without a single record', figures(place(0), { records: 0 }), ['emptySource']],
    ['for a lost column, even where nobody leaves', figures(place(1000), { lostColumns: ['Email'] }), ['lostColumn']],
    ['not for exactly a tenth', going(1000, 100), []],
    ['for one more than a tenth', going(1000, 101), ['massDeactivation']],
    ['not for five of thirty, which is more than a tenth', going(30, 5), []],
    ['for six of thirty', going(30, 6), ['massDeactivation']],
    ['not for half of ten', going(10, 5), []],
    ['for three of five: more than half of fewer than twenty', going(5, 3), ['massDeactivation']],
    ['for one of one', going(1, 1), ['massDeactivation']],
    ['for a tenth after another tenth within a day', going(900, 90, 100), ['massDeactivation']],
    ['not for a few after a few', going(980, 20, 20), []],
    ['not for many yesterday and nobody now', going(500, 0, 500), []],
    ['not for whoever comes or changes', figures(place(10, { create: { now: 5000 }, update: { now: 5000 } })), []],
    ['for people who are to end later', figures(place(100, { leave: { now: 11 } })), ['overLimit']],
  ] as [string, GuardFigures, string[]][])('%s', (_, given, codes) => {
    expect(guard(given, DEFAULT_GUARDS).map(({ code }) => code)).toEqual(codes)
  })

  it('with every reason, the gravest first', () => {
    const everything = figures(place(100, { deactivate: { now: 100 }, leave: { now: 50 } }), {
      records: 0,
      lostColumns: ['Email'],
      source: [
        { code: 'staleSource', params: { hours: 30, allowed: 26 } },
        { code: 'cutRecord', params: { row: 7 } },
      ],
    })
    expect(guard(everything, DEFAULT_GUARDS).map(({ code }) => code)).toEqual([
      'lostColumn',
      'emptySource',
      'massDeactivation',
      'cutRecord',
      'overLimit',
      'staleSource',
    ])
  })

  it('with the figures that its sentence needs', () => {
    expect(guard(going(93, 7, 7), DEFAULT_GUARDS)[0]?.params).toMatchObject({
      deactivations: 7,
      recent: 7,
      active: 93,
      population: 100,
      percent: 14,
      allowed: 10,
      window: 'day',
    })
  })
})

describe('a limit', () => {
  it('of any kind holds for its own kind, and one that is off holds nobody', () => {
    const kinds: GuardKind[] = ['create', 'update', 'leave']
    for (const kind of kinds) {
      const given = figures(place(100, { [kind]: { now: 20 } }))
      const set = (run: Limit) => settings({ limits: { ...DEFAULT_GUARDS.limits, [kind]: { run, day: { ...limit(0, 0), on: false } } } })
      expect(guard(given, set(limit(10, 5)))).toMatchObject([
        { code: 'overLimit', params: { kind, window: 'run', count: 20, allowed: 10 } },
      ])
      expect(guard(given, set({ ...limit(10, 5), on: false }))).toEqual([])
    }
  })

  it('of a site counts its own people; one of its own stands in for that of each site', () => {
    const sites = [
      { ...place(40, { deactivate: { now: 6 } }), siteId: 'north', site: 'North' },
      { ...place(40, { deactivate: { now: 6 } }), siteId: 'south', site: 'South' },
      { ...place(8, { deactivate: { now: 5 } }), siteId: 'kiosk', site: 'Kiosk' },
    ]
    const limits = (run: Limit) => ({ kind: 'deactivate' as const, run, day: run })
    const guards = settings({
      sites: [
        { siteId: null, ...limits(limit(10, 5)) },
        { siteId: 'south', ...limits(limit(50, 5)) },
      ],
    })
    const reasons = guard({ ...going(1000, 17), sites }, guards)
    expect(reasons.map(({ params }) => [params.site, params.count, params.allowed])).toEqual([
      ['North', 6, 5],
      ['Kiosk', 5, 4],
    ])
  })
})

describe('whatever the figures', () => {
  const amounts = fc.record({ now: fc.nat(3000), recent: fc.nat(3000) })
  const places = fc.record({
    active: fc.oneof(fc.nat(25), fc.nat(10_000)),
    amounts: fc.record({ create: amounts, update: amounts, deactivate: amounts, leave: amounts }),
  })
  const limits = fc.record({ on: fc.boolean(), percent: fc.integer({ min: 0, max: 100 }), number: fc.nat(500) })
  const kindLimits = fc.record({ run: limits, day: limits })
  const guards = fc
    .record({ create: kindLimits, update: kindLimits, deactivate: kindLimits, leave: kindLimits })
    .map((all) => settings({ limits: all }))
  const shrinks = (kind: GuardKind) => kind === 'deactivate' || kind === 'leave'
  /** The rule once more, as decisions.md words it. */
  const isBeyond = ({ active, amounts: all }: Place, kind: GuardKind, { limits: set }: GuardSettings): boolean => {
    const { now, recent } = all[kind]
    const over = (count: number, of: number, { on, percent, number }: Limit) =>
      on && (count > Math.max(number, (of * percent) / 100) || (shrinks(kind) && of < 20 && count > of / 2))
    const start = shrinks(kind) ? active + all.deactivate.recent : kind === 'create' ? Math.max(0, active - recent) : active
    return now > 0 && (over(now, active, set[kind].run) || over(now + recent, start, set[kind].day))
  }

  it('a plan is held exactly when a figure is beyond its limit', () => {
    fc.assert(
      fc.property(places, guards, (whole, set) => {
        const beyond = GUARD_KINDS.filter((kind) => isBeyond(whole, kind, set))
        expect(new Set(guard(figures(whole), set).map(({ params }) => params.kind))).toEqual(new Set(beyond))
      }),
      { seed: 7, numRuns: 1000 },
    )
  })

  it('one more of anything holds whatever is held already', () => {
    fc.assert(
      fc.property(places, guards, fc.constantFrom(...GUARD_KINDS), (whole, set, kind) => {
        if (whole.amounts[kind].now === 0) return
        const held = new Set(guard(figures(whole), set).map(({ params }) => params.kind))
        const { now, recent } = whole.amounts[kind]
        const more = { ...whole, amounts: { ...whole.amounts, [kind]: { now: now + 1, recent } } }
        for (const reason of held) expect(guard(figures(more), set).map(({ params }) => params.kind)).toContain(reason)
      }),
      { seed: 7, numRuns: 1000 },
    )
  })

  it('more than five and more than a tenth never go unseen by the defaults, nor more than half of a few', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), fc.nat(2000), (active, now, recent) => {
        const many = (now > 5 && now > active / 10) || (active < 20 && now > active / 2)
        expect(guard(going(active, now, recent), DEFAULT_GUARDS).length > 0 || !(many && now > 0)).toBe(true)
      }),
      { seed: 7, numRuns: 1000 },
    )
  })

  it('a limit lets pass the larger of number and percentage, and never more than half of a few who go', () => {
    expect([allowedOf(limit(10, 5), 1000, true), allowedOf(limit(10, 5), 30, true), allowedOf(limit(10, 5), 6, true)]).toEqual([100, 5, 3])
    expect(allowedOf(limit(10, 5), 6, false)).toBe(5)
  })

  it('every code has its place in the order', () => {
    expect(new Set(HELD_CODES).size).toBe(HELD_CODES.length)
  })
})
