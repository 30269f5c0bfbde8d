import { EXPORT_COLUMNS, type ExportColumn, type FileColumn } from '@instep/contract/user-columns.ts'
import type { ColumnKey } from './people-columns.rules.ts'

/** Columns of a list whose values an export calls otherwise. */
const OTHERWISE: Partial<Record<ColumnKey, readonly ExportColumn[]>> = {
  title: ['title', 'department'],
  employeeId: ['employeeNumber'],
  siteId: ['siteName'],
  connectorId: ['connectorName'],
}

const isExportColumn = (key: string): key is ExportColumn => EXPORT_COLUMNS.some((column) => column === key)

/** What a list shows, as columns of an export: the name with its id, then the list's columns in their order. */
export const exportColumnsOf = (columns: readonly ColumnKey[]): readonly ExportColumn[] => {
  const shown = columns.flatMap((key) => OTHERWISE[key] ?? (isExportColumn(key) ? [key] : []))
  return [...new Set<ExportColumn>(['displayName', 'employeeNumber', ...shown])]
}

/** The columns after one of all was chosen or left out, in the order in which a file has them. */
export const withExportColumn = (
  columns: readonly FileColumn[],
  { column, chosen }: { column: FileColumn; chosen: boolean },
  all: readonly FileColumn[],
): readonly FileColumn[] => all.filter((one) => (one === column ? chosen : columns.includes(one)))
