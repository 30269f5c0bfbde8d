import { ConnectorError } from '../kit/problem.ts'
import { createCsvParser } from './csv-parser.ts'
import { findDelimiter, findNewline } from './find-delimiter.ts'
import { checkHeader, fitRow } from './fit-rows.ts'
import { notTabular } from './sniff-format.ts'

const CELL_LIMIT = 20_000

/**
 * Reads a header line and the first record below it, as they are copied from a file or a spreadsheet. Throws as a file of the same text would, and
 * FILE_EMPTY where there is no record.
 */
export const readPasted = (text: string): { header: string[]; cells: readonly string[] } => {
  const newline = findNewline(text)
  const delimiter = findDelimiter(text, newline)
  if (delimiter === undefined) throw notTabular('singleColumn')
  const parser = createCsvParser({ delimiter, newline, cellLimit: CELL_LIMIT })
  const [first, row] = [...parser.push(text), ...parser.end()]
  if (!first || !row) throw new ConnectorError({ code: 'FILE_EMPTY' })
  const header = checkHeader(first.cells)
  return { header: header.names, cells: fitRow(row, header).cells }
}
