import { DELIMITERS } from '@instep/contract/sync.ts'
import { createCsvParser } from './csv-parser.ts'

export type Delimiter = (typeof DELIMITERS)[number]

const RECORDS = 100

/** Number of cells of the first records, as this delimiter cuts them. */
const widths = (sample: string, delimiter: Delimiter, newline: '\n' | '\r'): number[] => {
  const rows = createCsvParser({ delimiter, newline, cellLimit: sample.length }).push(`${sample}${newline}`)
  return rows.slice(0, RECORDS).map((row) => row.cells.length)
}

/** Columns of the header times the share of records that have as many; 0 when the delimiter does not cut the header. */
const score = (counts: readonly number[]): number => {
  const header = counts[0] ?? 1
  if (header < 2) return 0
  return header * (counts.filter((count) => count === header).length / counts.length) ** 2
}

/** What ends the records of a sample: `\r` alone only where there is no `\n` at all. */
export const findNewline = (sample: string): '\n' | '\r' => (!sample.includes('\n') && sample.includes('\r') ? '\r' : '\n')

/** The delimiter that cuts the first records into most columns most evenly, quotes respected; undefined when none cuts the header. */
export const findDelimiter = (sample: string, newline: '\n' | '\r'): Delimiter | undefined => {
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: score(widths(sample, delimiter, newline)) }))
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a))
  return best.score > 0 ? best.delimiter : undefined
}
