import { type ReactNode, useRef } from 'react'
import styles from './data-table.module.css'
import { DataTableHead } from './data-table-head.tsx'
import { DataTableRow, type RowActions } from './data-table-row.tsx'
import type { Column, Sort } from './table-column.ts'
import { type Selection, useRangePick } from './table-selection.ts'
import { useDrawnRows } from './use-drawn-rows.ts'

export type { Column } from './table-column.ts'

export interface DataTableProps<Row> {
  /** The table's name for screen readers. */
  label: string
  /** The first column names the row and stays in view when the table scrolls sideways. Keep the list the same while nothing changes. */
  columns: readonly Column<Row>[]
  /** Undefined while the first page loads; old rows stay while later ones load. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Opens a row: the whole row takes the click, the name holds the button. */
  onOpen?: ((row: Row) => void) | undefined
  /** The row that is open now. */
  openKey?: string | null | undefined
  selection?: Selection<Row> | undefined
  sort?: Sort | undefined
  onSort?: ((sort: Sort) => void) | undefined
  /** In pixels: columns keep their widths, longer values are cut, and the table scrolls sideways where there is less room than this. */
  fixedWidth?: number | undefined
  /** Shown in place of rows when there are none. */
  empty: ReactNode
  /** Shown when rows could not be fetched: below those that are there already, else in their place. */
  error?: ReactNode
  busy?: boolean | undefined
}

/** In pixels: what a table has on most screens. The name column of a wider one is held in view, which costs a layer for each row. */
const ROOM = 960

/** A native table with a sticky head and name column, optional sorting, row opening and selection, and its empty, loading and error states. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, onOpen, openKey, selection, sort, onSort, fixedWidth, empty, error, busy } = props
  const keys = (rows ?? []).map(rowKey)
  const drawn = useDrawnRows(rows ?? [], keys)
  const pick = useRangePick(keys, selection)
  const actions = useRowActions<Row>({ open: (row) => onOpen?.(row), toggle: pick.toggle })
  const span = columns.length + (selection ? 1 : 0)
  const message = rows?.length ? null : (error ?? (rows ? empty : null))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table
        className={`${styles.table} ${fixedWidth ? styles.fixed : ''} ${fixedWidth && fixedWidth > ROOM ? styles.wide : ''}`}
        style={{ minInlineSize: fixedWidth }}
        aria-busy={busy || rows === undefined}
      >
        <caption className="visually-hidden">{label}</caption>
        <DataTableHead
          columns={columns}
          sort={sort}
          onSort={onSort}
          pick={selection && { label: selection.allLabel, all: pick.all, some: pick.some, onChange: pick.toggleAll }}
        />
        <tbody>
          {message ? (
            <Message span={span}>{message}</Message>
          ) : (
            drawn.map((row, index) => {
              const id = keys[index] ?? ''
              return (
                <DataTableRow
                  key={id}
                  id={id}
                  row={row}
                  columns={columns}
                  actions={actions}
                  opens={Boolean(onOpen)}
                  expanded={openKey === undefined ? undefined : id === openKey}
                  picked={selection?.selected.has(id)}
                  pickLabel={selection?.rowLabel(row) ?? ''}
                />
              )
            })
          )}
          {!message && error && <Message span={span}>{error}</Message>}
          {!message && rows === undefined && <Bones columns={columns} withBox={Boolean(selection)} />}
        </tbody>
      </table>
    </section>
  )
}

/** The same object over all renderings, doing what the last one said. */
const useRowActions = <Row,>(now: RowActions<Row>): RowActions<Row> => {
  const latest = useRef(now)
  latest.current = now
  const actions = useRef<RowActions<Row>>({
    open: (row) => latest.current.open(row),
    toggle: (...given) => latest.current.toggle(...given),
  })
  return actions.current
}

function Message({ span, children }: { span: number; children: ReactNode }) {
  return (
    <tr className={styles.message}>
      <td colSpan={span}>
        <div className={styles.said}>{children}</div>
      </td>
    </tr>
  )
}

const BONES = [1, 2, 3, 4, 5, 6]

/** Where rows will be, shown once loading takes longer than a moment. */
function Bones<Row>({ columns, withBox }: { columns: readonly Column<Row>[]; withBox: boolean }) {
  return BONES.map((bone) => (
    <tr key={bone}>
      {withBox && <td className={styles.box} />}
      {columns.map((column) => (
        <td key={column.key}>
          <span className={styles.bone} />
        </td>
      ))}
    </tr>
  ))
}
