import { expect, test } from 'vitest'
import { filterOf, isNarrowed, keyOf, tasksOf } from './tasks.rules.ts'

test('an address without anything is about open tasks of the whole tenant', () => {
  expect(filterOf({}, null)).toEqual({ state: 'open' })
  expect(isNarrowed(filterOf({ state: 'done' }, 'site'))).toBe(false)
})

test('what the address says that there is none of is left out', () => {
  expect(filterOf({ state: 'lost', kind: 'dance', age: '3' }, null)).toEqual({ state: 'open' })
  expect(filterOf({ kind: 'disable', age: '7', assigned: 'me', targetId: 't' }, 's')).toEqual({
    state: 'open',
    kind: 'disable',
    olderThanDays: 7,
    assigned: 'me',
    targetId: 't',
    siteId: 's',
  })
})

test('a selected task is ticked off as it was seen', () => {
  expect(tasksOf([keyOf({ id: 'a', revision: 2 })])).toEqual([{ taskId: 'a', revision: 2 }])
})
