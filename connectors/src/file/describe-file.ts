import { possibleFormats } from '@instep/contract/dates.ts'
import type { Column } from '@instep/contract/sync.ts'
import type { Delimiter } from './find-delimiter.ts'
import { type FileInput, openFile } from './open-file.ts'
import type { Encoding } from './text-encoding.ts'

/** What the first rows of a file tell. */
export interface FileDescription {
  readonly format: 'csv' | 'xlsx'
  readonly encoding: Encoding | null
  readonly delimiter: Delimiter | null
  readonly columns: Column[]
  readonly sampleRows: string[][]
}

const LOOKED_AT = 1000
const SHOWN_ROWS = 20
const SAMPLES = 10
/** A cell may be a megabyte long; a screen shows its beginning. */
const SHOWN_LENGTH = 200

const shown = (cell: string): string => (cell.length > SHOWN_LENGTH ? `${cell.slice(0, SHOWN_LENGTH).toWellFormed()}…` : cell)

const describeColumn = (name: string, values: readonly string[]): Column => {
  const filled = values.filter((value) => value.trim() !== '')
  return {
    name,
    samples: filled.slice(0, SAMPLES).map(shown),
    filled: values.length === 0 ? 0 : filled.length / values.length,
    dateFormats: possibleFormats(filled),
  }
}

/**
 * Reads the first 1,000 rows of a file and describes its columns: up to ten filled values each, in the order of the file, the share of filled cells,
 * and the date formats that the values allow. Throws as `openFile` and its rows do.
 */
export const describeFile = async (input: FileInput): Promise<FileDescription> => {
  const file = await openFile(input)
  const rows: string[][] = []
  for await (const batch of file.rows()) {
    for (const row of batch.slice(0, LOOKED_AT - rows.length)) rows.push([...row.cells])
    if (rows.length >= LOOKED_AT) break
  }
  return {
    format: file.format,
    encoding: file.encoding,
    delimiter: file.delimiter,
    columns: file.header.map((name, index) =>
      describeColumn(
        name,
        rows.map((row) => row[index] ?? ''),
      ),
    ),
    sampleRows: rows.slice(0, SHOWN_ROWS).map((row) => row.map(shown)),
  }
}
