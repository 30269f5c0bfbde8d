/** The thread that unpacks and reads a workbook, apart from the server because its memory can only be limited here. */
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { readSheet } from 'read-excel-file/universal'
import { ConnectorError, type ConnectorProblem } from '../kit/problem.ts'
import type { SourceRow } from '../kit/source.ts'
import { findFirstSheet } from './first-sheet.ts'
import { inspectZip } from './inspect-zip.ts'
import { cellText, numberText } from './xlsx-cells.ts'

export interface XlsxTask {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly cell: number
}

/** Rows in batches, then `done`; or what is wrong with the file. */
export type XlsxMessage =
  | { readonly kind: 'rows'; readonly rows: SourceRow[] }
  | { readonly kind: 'done' }
  | { readonly kind: 'problem'; readonly problem: ConnectorProblem }

const BATCH = 5000

const checkCells = (cells: readonly string[], row: number, limit: number): void => {
  const column = cells.findIndex((cell) => cell.length > limit)
  if (column !== -1) throw new ConnectorError({ code: 'FILE_CELL_TOO_LARGE', params: { row, column: column + 1, limit } })
}

const readRows = async (task: XlsxTask): Promise<SourceRow[]> => {
  const zip = await readFile(task.path)
  const { number, errors } = findFirstSheet(inspectZip(zip, task.bytes))
  const sheet = await readSheet<string>(new Blob([zip]), number, { parseNumber: numberText, trim: false })
  const errorsOf = Map.groupBy(errors, ({ row }) => row)
  const rows: SourceRow[] = []
  for (const [index, values] of sheet.entries()) {
    const cells = values.map(cellText)
    for (const { column, text } of errorsOf.get(index + 1) ?? []) if (column <= cells.length) cells[column - 1] = text
    if (!cells.some((cell) => cell.trim() !== '')) continue
    checkCells(cells, index + 1, task.cell)
    rows.push({ number: index + 1, cells })
    if (rows.length > task.rows + 1) throw new ConnectorError({ code: 'FILE_XLSX_TOO_LARGE', params: { rows: task.rows } })
  }
  return rows
}

const problemOf = (error: unknown): ConnectorProblem => {
  if (error instanceof ConnectorError) return { code: error.code, params: error.params, detail: error.detail }
  return { code: 'FILE_XLSX_BROKEN', detail: error instanceof Error ? error.message : String(error) }
}

const post = (message: XlsxMessage): void => parentPort?.postMessage(message)

try {
  const rows = await readRows(workerData as XlsxTask)
  for (let start = 0; start < rows.length; start += BATCH) post({ kind: 'rows', rows: rows.slice(start, start + BATCH) })
  post({ kind: 'done' })
} catch (error) {
  post({ kind: 'problem', problem: problemOf(error) })
}
