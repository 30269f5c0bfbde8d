import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Condition } from './conditions.ts'
import { isRemovable, keptUntil } from './grace-period.ts'
import { holdsFor } from './holds-for.ts'
import { type PlaceableSite, placementMoves, placerFor } from './place-person.ts'
import { Placement, type PlacementRule } from './placement.ts'

const TODAY = '2026-11-21'
const LOCATIONS = ['North', 'south', ' Paris ', 'Nowhere', '']
const site = (id: string, name: string, code: string): PlaceableSite => ({ id, name, code, active: true })
const SITES = [
  site('n', 'North', 'A1'),
  site('s', 'South', 'A2'),
  site('p', 'Paris', 'X'),
  site('q', 'Paray', 'x'),
  site('y', 'New York', 'Y'),
  { ...site('c', 'Closed', 'Z'), active: false },
]

const values = fc.record({ locationName: fc.constantFrom(...LOCATIONS), department: fc.constantFrom('Sales', 'IT', 'hr') })
const when: fc.Arbitrary<Condition> = fc
  .constantFrom('Sales', 'IT', 'HR')
  .map((value) => ({ field: 'department', operator: 'equals', value }))
const rule: fc.Arbitrary<PlacementRule> = fc.record(
  {
    when,
    to: fc.oneof(
      fc.constantFrom('n', 's', 'p', 'c', 'gone').map((siteId) => ({ siteId })),
      fc.constantFrom<PlacementRule['to']>({ field: 'locationName', by: 'name' }, { field: 'locationName', by: 'code' }),
    ),
  },
  { requiredKeys: ['to'] },
)
const rules = fc.array(rule, { maxLength: 6 })
const checked = { numRuns: 300, seed: 4 }

describe('rules that would lead astray', () => {
  it.each([
    [
      'a condition over what no source says',
      { when: { field: 'claimState', operator: 'equals', value: 'claimed' }, to: { field: 'department', by: 'name' } },
    ],
    ['a destination that is two', { to: { siteId: '0196f000-0000-7000-8000-000000000001', field: 'department', by: 'name' } }],
    ['a field that there is none of', { to: { field: 'siteId', by: 'name' } }],
    ['no destination', { when: { field: 'department', operator: 'equals', value: 'x' } }],
  ])('are refused: %s', (_, wrong) => {
    expect(Placement.safeParse({ rules: [wrong] }).success).toBe(false)
  })

  it('never lead to a site that is closed or gone, nor to one of two with the same code', () => {
    const place = placerFor(
      [{ to: { siteId: 'c' } }, { to: { siteId: 'gone' } }, { to: { field: 'department', by: 'code' } }],
      SITES,
      TODAY,
    )
    expect([place({ department: 'x' }), place({ department: 'Z' })]).toEqual([
      { siteId: null, rule: null },
      { siteId: null, rule: null },
    ])
  })
})

describe('placing somebody', () => {
  it('goes by the first rule that speaks of them and names an active site', () =>
    fc.assert(
      fc.property(rules, values, (all, given) => {
        const { siteId, rule: which } = placerFor(all, SITES, TODAY)(given)
        const alone = all.map((one) => placerFor([one], SITES, TODAY)(given).siteId)
        const first = alone.findIndex((one) => one !== null)
        expect([siteId, which]).toEqual(first < 0 ? [null, null] : [alone[first], first + 1])
      }),
      checked,
    ))

  it('is no other for rules that come after the one that decided, nor for rules that do not speak of them', () =>
    fc.assert(
      fc.property(rules, rules, values, (all, more, given) => {
        const placed = placerFor(all, SITES, TODAY)(given)
        if (placed.siteId !== null) expect(placerFor([...all, ...more], SITES, TODAY)(given)).toEqual(placed)
        const silent = more.filter((one) => one.when && !holdsFor(one.when, TODAY)(given))
        expect(placerFor([...silent, ...all], SITES, TODAY)(given).siteId).toBe(placed.siteId)
      }),
      checked,
    ))

  it('compares codes as they are written', () => {
    const twins = [site('a', 'North', 'C  1'), site('b', 'East', 'C 1'), site('c', 'South', 'D 1')]
    const byCode = placerFor([{ to: { field: 'costCenter', by: 'code' } }], twins, TODAY)
    expect(['c  1', ' C 1 ', 'd 1', 'D  1'].map((costCenter) => byCode({ costCenter }).siteId)).toEqual(['a', 'b', 'c', null])
  })

  it('reads a site column whatever its case and spaces', () => {
    const byName = placerFor([{ to: { field: 'locationName', by: 'name' } }], SITES, TODAY)
    const byCode = placerFor([{ to: { field: 'costCenter', by: 'code' } }], SITES, TODAY)
    expect([
      byName({ locationName: ' NORTH ' }),
      byCode({ costCenter: 'a2' }),
      byName({ locationName: 'new\u00a0  YORK' }),
      byName({ locationName: null }),
    ]).toEqual([
      { siteId: 'n', rule: 1 },
      { siteId: 's', rule: 1 },
      { siteId: 'y', rule: 1 },
      { siteId: null, rule: null },
    ])
  })

  it('may be another tomorrow only where a condition counts from today', () => {
    const soon: PlacementRule = {
      when: { field: 'startDate', operator: 'withinNext', value: { number: 1, scale: 'week' } },
      to: { siteId: 'n' },
    }
    expect([placementMoves([{ to: { siteId: 'n' } }]), placementMoves([soon])]).toEqual([false, true])
  })
})

describe('the grace period', () => {
  it('is none for somebody who is not deactivated, and over at its end and not before, for any length', () =>
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-01-01') }), fc.nat(3650), (at, days) => {
        expect([keptUntil(null, { days }), isRemovable(null, { days }, new Date(8e15))]).toEqual([null, false])
        const end = new Date(at.getTime() + days * 86_400_000)
        expect([isRemovable(at, { days }, end), isRemovable(at, { days }, new Date(end.getTime() - 1))]).toEqual([true, false])
      }),
      checked,
    ))
})
