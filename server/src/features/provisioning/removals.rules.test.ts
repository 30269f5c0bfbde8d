import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeRemovals } from './removals.rules.ts'

const limit = { on: true, percent: 10, number: 5 }

test.each([
  { removed: 0, wanted: 6, inUse: 30, held: true },
  { removed: 5, wanted: 1, inUse: 25, held: true },
  { removed: 0, wanted: 11, inUse: 100, held: true },
  { removed: 0, wanted: 5, inUse: 5, held: false },
  { removed: 0, wanted: 10, inUse: 100, held: false },
  { removed: 4, wanted: 6, inUse: 96, held: false },
])('$wanted of $inUse with $removed before: held $held', ({ held, ...figures }) => {
  expect(judgeRemovals(limit, figures).held).toBe(held)
  expect(judgeRemovals({ ...limit, on: false }, figures).held).toBe(false)
})

test('what passes one after the other is never more than what would pass at once', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), steps, (accounts, wanted) => {
      let removed = 0
      for (const next of wanted) {
        const asked = Math.min(next, accounts - removed)
        if (asked > 0 && !judgeRemovals(limit, { removed, wanted: asked, inUse: accounts - removed }).held) removed += asked
      }
      expect(removed).toBeLessThanOrEqual(Math.max(5, accounts / 10))
    }),
    { seed: 14, numRuns: 500 },
  )
})
