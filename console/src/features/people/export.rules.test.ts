import { EXPORT_COLUMNS, type FileColumn } from '@instep/contract/user-columns.ts'
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
    const all = [...EXPORT_COLUMNS, 'claimFields.a', 'claimFields.b'] as const
    const chosen = (column: FileColumn) => ({ column, chosen: true })
    expect(withExportColumn(['startDate'], chosen('externalId'), all)).toEqual(['externalId', 'startDate'])
    expect(withExportColumn(['claimFields.b'], chosen('claimFields.a'), all)).toEqual(['claimFields.a', 'claimFields.b'])
    expect(withExportColumn(['claimFields.b'], chosen('vip'), all)).toEqual(['vip', 'claimFields.b'])
    expect(withExportColumn(all, { column: 'vip', chosen: false }, all)).not.toContain('vip')
  })
})
