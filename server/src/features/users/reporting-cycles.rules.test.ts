import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findCycles } from './reporting-cycles.rules.ts'

it.each([
  ['nobody', {}, []],
  ['a line', { a: 'b', b: 'c' }, []],
  ['oneself', { a: 'a' }, [['a']]],
  ['two', { b: 'a', a: 'b' }, [['a', 'b']]],
  ['three, with others below', { c: 'a', a: 'b', b: 'c', d: 'a', e: 'd' }, [['a', 'b', 'c']]],
  [
    'two circles',
    { a: 'b', b: 'a', y: 'z', z: 'y' },
    [
      ['a', 'b'],
      ['y', 'z'],
    ],
  ],
])('finds the circles of %s', (_, managers: Record<string, string>, cycles) => {
  expect(findCycles(new Map(Object.entries(managers)))).toEqual(cycles)
})

it('finds everybody who meets themselves on the way up, and nobody else', () => {
  const people = Array.from({ length: 12 }, (_, index) => `p${String(index).padStart(2, '0')}`)
  const lines = fc.dictionary(fc.constantFrom(...people), fc.constantFrom(...people))
  fc.assert(
    fc.property(lines, (managers) => {
      const managerOf = new Map(Object.entries(managers))
      const meets = (person: string): boolean => {
        let at = managerOf.get(person)
        for (let step = 0; at !== undefined && step < people.length; step += 1) {
          if (at === person) return true
          at = managerOf.get(at)
        }
        return false
      }
      expect(findCycles(managerOf).flat().toSorted()).toEqual(people.filter(meets))
    }),
    { seed: 11 },
  )
})
