import { ConnectorError } from '../kit/problem.ts'
import type { SourceRow } from '../kit/source.ts'

export interface CsvDialect {
  readonly delimiter: string
  /** What ends a record; with `\n` a `\r` in front of it goes too. */
  readonly newline: '\n' | '\r'
  /** Longest cell in characters; the cells of one record together may be four times as long. */
  readonly cellLimit: number
  /** Rows that stand in front of the text and are not part of it. Default 0. */
  readonly rowsBefore?: number
}

export interface CsvParser {
  /** The records completed by this piece of text, blank ones left out but counted. Throws FILE_CELL_TOO_LARGE. */
  push(text: string): SourceRow[]
  /** The last record, when the text does not end in a line break (or in the end mark of old systems). Throws FILE_QUOTE_OPEN. */
  end(): SourceRow[]
}

const QUOTE = 34
const CARRIAGE_RETURN = 13
const RECORD_LIMIT_FACTOR = 4
/** What programs of old systems write behind the last record. */
const END_MARK = 26

const withoutEndMark = (text: string): string => {
  let end = text.length
  while (text.charCodeAt(end - 1) === END_MARK) end -= 1
  return text.slice(0, end)
}

const isBlank = (cells: readonly string[]): boolean => {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false
  return true
}

/** A position in the text that is searched again only when the reader has passed it, so that a missing character is not looked for in every record. */
const finder = (text: string, wanted: string) => {
  let found = -1
  return (from: number): number => {
    if (found < from) {
      const index = text.indexOf(wanted, from)
      found = index === -1 ? Number.POSITIVE_INFINITY : index
    }
    return found
  }
}

interface Scan {
  readonly text: string
  readonly last: boolean
  readonly delimiterFrom: (from: number) => number
  readonly newlineFrom: (from: number) => number
  readonly newline: string
}

interface Scanned {
  readonly cells: string[]
  readonly end: number
  /** The text ended inside quotes. */
  readonly open: boolean
}

/** The index of the quote that closes the cell opened at `start`, or -1; `certain` is false when the next piece may show it to be an escaped one. */
const closingQuote = (scan: Scan, start: number): { at: number; escaped: boolean; certain: boolean } => {
  let escaped = false
  let at = scan.text.indexOf('"', start + 1)
  while (at !== -1) {
    if (at + 1 >= scan.text.length) return { at, escaped, certain: scan.last }
    if (scan.text.charCodeAt(at + 1) !== QUOTE) return { at, escaped, certain: true }
    escaped = true
    at = scan.text.indexOf('"', at + 2)
  }
  return { at: -1, escaped, certain: false }
}

/** Reads one record cell by cell, for records with quotes and for the end of the text; undefined when the record is not complete yet. */
const scanRecord = (scan: Scan, start: number): Scanned | undefined => {
  const { text, last } = scan
  const cells: string[] = []
  let at = start
  for (;;) {
    let cell = ''
    if (text.charCodeAt(at) === QUOTE) {
      const close = closingQuote(scan, at)
      if (close.at === -1 || !close.certain) {
        if (!last) return undefined
        if (close.at === -1) return { cells: [...cells, text.slice(at + 1)], end: text.length, open: true }
      }
      cell = text.slice(at + 1, close.at)
      if (close.escaped) cell = cell.replaceAll('""', '"')
      at = close.at + 1
    }
    const delimiter = scan.delimiterFrom(at)
    const newline = scan.newlineFrom(at)
    if (delimiter < newline) {
      cells.push(cell + text.slice(at, delimiter))
      at = delimiter + 1
      continue
    }
    if (newline === Number.POSITIVE_INFINITY && !last) return undefined
    const end = Math.min(newline, text.length)
    const stripped = scan.newline === '\n' && end > at && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end
    cells.push(cell + text.slice(at, stripped))
    return { cells, end: Math.min(end + 1, text.length), open: false }
  }
}

/** Refuses a record with a cell over the limit, or with cells that are together four times as long; an empty one takes room as well. */
const checkSize = (cells: readonly string[], row: number, limit: number): void => {
  let column = 0
  let total = 0
  cells.forEach((cell, index) => {
    total += cell.length + 1
    if (cell.length > (cells[column]?.length ?? 0)) column = index
  })
  if ((cells[column]?.length ?? 0) <= limit && total <= limit * RECORD_LIMIT_FACTOR) return
  throw new ConnectorError({ code: 'FILE_CELL_TOO_LARGE', params: { row, column: column + 1, limit } })
}

/**
 * A push parser for RFC 4180 text: quotes with line breaks and `""`. More lenient where programs are sloppy: a quote inside an unquoted cell is an
 * ordinary character, and what follows a closing quote belongs to the cell. Lines without a quote are cut by `split`, which is what makes it quick.
 */
export const createCsvParser = ({ delimiter, newline, cellLimit, rowsBefore = 0 }: CsvDialect): CsvParser => {
  let rest = ''
  let count = rowsBefore
  /** How long the unfinished record was when it was measured last. */
  let measured = 0

  const take = (rows: SourceRow[], cells: string[], length: number): void => {
    count += 1
    if (length > cellLimit) checkSize(cells, count, cellLimit)
    if (!isBlank(cells)) rows.push({ number: count, cells })
  }

  const read = (text: string, last: boolean): SourceRow[] => {
    const rows: SourceRow[] = []
    const newlineFrom = finder(text, newline)
    const quoteFrom = finder(text, '"')
    const scan: Scan = { text, last, newline, newlineFrom, delimiterFrom: finder(text, delimiter) }
    let at = 0
    while (at < text.length) {
      const end = newlineFrom(at)
      if (end < quoteFrom(at)) {
        const stripped = newline === '\n' && end > at && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end
        take(rows, text.slice(at, stripped).split(delimiter), stripped - at)
        at = end + 1
        continue
      }
      // neither an end nor a quote: it goes on in the next piece, and need not be looked at cell by cell
      if (!last && end === Number.POSITIVE_INFINITY && quoteFrom(at) === end) break
      const record = scanRecord(scan, at)
      if (!record) break
      if (record.open) throw new ConnectorError({ code: 'FILE_QUOTE_OPEN', params: { row: count + 1 } })
      take(rows, record.cells, record.end - at)
      at = record.end
    }
    rest = text.slice(at)
    return rows
  }

  /** An unfinished record is held in memory, so it is measured before much more is read: not each time, because all of it is looked at. */
  const checkRest = (): void => {
    if (rest.length < measured) measured = 0
    if (rest.length - measured <= cellLimit) return
    measured = rest.length
    const scan: Scan = { text: rest, last: true, newline, newlineFrom: finder(rest, newline), delimiterFrom: finder(rest, delimiter) }
    checkSize(scanRecord(scan, 0)?.cells ?? [], count + 1, cellLimit)
  }

  return {
    push: (text) => {
      const rows = read(rest + text, false)
      checkRest()
      return rows
    },
    end: () => read(withoutEndMark(rest), true),
  }
}
