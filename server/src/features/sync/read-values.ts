import { cleanText, type ReadValue, readField } from '@instep/contract/field-values.ts'
import type { MappedColumn } from './resolve-mapping.ts'

const EMPTY: ReadValue = { value: null }

/** Reads one cell as its field wants it: cleaned, translated by the mapping's values, checked. */
export const readValue = (cell: string, column: MappedColumn): ReadValue => {
  if (cell === '') return EMPTY
  const clean = cleanText(cell)
  if (clean === undefined) return { wrong: 'characters' }
  const text = column.values?.get(clean) ?? clean
  return text === '' ? EMPTY : readField(column.field, text, column.dateFormat)
}
