import { expect, test } from 'vitest'
import { rangeOf } from './table-selection.ts'

const keys = ['a', 'b', 'c', 'd']

test.each([
  { from: null, key: 'c', picked: ['c'] },
  { from: 'gone', key: 'c', picked: ['c'] },
  { from: 'b', key: 'd', picked: ['b', 'c', 'd'] },
  { from: 'd', key: 'b', picked: ['b', 'c', 'd'] },
  { from: 'b', key: 'b', picked: ['b'] },
])('pressing $key after $from picks $picked', ({ from, key, picked }) => {
  expect(rangeOf(keys, key, from)).toEqual(picked)
})
