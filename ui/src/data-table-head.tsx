import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import { Checkbox } from './checkbox.tsx'
import styles from './data-table.module.css'
import { Icon } from './icon.tsx'
import { type Column, cellClass, type Sort } from './table-column.ts'

interface HeadProps<Row> {
  columns: readonly Column<Row>[]
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
  pick: { label: string; all: boolean; some: boolean; onChange: (checked: boolean) => void } | undefined
}

/** The sticky head of a table: the box for the whole page, and the names of columns, pressed to sort by them. */
export function DataTableHead<Row>({ columns, sort, onSort, pick }: HeadProps<Row>) {
  return (
    <thead>
      <tr>
        {pick && (
          <th scope="col" className={styles.box}>
            <Checkbox label={pick.label} checked={pick.all} indeterminate={pick.some} onChange={pick.onChange} />
          </th>
        )}
        {columns.map((column, index) => {
          const sorted = column.sortBy !== undefined && column.sortBy === sort?.by ? sort : undefined
          return (
            <th
              key={column.key}
              scope="col"
              className={cellClass(column, styles, index === 0 ? styles.name : '')}
              style={{ inlineSize: column.width }}
              aria-sort={sorted && (sorted.descending ? 'descending' : 'ascending')}
            >
              {column.sortBy !== undefined && onSort ? <SortButton column={column} sorted={sorted} onSort={onSort} /> : column.header}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

interface SortButtonProps<Row> {
  column: Column<Row>
  /** The order, where the table is sorted by this column. */
  sorted: Sort | undefined
  onSort: (sort: Sort) => void
}

function SortButton<Row>({ column, sorted, onSort }: SortButtonProps<Row>) {
  const shape = sorted ? (sorted.descending ? IconArrowDown : IconArrowUp) : IconSelector
  return (
    <button
      type="button"
      className={`${styles.sort} ${sorted ? styles.sorted : ''}`}
      onClick={() => onSort({ by: column.sortBy ?? '', descending: sorted ? !sorted.descending : false })}
    >
      {column.header}
      <Icon of={shape} size={13} />
    </button>
  )
}
