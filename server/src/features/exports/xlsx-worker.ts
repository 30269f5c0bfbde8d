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

const write = async (): Promise<void> => {
  const sheet = rows.map((row, index) => row.map((value) => ({ value, type: String, ...(index === 0 && { fontWeight: 'bold' as const }) })))
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
