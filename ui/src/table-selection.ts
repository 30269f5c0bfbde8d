import { type ChangeEvent, useRef } from 'react'

export interface Selection<Row> {
  selected: ReadonlySet<string>
  onChange: (selected: Set<string>) => void
  allLabel: string
  rowLabel: (row: Row) => string
}

/** Told that the box of a row was pressed. */
export type Toggle = (key: string, checked: boolean, event: ChangeEvent<HTMLInputElement>) => void

/** Keys of a page after one was pressed: that one, or with Shift all between it and the one pressed before. */
export const rangeOf = (keys: readonly string[], key: string, from: string | null): readonly string[] => {
  const start = from === null ? -1 : keys.indexOf(from)
  const end = keys.indexOf(key)
  return start < 0 || end < 0 ? [key] : keys.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** Checkbox logic of a page of rows: one, all, or a range with Shift. */
export const useRangePick = <Row>(keys: readonly string[], selection: Selection<Row> | undefined) => {
  const last = useRef<string | null>(null)
  const count = selection ? keys.filter((key) => selection.selected.has(key)).length : 0
  const change = (picked: readonly string[], checked: boolean) => {
    const next = new Set(selection?.selected)
    for (const key of picked) checked ? next.add(key) : next.delete(key)
    selection?.onChange(next)
  }
  const toggle: Toggle = (key, checked, event) => {
    const native = event.nativeEvent
    const shift = native instanceof MouseEvent && native.shiftKey
    change(rangeOf(keys, key, shift ? last.current : null), checked)
    last.current = key
  }
  return {
    all: keys.length > 0 && count === keys.length,
    some: count > 0 && count < keys.length,
    toggleAll: (checked: boolean) => change(keys, checked),
    toggle,
  }
}
