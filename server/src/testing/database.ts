import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../platform/db/database.ts'
import { migrate, migrationsDir, readMigrations } from '../platform/db/migrate.ts'
import { type DatabaseServer, urlOf } from './database-server.ts'

/** A database for one test file. `close` drops it. */
export interface TestDatabase extends Database {
  /** For a second pool, or a server started on it. */
  poolConfig: pg.PoolConfig
  url: string
}

/** One number for all processes that make the same template at the same moment. */
const templateLock = 4_973_117

const administer = async <T>(server: DatabaseServer, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ ...server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const exists = async (client: pg.Client, name: string): Promise<boolean> =>
  (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1

const makeTemplate = async (server: DatabaseServer, client: pg.Client, name: string): Promise<void> => {
  const unfinished = `${name}_new`
  await client.query(`drop database if exists ${unfinished} with (force)`)
  await client.query(`create database ${unfinished} template template0 encoding 'UTF8' locale 'C.UTF-8'`)
  const { db, close } = openDatabase({ ...server, database: unfinished, max: 1 })
  try {
    await migrate(db)
  } finally {
    await close()
  }
  await client.query(`alter database ${unfinished} rename to ${name}`)
}

/** The migrated database that all others are copied from; made by whoever asks first. Its name changes with the migrations. */
const template = async (server: DatabaseServer): Promise<string> => {
  const checksums = readMigrations(migrationsDir).map(({ checksum }) => checksum)
  const name = `instep_template_${createHash('sha256').update(checksums.join()).digest('hex').slice(0, 12)}`
  await administer(server, async (client) => {
    if (await exists(client, name)) return
    await client.query('select pg_advisory_lock($1)', [templateLock])
    if (!(await exists(client, name))) await makeTemplate(server, client, name)
  })
  return name
}

/**
 * Makes a fresh migrated database on the run's server. Ask once per test file and close it after all tests.
 * @param options `max` connections of its pool, by default 10
 */
export const testDatabase = async (options: { max?: number } = {}): Promise<TestDatabase> => {
  const server = inject('databaseServer')
  const database = `it_${inject('databaseRun')}_${randomBytes(6).toString('hex')}`
  const source = await template(server)
  await administer(server, (client) => client.query(`create database ${database} template ${source}`))
  const poolConfig: pg.PoolConfig = { ...server, database }
  const { db, pool, close } = openDatabase({ ...poolConfig, max: options.max ?? 10 })
  return {
    db,
    pool,
    poolConfig,
    url: urlOf({ ...server, database }),
    close: async () => {
      await close()
      await administer(server, (client) => client.query(`drop database if exists ${database} with (force)`))
    },
  }
}
