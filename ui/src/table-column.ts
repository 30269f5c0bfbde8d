import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  /** Any CSS width; columns without one share what is left. */
  width?: string | undefined
  /** `end` for numbers. */
  align?: 'start' | 'end' | undefined
  /** Tabular numerals that do not wrap: dates, ids, counts, times. */
  figures?: boolean | undefined
  /** What the list is sorted by when its head is pressed; absent where the column cannot be sorted by. */
  sortBy?: string | undefined
}

/** What a table is sorted by. */
export interface Sort {
  by: string
  descending: boolean
}

/** The classes of a cell, from its column. */
export const cellClass = (
  column: Pick<Column<never>, 'align' | 'figures'>,
  styles: Record<string, string | undefined>,
  extra = '',
): string => [column.align === 'end' ? styles['end'] : '', column.figures ? styles['figures'] : '', extra].filter(Boolean).join(' ')
