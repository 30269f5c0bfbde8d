import { ConnectorError } from '../kit/problem.ts'
import type { SourceRow } from '../kit/source.ts'
import { notTabular } from './sniff-format.ts'

/** A checked header: its names, trimmed, and how many cells stood in the header row before nameless ones at its end were dropped. */
export interface Header {
  readonly names: string[]
  readonly width: number
}

const LONGEST_NAME = 300

/**
 * Checks a header row. Nameless columns at the end are dropped (exports often end every line in a delimiter); a value below one is refused later.
 * Throws FILE_HEADER_BLANK, FILE_DUPLICATE_HEADER, FILE_NOT_TABULAR.
 */
export const checkHeader = (cells: readonly string[]): Header => {
  const names = cells.map((cell) => cell.replace(/\s+/g, ' ').trim().normalize('NFC'))
  while (names.at(-1) === '') names.pop()
  if (names.length < 2) throw notTabular('singleColumn')
  const seen = new Set<string>()
  names.forEach((name, index) => {
    if (name === '') throw new ConnectorError({ code: 'FILE_HEADER_BLANK', params: { column: index + 1 } })
    if (name.length > LONGEST_NAME) throw notTabular('text')
    if (seen.has(name)) throw new ConnectorError({ code: 'FILE_DUPLICATE_HEADER', params: { name } })
    seen.add(name)
  })
  return { names, width: cells.length }
}

const cut = (row: SourceRow, header: Header): SourceRow => {
  const expected = header.names.length
  const found = row.cells.findLastIndex((cell) => cell.trim() !== '') + 1
  if (found <= expected) return { ...row, cells: row.cells.slice(0, expected) }
  if (found <= header.width) throw new ConnectorError({ code: 'FILE_HEADER_BLANK', params: { column: found } })
  throw new ConnectorError({ code: 'FILE_ROW_TOO_LONG', params: { row: row.number, expected, found } })
}

/** The row with exactly as many cells as the header: missing ones are '', empty ones too many are dropped, any other is FILE_ROW_TOO_LONG. */
export const fitRow = (row: SourceRow, header: Header): SourceRow => {
  const missing = header.names.length - row.cells.length
  if (missing === 0) return row
  if (missing < 0) return cut(row, header)
  const cells = [...row.cells, ...new Array<string>(missing).fill('')]
  return row.ending ? { number: row.number, cells, ending: 'cut' } : { number: row.number, cells }
}
