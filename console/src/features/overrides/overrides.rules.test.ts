import { expect, test } from 'vitest'
import { filterOf, keyOf, namedBy } from './overrides.rules.ts'

test('an age that is not offered narrows nothing', () => {
  expect(filterOf({ age: '31' }, null)).toEqual({})
  expect(filterOf({ age: '-30', field: '' }, null)).toEqual({})
})

test('field, age and site narrow together', () => {
  expect(filterOf({ field: 'title', age: '90' }, 's1')).toEqual({ field: 'title', olderThanDays: 90, siteId: 's1' })
})

test('a selected override is found again by person and field', () => {
  const one = { userId: '0190a8f0-0000-7000-8000-000000000001', field: 'managerReferenceType' }
  expect(namedBy(new Set([keyOf(one)]))).toEqual([one])
})
