import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { EXPORT_FORMATS } from '@instep/contract/exports.ts'
import { CSV_MARK, csvLine } from '../../platform/http/csv.ts'
import { MOST_ROWS, SHEET, SHEET_BEGIN, SHEET_END, sheetRow, WORKBOOK_PARTS } from './workbook.rules.ts'
import { openZip, type ZipEntry } from './zip-writer.ts'

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
  const file = createWriteStream(path)
  const opened = once(file, 'open')
  // whoever writes or ends next hears of a full disk; nobody hearing it would end the process
  file.on('error', () => undefined)
  opened.catch(() => undefined)
  const zip = openZip(file)
  let sheet: ZipEntry | undefined
  let row = 0
  const begin = async (): Promise<ZipEntry> => {
    await opened
    for (const [name, content] of Object.entries(WORKBOOK_PARTS)) await zip.add(name, content)
    const entry = await zip.open(SHEET)
    await entry.write(SHEET_BEGIN)
    return entry
  }
  return {
    add: async (rows) => {
      sheet ??= await begin()
      await sheet.write(rows.map((cells) => sheetRow(cells, ++row)).join(''))
    },
    end: async () => {
      sheet ??= await begin()
      await sheet.write(SHEET_END)
      await sheet.end()
      await zip.end()
      await finished(file)
    },
    abort: async () => {
      sheet?.abort()
      file.destroy()
    },
  }
}

const WRITERS: Record<(typeof EXPORT_FORMATS)[number], (path: string) => FileWriter> = { csv: csvWriter, xlsx: xlsxWriter }

/** A writer for a format. */
export const openWriter = (format: (typeof EXPORT_FORMATS)[number], path: string): FileWriter => WRITERS[format](path)
