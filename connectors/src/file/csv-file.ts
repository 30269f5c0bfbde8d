import { ConnectorError } from '../kit/problem.ts'
import type { SourceRow } from '../kit/source.ts'
import { type CsvDialect, createCsvParser } from './csv-parser.ts'
import { type Delimiter, findDelimiter, findNewline } from './find-delimiter.ts'
import { checkHeader, fitRow, type Header } from './fit-rows.ts'
import { checkText, notTabular } from './sniff-format.ts'
import { decodeFile, type Encoding, findEncoding } from './text-encoding.ts'

const SAMPLE = 64 * 1024
const BATCH_ROWS = 1000

/** What has to be known to read a CSV file from its start. */
export interface CsvLayout {
  readonly path: string
  readonly encoding: Encoding
  readonly dialect: CsvDialect & { readonly delimiter: Delimiter }
  readonly header: Header
  /** A first line `sep=;`, which Excel writes and reads, is no record of its own. */
  readonly skip: number
}

/** The first pieces of the file's text, at least 64 Ki characters where there are as many. */
const sampleOf = async (path: string, encoding: Encoding): Promise<{ sample: string; whole: boolean }> => {
  let sample = ''
  for await (const text of decodeFile(path, encoding)) {
    sample += text
    if (sample.length >= SAMPLE) return { sample: sample.slice(0, SAMPLE), whole: false }
  }
  return { sample, whole: true }
}

const SEPARATOR_LINE = /^sep=([,;\t|])\r?\n/i

/** Without the last line, which the sample may have cut; the whole sample when there is no other. */
const completeLines = (sample: string, newline: string): string => {
  const end = sample.lastIndexOf(newline)
  return end > 0 ? sample.slice(0, end) : sample
}

async function* records(
  path: string,
  encoding: Encoding,
  options: { dialect: CsvDialect; skip: number; signal?: AbortSignal | undefined },
) {
  const parser = createCsvParser(options.dialect)
  let skip = options.skip
  for await (const text of decodeFile(path, encoding, options.signal)) {
    yield parser.push(skip > 0 ? text.slice(skip) : text)
    skip = 0
  }
  yield parser.end().map((row) => ({ ...row, ending: 'unended' as const }))
}

const firstRecord = async (layout: Omit<CsvLayout, 'header'>): Promise<SourceRow> => {
  for await (const rows of records(layout.path, layout.encoding, layout)) if (rows[0]) return rows[0]
  throw new ConnectorError({ code: 'FILE_EMPTY' })
}

/** Finds encoding, delimiter and header of a CSV file. Throws the codes of a file that cannot be read. */
export const openCsv = async (
  path: string,
  head: Buffer,
  chosen: { encoding?: Encoding | undefined; delimiter?: Delimiter | undefined; cellLimit: number },
): Promise<CsvLayout> => {
  const encoding = await findEncoding(path, head, chosen.encoding)
  const { sample, whole } = await sampleOf(path, encoding)
  if (whole && sample.trim() === '') throw new ConnectorError({ code: 'FILE_EMPTY' })
  checkText(sample)
  const separator = SEPARATOR_LINE.exec(sample)
  const skip = separator?.[0].length ?? 0
  const newline = findNewline(sample)
  const lines = whole ? sample.slice(skip) : completeLines(sample.slice(skip), newline)
  const named = separator?.[1] as Delimiter | undefined
  const delimiter = chosen.delimiter ?? named ?? findDelimiter(lines, newline)
  const dialect = { delimiter: delimiter ?? ',', newline, cellLimit: chosen.cellLimit, rowsBefore: separator ? 1 : 0 }
  const first = await firstRecord({ path, encoding, dialect, skip })
  if (delimiter === undefined) throw notTabular('singleColumn')
  return { path, encoding, dialect, skip, header: checkHeader(first.cells) }
}

/** The rows below the header in batches, the file read from its start at each call. */
export async function* readCsv(layout: CsvLayout, signal?: AbortSignal): AsyncGenerator<SourceRow[]> {
  let before = true
  for await (const rows of records(layout.path, layout.encoding, { ...layout, signal })) {
    const data = before && rows.length > 0 ? rows.slice(1) : rows
    before &&= rows.length === 0
    for (let start = 0; start < data.length; start += BATCH_ROWS) {
      yield data.slice(start, start + BATCH_ROWS).map((row) => fitRow(row, layout.header))
    }
  }
}
