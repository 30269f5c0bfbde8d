import { type ChangeEvent, type ReactNode, useRef } from 'react'
import { Checkbox } from './checkbox.tsx'
import styles from './data-table.module.css'

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
}

export interface Selection<Row> {
  selected: ReadonlySet<string>
  onChange: (selected: Set<string>) => void
  allLabel: string
  rowLabel: (row: Row) => string
}

export interface DataTableProps<Row> {
  /** The table's name for screen readers. */
  label: string
  /** The first column names the row and stays in view when the table scrolls sideways. */
  columns: readonly Column<Row>[]
  /** Undefined while the first page loads; old rows stay while later ones load. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Opens a row: the whole row takes the click, the name holds the button. */
  onOpen?: ((row: Row) => void) | undefined
  /** The row that is open now. */
  openKey?: string | null | undefined
  selection?: Selection<Row> | undefined
  /** Shown in place of rows when there are none. */
  empty: ReactNode
  /** Shown when rows could not be fetched: below those that are there already, else in their place. */
  error?: ReactNode
  busy?: boolean | undefined
}

const BONES = [1, 2, 3, 4, 5, 6]

/** A native table with a sticky head and name column, optional row opening and selection, and its empty, loading and error states. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, onOpen, openKey, selection, empty, error, busy } = props
  const pick = useRangePick(rows, rowKey, selection)
  const span = columns.length + (selection ? 1 : 0)
  const [name, ...rest] = columns
  if (!name) return null
  const message = rows?.length ? null : (error ?? (rows ? empty : null))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table} aria-busy={busy || rows === undefined}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles.box}>
                <Checkbox label={selection.allLabel} checked={pick.all} indeterminate={pick.some} onChange={pick.toggleAll} />
              </th>
            )}
            {columns.map((column, index) => (
              <th
                key={column.key}
                scope="col"
                className={cellClass(column, index === 0 ? styles.name : '')}
                style={{ inlineSize: column.width }}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {message ? (
            <tr className={styles.message}>
              <td colSpan={span}>{message}</td>
            </tr>
          ) : (
            (rows ?? []).map((row) => {
              const key = rowKey(row)
              const chosen = selection?.selected.has(key) || key === openKey
              return (
                <tr
                  key={key}
                  className={`${onOpen ? styles.open : ''} ${chosen ? styles.selected : ''}`}
                  onClick={onOpen && ((event) => isPlainClick(event) && onOpen(row))}
                >
                  {selection && (
                    <td className={styles.box}>
                      <Checkbox
                        label={selection.rowLabel(row)}
                        checked={selection.selected.has(key)}
                        onChange={(checked, event) => pick.toggle(key, checked, event)}
                      />
                    </td>
                  )}
                  <th scope="row" className={cellClass(name)}>
                    {onOpen ? (
                      <button
                        type="button"
                        className={styles.opener}
                        aria-expanded={openKey === undefined ? undefined : key === openKey}
                        onClick={() => onOpen(row)}
                      >
                        {name.cell(row)}
                      </button>
                    ) : (
                      name.cell(row)
                    )}
                  </th>
                  {rest.map((column) => (
                    <td key={column.key} className={cellClass(column)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              )
            })
          )}
          {!message && error && (
            <tr className={styles.message}>
              <td colSpan={span}>{error}</td>
            </tr>
          )}
          {!message &&
            rows === undefined &&
            BONES.map((bone) => (
              <tr key={bone}>
                {selection && <td className={styles.box} />}
                {columns.map((column) => (
                  <td key={column.key}>
                    <span className={styles.bone} />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}

const cellClass = (column: Column<never>, extra = ''): string =>
  [column.align === 'end' ? styles.end : '', column.figures ? styles.figures : '', extra].filter(Boolean).join(' ')

/** Whether a click on a row means the row, not something inside it, and ends no text selection. */
const isPlainClick = (event: { target: EventTarget; currentTarget: Element }): boolean => {
  const inside = event.target instanceof Element && event.target.closest('a, button, input, label, select')
  const text = window.getSelection()
  const selecting = text && !text.isCollapsed && event.currentTarget.contains(text.anchorNode)
  return !inside && !selecting
}

/** Checkbox logic of a page of rows: one, all, or a range with Shift. */
const useRangePick = <Row,>(rows: readonly Row[] | undefined, rowKey: (row: Row) => string, selection: Selection<Row> | undefined) => {
  const last = useRef<string | null>(null)
  const keys = selection ? (rows ?? []).map(rowKey) : []
  const count = keys.filter((key) => selection?.selected.has(key)).length
  const change = (picked: readonly string[], checked: boolean) => {
    const next = new Set(selection?.selected)
    for (const key of picked) checked ? next.add(key) : next.delete(key)
    selection?.onChange(next)
  }
  return {
    all: keys.length > 0 && count === keys.length,
    some: count > 0 && count < keys.length,
    toggleAll: (checked: boolean) => change(keys, checked),
    toggle: (key: string, checked: boolean, event: ChangeEvent<HTMLInputElement>) => {
      const native = event.nativeEvent
      const from = last.current === null ? -1 : keys.indexOf(last.current)
      const to = keys.indexOf(key)
      const ranged = native instanceof MouseEvent && native.shiftKey && from >= 0
      change(ranged ? keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key], checked)
      last.current = key
    },
  }
}
