/** The thread that builds a workbook, apart from the server because it takes its time and its memory can only be limited here. */
import { writeFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import writeExcelFile from 'write-excel-file/node'

/** Where the workbook goes. Rows come as messages; null ends them. */
export interface XlsxTask {
  readonly path: string
}

const { path } = workerData as XlsxTask
const rows: string[][] = []

/** A spreadsheet reads `_x0041_` as A (ECMA-376 part 1, ST_Xstring); an escaped underscore lets it stand. */
const literal = (text: string): string => text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')

const write = async (): Promise<void> => {
  const sheet = rows.map((row, index) =>
    row.map((value) => ({ value: literal(value), type: String, ...(index === 0 && { fontWeight: 'bold' as const }) })),
  )
  await writeFile(path, await writeExcelFile(sheet, { stickyRowsCount: 1 }).toBuffer())
}

parentPort?.on('message', async (batch: string[][] | null) => {
  if (batch) {
    rows.push(...batch)
    return
  }
  await write()
  parentPort?.postMessage('done')
  parentPort?.close()
})
