import { expect, test } from 'vitest'
import { paths } from '../../paths.ts'
import { readCondition } from '../../shared/conditions/read-condition.ts'
import { isUnassigned, UNASSIGNED } from './unassigned.rules.ts'

test('a list of people of no site is known as such, and no other', () => {
  const other = { field: 'department', operator: 'equals', value: 'IT' } as const
  expect([null, other, { all: [UNASSIGNED, other] }, { not: UNASSIGNED }].map(isUnassigned)).toEqual([false, false, false, false])
  expect([UNASSIGNED, { all: [{ field: 'siteId', operator: 'isEmpty' }] } as const].map(isUnassigned)).toEqual([true, true])
})

test('its address is one that the list reads', () => {
  const search = new URLSearchParams(paths.people({ unassigned: true, connector: 'c1' }).split('?')[1])
  expect([isUnassigned(readCondition(search.get('filters') ?? '') ?? null), search.get('connector')]).toEqual([true, 'c1'])
})
