import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { prepareMarked } from './prepared.ts'
import type { DB } from './schema.gen.ts'

/** The database, typed by the migrated schema. */
export type Db = Kysely<DB>

/** The database inside a transaction. */
export type Tx = Transaction<DB>

/** A database with its pool; `close` waits for running statements and may be called twice. */
export interface Database {
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`The bigint ${text} does not fit a number without loss; select it as text`)
  }
  return value
}

const oids = { int8: 20, date: 1082, int8Array: 1016, dateArray: 1182, textArray: 1009 }

// The types of pg list the scalar types only; its parsers know the arrays too.
const parserOf = pg.types.getTypeParser as (oid: number, format?: 'text' | 'binary') => (value: string) => unknown

const arrayOf = <T>(item: (text: string) => T) => {
  const texts = parserOf(oids.textArray) as (text: string) => (string | null)[]
  return (text: string) => texts(text).map((entry) => (entry === null ? null : item(entry)))
}

const parsers = new Map<number, (text: string) => unknown>([
  [oids.int8, safeInteger],
  [oids.int8Array, arrayOf(safeInteger)],
  // A date without time has no time zone, so it must not become a Date.
  [oids.date, (text) => text],
  [oids.dateArray, arrayOf((text) => text)],
])

/** How values arrive: bigint as a number (refused when that would lose digits), date as `YYYY-MM-DD`, timestamptz as Date. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || parserOf(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/** How long an unused connection is kept, in milliseconds: a new one has everything to learn, and its first statement takes ten times as long. */
const IDLE = 600_000

/**
 * Opens a pool and the typed query builder on it. Nothing connects before the first query.
 * @param options as for pg; `max` is the number of connections
 */
export const openDatabase = (options: pg.PoolConfig): Database => {
  const pool = new pg.Pool({ application_name: 'instep', types: typeParsers, idleTimeoutMillis: IDLE, ...options })
  // An idle connection that breaks is dropped by the pool; the next query opens another, or reports the failure.
  pool.on('error', () => undefined)
  // One that breaks inside a transaction fails its query; without a listener it would end the process as well.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    prepareMarked(client)
  })
  const db: Db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  let closed: Promise<void> | undefined
  const close = async () => {
    await db.destroy()
    // Kysely ends the pool only when it has been used.
    if (!pool.ending) await pool.end()
  }
  return {
    db,
    pool,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
