import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import type { EXPORT_FORMATS } from '@instep/contract/exports.ts'
import { CSV_MARK, csvLine } from '../../platform/http/csv.ts'
import type { XlsxTask } from './xlsx-worker.ts'

/** Takes rows as they are read and makes a file of them. */
export interface FileWriter {
  add(rows: readonly string[][]): Promise<void>
  /** Completes the file. */
  end(): Promise<void>
  /** Gives the file up. */
  abort(): Promise<void>
}

/** Most people in one workbook: it is built in memory. */
export const MOST_IN_WORKBOOK = 20_000
const WORKER_MEGABYTES = 1024

const csvWriter = (path: string): FileWriter => {
  const file = createWriteStream(path)
  const opened = once(file, 'open')
  // whoever writes or ends next hears of a full disk; nobody hearing it would end the process
  file.on('error', () => undefined)
  let begun = false
  return {
    add: async (rows) => {
      await opened
      const text = rows.map(csvLine).join('')
      const more = file.write(begun ? text : CSV_MARK + text)
      begun = true
      if (!more) await once(file, 'drain')
    },
    end: async () => {
      file.end()
      await finished(file)
    },
    abort: async () => {
      file.destroy()
    },
  }
}

const xlsxWriter = (path: string): FileWriter => {
  const workerData: XlsxTask = { path }
  const worker = new Worker(new URL('./xlsx-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES },
  })
  const done = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the workbook was not finished (${code})`)))
  })
  // whoever ends the file hears of it; until then it is nobody's business
  done.catch(() => undefined)
  return {
    add: async (rows) => worker.postMessage(rows),
    end: async () => {
      worker.postMessage(null)
      await done
    },
    abort: async () => {
      await worker.terminate()
    },
  }
}

const WRITERS: Record<(typeof EXPORT_FORMATS)[number], (path: string) => FileWriter> = { csv: csvWriter, xlsx: xlsxWriter }

/** A writer for a format. */
export const openWriter = (format: (typeof EXPORT_FORMATS)[number], path: string): FileWriter => WRITERS[format](path)
