import { Worker } from 'node:worker_threads'
import { ConnectorError } from '../kit/problem.ts'
import type { SourceRow } from '../kit/source.ts'
import type { XlsxMessage, XlsxTask } from './xlsx-worker.ts'

const HEAP_MB = 1024
const TIME_LIMIT_MS = 120_000

const problemOfExit = (error: NodeJS.ErrnoException, task: XlsxTask): ConnectorError =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new ConnectorError({ code: 'FILE_XLSX_TOO_LARGE', params: { rows: task.rows, megabytes: Math.round(task.bytes / 1_000_000) } })
    : new ConnectorError({ code: 'FILE_XLSX_BROKEN', detail: error.message, cause: error })

/** Collects what the worker posts; settles once, whatever comes first. */
const collect = (worker: Worker, task: XlsxTask): Promise<SourceRow[]> =>
  new Promise((resolve, reject) => {
    const rows: SourceRow[] = []
    worker.on('message', (message: XlsxMessage) => {
      if (message.kind === 'rows') for (const row of message.rows) rows.push(row)
      else if (message.kind === 'done') resolve(rows)
      else reject(new ConnectorError(addLimits(message.problem, task)))
    })
    worker.on('error', (error) => reject(problemOfExit(error as NodeJS.ErrnoException, task)))
    worker.on('exit', () => reject(new ConnectorError({ code: 'FILE_XLSX_BROKEN', detail: 'the reader ended without an answer' })))
  })

/** Whichever limit was passed, the sentence names both. */
const addLimits = (problem: Extract<XlsxMessage, { kind: 'problem' }>['problem'], task: XlsxTask) =>
  problem.code === 'FILE_XLSX_TOO_LARGE'
    ? { ...problem, params: { rows: task.rows, megabytes: Math.round(task.bytes / 1_000_000) } }
    : problem

/**
 * All rows of a workbook's first sheet that a person sees that are not blank, the header included, read in a thread with its own heap limit. A cell that
 * holds an error is its text (`#N/A`).
 * Throws FILE_XLSX_TOO_LARGE, FILE_XLSX_BROKEN, FILE_CELL_TOO_LARGE, FILE_NOT_TABULAR.
 */
export const readXlsx = async (task: XlsxTask): Promise<SourceRow[]> => {
  const worker = new Worker(new URL('./xlsx-worker.ts', import.meta.url), {
    workerData: task,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const timer = setTimeout(() => void worker.terminate(), TIME_LIMIT_MS)
  try {
    return await collect(worker, task)
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
