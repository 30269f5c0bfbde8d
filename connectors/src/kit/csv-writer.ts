import { open } from 'node:fs/promises'
import { ConnectorError } from './problem.ts'

const NEEDS_QUOTES = /[",;|\t\r\n]/
const PIECE = 64 * 1024

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
/** Cells are data: what looks like a formula stays as it is. What holds any delimiter is quoted, so that the comma alone cuts the lines. */
const cellText = (cell: string): string => (NEEDS_QUOTES.test(cell) ? quoted(cell) : cell)

/** A file that takes text in pieces, at most `limit` bytes of it. Readable by this account only: it holds people's data. */
export interface TextWriter {
  /** Throws FILE_TOO_LARGE. */
  write(text: string): Promise<void>
  close(): Promise<void>
}

/** 1,073,741,824 → "1 GB"; for sentences. */
export const sizeText = (bytes: number): string => {
  const [unit, size] = bytes >= 2 ** 30 ? ['GB', 2 ** 30] : bytes >= 2 ** 20 ? ['MB', 2 ** 20] : bytes >= 1024 ? ['KB', 1024] : ['bytes', 1]
  return `${Math.round((bytes / Number(size)) * 10) / 10} ${unit}`
}

export const tooLarge = (limit: number): ConnectorError =>
  new ConnectorError({ code: 'FILE_TOO_LARGE', params: { limit: sizeText(limit) } })

/** Opens a file for writing; what it held is gone. A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD. */
export const createTextWriter = async (path: string, limit: number): Promise<TextWriter> => {
  const file = await open(path, 'w', 0o600)
  let pending = ''
  let written = 0
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(pending, 'utf8')
    pending = ''
    written += bytes.length
    if (written > limit) throw tooLarge(limit)
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
  }
  return {
    write: async (text) => {
      pending += text
      if (pending.length >= PIECE) await flush()
    },
    close: async () => {
      try {
        await flush()
      } finally {
        await file.close()
      }
    },
  }
}

/** The header of a CSV file (RFC 4180, line feeds). Always quoted, so that no name can make the file look like anything else. */
export const csvHeader = (columns: readonly string[]): string => `${columns.map(quoted).join(',')}\n`

/** A row of a CSV file. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(cellText).join(',')}\n`
