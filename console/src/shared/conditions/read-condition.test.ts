import { Condition } from '@instep/contract/conditions.ts'
import { describe, expect, test } from 'vitest'
import { readCondition, writeCondition } from './read-condition.ts'

const kitchen = { field: 'department', operator: 'equals', value: 'Kitchen' }
const nested = (depth: number): unknown => (depth === 1 ? kitchen : { not: nested(depth - 1) })

describe('a condition in an address', () => {
  test.each([
    ['no JSON', '{'],
    ['no object', '"department"'],
    ['an empty group', '{"any":[]}'],
    ['two kinds of group at once', JSON.stringify({ all: [kitchen], any: [kitchen] })],
    ['a group that is no list', JSON.stringify({ all: kitchen })],
    ['an unknown field', JSON.stringify({ ...kitchen, field: 'password' })],
    ['a member of every object', JSON.stringify({ ...kitchen, field: 'constructor' })],
    ['an operator of another kind', JSON.stringify({ ...kitchen, operator: 'before' })],
    ['a value of another kind', JSON.stringify({ ...kitchen, value: 3 })],
    ['something more', JSON.stringify({ ...kitchen, sql: '1=1' })],
    ['a day that there is not', JSON.stringify({ field: 'startDate', operator: 'on', value: '2024-02-30' })],
    [
      'days the wrong way round',
      JSON.stringify({ field: 'startDate', operator: 'between', value: { from: '2024-03-01', to: '2024-02-01' } }),
    ],
    ['half of two days', JSON.stringify({ field: 'startDate', operator: 'between', value: { from: '2024-03-01', to: '' } })],
    ['no length of time', JSON.stringify({ field: 'startDate', operator: 'withinLast', value: { number: 0, scale: 'day' } })],
    ['too deep', JSON.stringify(nested(9))],
    ['too much', JSON.stringify({ any: Array.from({ length: 101 }, () => kitchen) })],
  ])('is none where it is %s', (_what, text) => {
    expect(readCondition(text)).toBeUndefined()
  })

  test.each([
    kitchen,
    { field: 'siteId', operator: 'in', value: ['01890000-0000-7000-8000-000000000001'] },
    { field: 'startDate', operator: 'between', value: { from: '2024-02-29', to: '2024-03-01' } },
    { field: 'claimedAt', operator: 'moreThanAgo', value: { number: 10_000, scale: 'year' } },
    { field: 'vip', operator: 'is', value: false },
    { field: 'title', operator: 'isEmpty' },
    { all: [kitchen, { any: [kitchen, { not: kitchen }] }] },
    nested(8),
  ] as Condition[])('is read as it was written: %o', (condition) => {
    expect(readCondition(writeCondition(condition) ?? '')).toEqual(condition)
    expect(Condition.safeParse(condition).success).toBe(true)
  })

  test('is left out where there is none', () => {
    expect(writeCondition(null)).toBeUndefined()
  })
})
