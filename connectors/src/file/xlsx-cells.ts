import type { CellValue } from 'read-excel-file/universal'

const trimZeros = (text: string): string => text.replace(/\.?0+$/, '')

/** A number as a spreadsheet shows it without a format: no exponent, and no more than the 15 digits that a spreadsheet keeps. */
export const numberText = (stored: string): string => {
  if (/^-?\d+$/.test(stored)) return stored
  const value = Number(stored)
  if (!Number.isFinite(value)) return stored
  const rounded = Number(value.toPrecision(15))
  if (Number.isInteger(rounded)) return BigInt(rounded).toString()
  const text = String(rounded)
  return text.includes('e') ? trimZeros(rounded.toFixed(20)) : text
}

/** A date cell as `YYYY-MM-DD`, with `THH:MM:SS` only when it holds a time of day too. */
const dateText = (value: Date): string => {
  // Days are stored as fractions, so a time may be a few milliseconds short of its second.
  const text = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString()
  return text.slice(11, 19) === '00:00:00' ? text.slice(0, 10) : text.slice(0, 19)
}

/** The text of a cell; booleans are `true` and `false`, an empty cell is ''. */
export const cellText = (value: CellValue | null): string => {
  if (value === null) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : dateText(value)
  return String(value)
}
