import { describe, expect, test } from 'vitest'
import { COLUMN_KEYS, type ColumnKey, offeredOrder, withColumn, withColumnMoved } from './people-columns.rules.ts'

describe('columns', () => {
  const shown: readonly ColumnKey[] = ['status', 'title']

  test('are all offered, the chosen ones first and in their order', () => {
    const order = offeredOrder(shown)
    expect(order.slice(0, 2)).toEqual(shown)
    expect([...order].sort()).toEqual([...COLUMN_KEYS].sort())
  })

  test('keep their order when one comes or goes', () => {
    const order = offeredOrder(shown)
    expect(withColumn(order, shown, 'country')).toEqual(['status', 'title', 'country'])
    expect(withColumn(order, shown, 'status')).toEqual(['title'])
    expect(withColumn(order, ['title'], 'status')).toEqual(['status', 'title'])
  })

  test('change places with the chosen one beside them', () => {
    const order = offeredOrder(['status', 'title', 'country'])
    const moved = withColumnMoved(order, ['status', 'country'], { key: 'country', step: -1 })
    expect(moved.filter((key) => ['status', 'country'].includes(key))).toEqual(['country', 'status'])
  })

  test('stay where they are at either end', () => {
    const order = offeredOrder(shown)
    expect(withColumnMoved(order, shown, { key: 'status', step: -1 })).toBe(order)
    expect(withColumnMoved(order, shown, { key: 'title', step: 1 })).toBe(order)
  })
})
