import { memo } from 'react'
import { Checkbox } from './checkbox.tsx'
import styles from './data-table.module.css'
import { type Column, cellClass } from './table-column.ts'
import type { Toggle } from './table-selection.ts'

/** What rows do; the same object for as long as the table stands, so that a row is drawn anew only when it changed. */
export interface RowActions<Row> {
  open: (row: Row) => void
  toggle: Toggle
}

interface RowProps<Row> {
  row: Row
  id: string
  columns: readonly Column<Row>[]
  actions: RowActions<Row>
  opens: boolean
  /** Whether it is the one that is open; undefined where the table does not say. */
  expanded: boolean | undefined
  /** Whether its box is ticked; undefined where rows are not selected. */
  picked: boolean | undefined
  pickLabel: string
}

function RowOf<Row>({ row, id, columns, actions, opens, expanded, picked, pickLabel }: RowProps<Row>) {
  const chosen = picked || expanded
  return (
    <tr
      className={`${opens ? styles.open : ''} ${chosen ? styles.selected : ''}`}
      onClick={opens ? (event) => isPlainClick(event) && actions.open(row) : undefined}
    >
      {picked !== undefined && (
        <td className={styles.box}>
          <Checkbox label={pickLabel} checked={picked} onChange={(checked, event) => actions.toggle(id, checked, event)} />
        </td>
      )}
      <Cells row={row} columns={columns} open={opens ? actions.open : undefined} expanded={expanded} />
    </tr>
  )
}

/** One row of a table. */
export const DataTableRow = memo(RowOf) as typeof RowOf

interface CellsProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  open: ((row: Row) => void) | undefined
  expanded: boolean | undefined
}

// apart from its row, so that ticking a box draws nothing else
function CellsOf<Row>({ row, columns, open, expanded }: CellsProps<Row>) {
  const [name, ...rest] = columns
  if (!name) return null
  return (
    <>
      <th scope="row" className={cellClass(name, styles)}>
        {open ? (
          <button type="button" className={styles.opener} aria-expanded={expanded} onClick={() => open(row)}>
            {name.cell(row)}
          </button>
        ) : (
          name.cell(row)
        )}
      </th>
      {rest.map((column) => (
        <td key={column.key} className={cellClass(column, styles)}>
          {column.cell(row)}
        </td>
      ))}
    </>
  )
}
const Cells = memo(CellsOf) as typeof CellsOf

/** Whether a click on a row means the row, not something inside it, and ends no text selection. */
const isPlainClick = (event: { target: EventTarget; currentTarget: Element }): boolean => {
  const inside = event.target instanceof Element && event.target.closest('a, button, input, label, select')
  const text = window.getSelection()
  const selecting = text && !text.isCollapsed && event.currentTarget.contains(text.anchorNode)
  return !inside && !selecting
}
