import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GuardFigures, guard } from './guard.ts'

const calm: GuardFigures = { records: 1000, active: 1000, deactivations: 0, recentDeactivations: 0, lostColumns: [] }

describe('the guard', () => {
  it.each([
    ['nobody leaves', {}, null],
    ['a source without a single record', { records: 0, deactivations: 1000 }, 'emptySource'],
    ['a first file without a single record', { records: 0, active: 0 }, 'emptySource'],
    ['a lost column, even where nobody leaves', { lostColumns: ['Email'] }, 'lostColumn'],
    ['exactly a tenth', { deactivations: 100 }, null],
    ['one more than a tenth', { deactivations: 101 }, 'massDeactivation'],
    ['five of thirty, which is more than a tenth', { active: 30, deactivations: 5 }, null],
    ['six of thirty', { active: 30, deactivations: 6 }, 'massDeactivation'],
    ['half of ten', { active: 10, deactivations: 5 }, null],
    ['three of five: more than half of fewer than twenty', { active: 5, deactivations: 3 }, 'massDeactivation'],
    ['one of one', { active: 1, deactivations: 1 }, 'massDeactivation'],
    ['a tenth after another tenth within a day', { active: 900, deactivations: 90, recentDeactivations: 100 }, 'massDeactivation'],
    ['a few after a few', { active: 980, deactivations: 20, recentDeactivations: 20 }, null],
    ['many yesterday and nobody now', { active: 500, recentDeactivations: 500 }, null],
  ] as [string, Partial<GuardFigures>, string | null][])('%s', (_, change, code) => {
    expect(guard({ ...calm, ...change })?.code ?? null).toBe(code)
  })

  const figures = fc.record({
    records: fc.integer({ min: 1, max: 10_000 }),
    active: fc.nat(10_000),
    deactivations: fc.nat(10_000),
    recentDeactivations: fc.nat(10_000),
    lostColumns: fc.constant<string[]>([]),
  })

  it('never lets more than a tenth and more than five go unseen', () => {
    fc.assert(
      fc.property(figures, (given) => {
        const many = given.deactivations > 5 && given.deactivations > given.active * 0.1
        expect(guard(given) !== null || !many).toBe(true)
      }),
      { seed: 7 },
    )
  })

  it('holds whatever it would hold with fewer leavers', () => {
    fc.assert(
      fc.property(figures, (given) => {
        if (given.deactivations > 0 && guard(given)) expect(guard({ ...given, deactivations: given.deactivations + 1 })).not.toBeNull()
      }),
      { seed: 7 },
    )
  })
})
