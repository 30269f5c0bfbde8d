import { EXPORT_COLUMNS } from '@instep/contract/user-columns.ts'
import { describe, expect, test } from 'vitest'
import { exportColumnsOf, withExportColumn } from './export.rules.ts'
import { COLUMN_KEYS } from './people-columns.rules.ts'

describe('the columns of an export', () => {
  test('are those that the list shows, the name and id first', () => {
    expect(exportColumnsOf(['siteId', 'title', 'startDate'])).toEqual([
      'displayName',
      'employeeNumber',
      'siteName',
      'title',
      'department',
      'startDate',
    ])
  })

  test('hold something for every column that a list can show', () => {
    for (const key of COLUMN_KEYS.filter((one) => one !== 'employeeId')) expect(exportColumnsOf([key]).length, key).toBeGreaterThan(2)
  })

  test('come once each', () => {
    const columns = exportColumnsOf([...COLUMN_KEYS])
    expect(new Set(columns).size).toBe(columns.length)
  })

  test('stand in the order of the file when they are chosen', () => {
    expect(withExportColumn(['startDate'], 'externalId', true)).toEqual(['externalId', 'startDate'])
    expect(withExportColumn(EXPORT_COLUMNS, 'vip', false)).not.toContain('vip')
  })
})
