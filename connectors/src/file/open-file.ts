import { open, stat } from 'node:fs/promises'
import { ConnectorError } from '../kit/problem.ts'
import type { RecordSource, SourceRow } from '../kit/source.ts'
import { type CsvLayout, openCsv, readCsv } from './csv-file.ts'
import type { Delimiter } from './find-delimiter.ts'
import { checkHeader, fitRow, type Header } from './fit-rows.ts'
import { readXlsx } from './read-xlsx.ts'
import { sniffFormat } from './sniff-format.ts'
import type { Encoding } from './text-encoding.ts'

export interface FileLimits {
  /** Longest cell in characters. */
  readonly cell: number
  /** Rows of data in an XLSX file. */
  readonly xlsxRows: number
  /** Unpacked size of an XLSX file in bytes. */
  readonly xlsxBytes: number
}

export const FILE_LIMITS: FileLimits = { cell: 1_048_576, xlsxRows: 100_000, xlsxBytes: 50_000_000 }

export interface FileInput {
  readonly path: string
  /** The name it was uploaded under; a binary file that calls itself a workbook is reported as a broken one. */
  readonly name?: string | undefined
  /** Reads it in this encoding instead of the one found. */
  readonly encoding?: Encoding | undefined
  /** Cuts it by this delimiter instead of the one found. */
  readonly delimiter?: Delimiter | undefined
  readonly limits?: Partial<FileLimits> | undefined
}

/** A table in a file; encoding and delimiter are null for XLSX. */
export interface TabularFile extends RecordSource {
  readonly format: 'csv' | 'xlsx'
  readonly encoding: Encoding | null
  readonly delimiter: Delimiter | null
}

const HEAD = 64 * 1024
const BATCH_ROWS = 1000

const readHead = async (path: string): Promise<Buffer> => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function* batches(rows: readonly SourceRow[], header: Header, signal?: AbortSignal): AsyncGenerator<SourceRow[]> {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    signal?.throwIfAborted()
    yield rows.slice(start, start + BATCH_ROWS).map((row) => fitRow(row, header))
  }
}

const openXlsx = async (path: string, limits: FileLimits): Promise<TabularFile> => {
  // Packed data that is larger than the unpacked limit need not be read to be refused.
  if ((await stat(path)).size > limits.xlsxBytes) {
    throw new ConnectorError({
      code: 'FILE_XLSX_TOO_LARGE',
      params: { rows: limits.xlsxRows, megabytes: Math.round(limits.xlsxBytes / 1_000_000) },
    })
  }
  const [first, ...rows] = await readXlsx({ path, rows: limits.xlsxRows, bytes: limits.xlsxBytes, cell: limits.cell })
  if (!first) throw new ConnectorError({ code: 'FILE_EMPTY' })
  const header = checkHeader(first.cells)
  return { format: 'xlsx', encoding: null, delimiter: null, header: header.names, rows: (signal) => batches(rows, header, signal) }
}

const openText = async (input: FileInput, head: Buffer, limits: FileLimits): Promise<CsvLayout> => {
  try {
    return await openCsv(input.path, head, { encoding: input.encoding, delimiter: input.delimiter, cellLimit: limits.cell })
  } catch (error) {
    const binary = error instanceof ConnectorError && error.params.looksLike === 'binary'
    throw binary && /\.xlsx$/i.test(input.name ?? '') ? new ConnectorError({ code: 'FILE_XLSX_BROKEN', cause: error }) : error
  }
}

/**
 * Opens a CSV or XLSX file: finds its format by its bytes (not by its name), its encoding, delimiter and header, and checks them. The first row that
 * is not blank is the header. A CSV file is then read as a stream, from its start at each call of `rows`; the rows of an XLSX file are held in memory.
 * Throws ConnectorError with the FILE_ codes, here or from `rows`; a file with a header alone is a file with no rows.
 */
export const openFile = async (input: FileInput): Promise<TabularFile> => {
  const limits = { ...FILE_LIMITS, ...input.limits }
  const head = await readHead(input.path)
  if (head.length === 0) throw new ConnectorError({ code: 'FILE_EMPTY' })
  if (sniffFormat(head) === 'zip') return openXlsx(input.path, limits)
  const layout = await openText(input, head, limits)
  return {
    format: 'csv',
    encoding: layout.encoding,
    delimiter: layout.dialect.delimiter,
    header: layout.header.names,
    rows: (signal) => readCsv(layout, signal),
  }
}
