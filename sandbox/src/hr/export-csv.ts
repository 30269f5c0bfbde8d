/** The employee export as CSV: RFC 4180, lines end with CR LF. */
import { byteOrderMark, type Encoding, encodeText } from './encode-text.ts'
import type { ExportTable } from './export-table.ts'

export const DELIMITERS = { comma: ',', semicolon: ';' } as const
export type Delimiter = keyof typeof DELIMITERS

export const isDelimiter = (value: unknown): value is Delimiter => typeof value === 'string' && Object.hasOwn(DELIMITERS, value)

const ROWS_PER_CHUNK = 500

const quote = (text: string, delimiter: string): string =>
  text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** The file in pieces, so that a large company's export does not stand in memory. */
export function* exportCsv(table: ExportTable, form: { encoding: Encoding; delimiter: Delimiter }): Generator<Buffer> {
  const delimiter = DELIMITERS[form.delimiter]
  const line = (texts: readonly string[]) => `${texts.map((text) => quote(text, delimiter)).join(delimiter)}\r\n`
  yield byteOrderMark(form.encoding)
  let waiting = line(table.headers)
  let count = 0
  for (const row of table.rows()) {
    waiting += line(row.map((cell) => cell.text))
    count += 1
    if (count % ROWS_PER_CHUNK > 0) continue
    yield encodeText(waiting, form.encoding)
    waiting = ''
  }
  yield encodeText(waiting, form.encoding)
}
