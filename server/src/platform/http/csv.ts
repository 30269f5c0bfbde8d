/** A CSV cell (RFC 4180). What a spreadsheet would take for a formula is defused by an apostrophe in front. */
export const csvCell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of CSV with its end. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Tells Excel that what follows is UTF-8. */
export const CSV_MARK = '\ufeff'
