import { Writable } from 'node:stream'
import pg from 'pg'
import { from } from 'pg-copy-streams'

/** Bytes (nearly) that are gathered before they are sent. */
const chunkSize = 65_536

const special = /[\\\n\r\t]/
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escapeText = (text: string): string =>
  special.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? character) : text

const checked = (text: string): string => {
  if (text.includes('\0')) throw new Error('holds U+0000, which PostgreSQL cannot store')
  if (!text.isWellFormed()) throw new Error('holds half of a surrogate pair, which is no character')
  return text
}

const arrayItem = (item: unknown): string => {
  if (item === null || item === undefined) return 'NULL'
  if (Array.isArray(item)) return arrayText(item)
  return `"${plainText(item).replace(/["\\]/g, '\\$&')}"`
}

const arrayText = (items: readonly unknown[]): string => `{${items.map(arrayItem).join(',')}}`

const plainText = (value: unknown): string => {
  if (typeof value === 'string') return checked(value)
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (Array.isArray(value)) return arrayText(value)
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

const encodeValue = (value: unknown): string => {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return escapeText(plainText(value))
}

/**
 * Writes one row in PostgreSQL's text format of COPY, with its line end. null and undefined are null; an array is a PostgreSQL array; any other
 * object is JSON (give a JSON array as text).
 * @param at what to call the row in an error, counted from 1
 * @throws Error naming row and column when a value holds U+0000 or half a surrogate pair
 */
export const encodeRow = (row: readonly unknown[], columns: readonly string[], at: number): string => {
  if (row.length !== columns.length) throw new Error(`Row ${at} has ${row.length} values for ${columns.length} columns`)
  let line = ''
  for (let index = 0; index < row.length; index++) {
    try {
      line += (index === 0 ? '' : '\t') + encodeValue(row[index])
    } catch (error) {
      throw new Error(`Row ${at}, column ${columns[index]}: ${(error as Error).message}`)
    }
  }
  return `${line}\n`
}

const identifier = (name: string): string => name.split('.').map(pg.escapeIdentifier).join('.')

/**
 * Opens a COPY into a table. Write rows as arrays in the order of the columns, with back-pressure as for any stream; `finish` comes when all rows
 * are in the table, as part of the client's transaction. An error, ours or the database's, or `destroy()` cancels the COPY and leaves nothing;
 * the client can be used again when the stream has closed (its transaction must be rolled back).
 * @param client a connection with no other query running
 * @param table its name, optionally with its schema before a dot
 */
export const copyInto = (client: pg.ClientBase, table: string, columns: readonly string[]): Writable => {
  const copy = client.query(from(`copy ${identifier(table)} (${columns.map(pg.escapeIdentifier).join(', ')}) from stdin`))
  let pending = ''
  let rows = 0
  let failed = false
  const send = (callback: () => void): void => {
    const chunk = pending
    pending = ''
    if (copy.write(chunk)) callback()
    else copy.once('drain', callback)
  }
  const sink = new Writable({
    objectMode: true,
    highWaterMark: 1024,
    write(row: readonly unknown[], _encoding, callback) {
      try {
        rows++
        pending += encodeRow(row, columns, rows)
      } catch (error) {
        callback(error as Error)
        return
      }
      if (pending.length < chunkSize) callback()
      else send(callback)
    },
    final(callback) {
      if (pending !== '') copy.write(pending)
      copy.once('finish', () => callback())
      copy.end()
    },
    destroy(error, callback) {
      pending = ''
      if (failed || copy.writableFinished) {
        callback(error)
        return
      }
      copy.once('close', () => callback(error))
      copy.destroy(error ?? new Error('the COPY was cancelled'))
    },
  })
  copy.on('error', (error) => {
    failed = true
    // The library would go on to its end and stumble over the connection that it has let go of.
    copy.destroy()
    sink.destroy(error)
  })
  return sink
}
