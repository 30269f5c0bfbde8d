import { createReadStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { createTextWriter, csvHeader, csvRow, type TextWriter } from './csv-writer.ts'
import { ConnectorError } from './problem.ts'

/** More columns than any HR system has: what stands in the names then are keys of data. */
const MOST_COLUMNS = 1000
/** What the reader of the file takes as a column's name. */
const LONGEST_COLUMN = 300
const BATCH = 500

export type SpooledRow = string[]

export interface RecordSpool {
  /** Keeps one record. Columns that were not there before are added behind the others. Throws SOURCE_COLUMNS_TOO_MANY, FILE_TOO_LARGE. */
  add(record: ReadonlyMap<string, string>): Promise<void>
  readonly count: number
  readonly columns: readonly string[]
  /** Writes the file of all records, whole or not at all; `complete` may change the rows of a batch (as wide as the columns) on their way. */
  finish(complete?: (rows: SpooledRow[]) => Promise<void>): Promise<void>
  /** Removes what is half done. */
  discard(): Promise<void>
}

/** Lines end in a line feed and in nothing else: JSON leaves U+2028 as it is, which `readline` would cut at. */
async function* lines(path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    const parts = (rest + decoder.write(chunk)).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
}

const columnsRefused = (limit: number): ConnectorError => new ConnectorError({ code: 'SOURCE_COLUMNS_TOO_MANY', params: { limit } })

const readRow = (line: string, width: number): SpooledRow => {
  const row: SpooledRow = new Array<string>(width).fill('')
  const cells: unknown = JSON.parse(line)
  if (Array.isArray(cells)) for (let at = 0; at < cells.length; at += 2) row[Number(cells[at])] = String(cells[at + 1])
  return row
}

/**
 * Records on their way into a CSV file whose columns are known only when the last record was seen: they are kept on disk and written in one more pass,
 * so that memory does not grow with their number. `known` columns come first.
 */
export const createRecordSpool = async (path: string, limit: number, known: readonly string[] = []): Promise<RecordSpool> => {
  const spoolPath = `${path}.spool`
  const partPath = `${path}.part`
  const places = new Map<string, number>(known.map((name, index) => [name, index]))
  const spool = await createTextWriter(spoolPath, limit)
  let open: TextWriter | undefined = spool
  let count = 0

  const place = (name: string): number => {
    const found = places.get(name)
    if (found !== undefined) return found
    if (places.size >= MOST_COLUMNS || name.length > LONGEST_COLUMN) throw columnsRefused(MOST_COLUMNS)
    places.set(name, places.size)
    return places.size - 1
  }

  const writeAll = async (complete: ((rows: SpooledRow[]) => Promise<void>) | undefined): Promise<void> => {
    const columns = [...places.keys()]
    const writer = await createTextWriter(partPath, limit)
    open = writer
    await writer.write(csvHeader(columns))
    let batch: SpooledRow[] = []
    const flush = async () => {
      await complete?.(batch)
      for (const row of batch) await writer.write(csvRow(row))
      batch = []
    }
    for await (const line of lines(spoolPath)) {
      batch.push(readRow(line, columns.length))
      if (batch.length >= BATCH) await flush()
    }
    await flush()
    open = undefined
    await writer.close()
  }

  return {
    get count() {
      return count
    },
    get columns() {
      return [...places.keys()]
    },
    add: async (record) => {
      const cells: (number | string)[] = []
      for (const [name, value] of record) {
        const at = place(name)
        if (value !== '') cells.push(at, value)
      }
      count += 1
      await spool.write(`${JSON.stringify(cells)}\n`)
    },
    finish: async (complete) => {
      open = undefined
      await spool.close()
      await writeAll(complete)
      await rm(spoolPath, { force: true })
      await rename(partPath, path)
    },
    discard: async () => {
      await open?.close().catch(() => undefined)
      await rm(spoolPath, { force: true })
      await rm(partPath, { force: true })
    },
  }
}
