import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { PassThrough } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { EXPORT_FORMATS } from '@instep/contract/exports.ts'
import { ZipFile } from 'yazl'
import { CSV_MARK, csvLine } from '../../platform/http/csv.ts'
import { MOST_ROWS, SHEET, SHEET_BEGIN, SHEET_END, sheetRow, WORKBOOK_PARTS } from './workbook.rules.ts'

/** Takes rows as they are read and makes a file of them. */
export interface FileWriter {
  add(rows: readonly string[][]): Promise<void>
  /** Completes the file. */
  end(): Promise<void>
  /** Gives the file up. */
  abort(): Promise<void>
}

/** Most people in one workbook: a row is its head. */
export const MOST_IN_WORKBOOK = MOST_ROWS - 1

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
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(WORKBOOK_PARTS)) zip.addBuffer(Buffer.from(content), name)
  const sheet = new PassThrough()
  zip.addReadStream(sheet, SHEET)
  zip.end()
  const givenUp = new AbortController()
  const complete = pipeline(zip.outputStream, createWriteStream(path), { signal: givenUp.signal })
  // whoever writes or ends next hears of a full disk; nobody hearing it would end the process
  complete.catch(() => undefined)
  let row = 0
  sheet.write(SHEET_BEGIN)
  return {
    add: async (rows) => {
      const text = rows.map((cells) => sheetRow(cells, ++row)).join('')
      if (!sheet.write(text)) await Promise.race([once(sheet, 'drain'), complete])
    },
    end: async () => {
      sheet.end(SHEET_END)
      await complete
    },
    abort: async () => {
      givenUp.abort()
      sheet.destroy()
      await complete.catch(() => undefined)
    },
  }
}

const WRITERS: Record<(typeof EXPORT_FORMATS)[number], (path: string) => FileWriter> = { csv: csvWriter, xlsx: xlsxWriter }

/** A writer for a format. */
export const openWriter = (format: (typeof EXPORT_FORMATS)[number], path: string): FileWriter => WRITERS[format](path)
