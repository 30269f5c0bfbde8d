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

/** A database that others are copied from. */
interface Template {
  readonly name: string
  /** What it is a copy of itself. */
  readonly source: string
  readonly fill: (database: Database) => Promise<unknown>
}

const makeTemplate = async (server: DatabaseServer, client: pg.Client, { name, source, fill }: Template): Promise<void> => {
  const unfinished = `${name}_new`
  await client.query(`drop database if exists ${unfinished} with (force)`)
  await client.query(`create database ${unfinished} template ${source}`)
  const database = openDatabase({ ...server, database: unfinished, max: 1 })
  try {
    await fill(database)
  } finally {
    await database.close()
  }
  await client.query(`alter database ${unfinished} rename to ${name}`)
}

/** Made by whoever asks first. */
const madeTemplate = async (server: DatabaseServer, template: Template): Promise<string> => {
  await administer(server, async (client) => {
    if (await exists(client, template.name)) return
    await client.query('select pg_advisory_lock($1)', [templateLock])
    if (!(await exists(client, template.name))) await makeTemplate(server, client, template)
  })
  return template.name
}

/** The migrated database that all others are copied from. Its name changes with the migrations. */
const migratedTemplate = (server: DatabaseServer): Promise<string> => {
  const checksums = readMigrations(migrationsDir).map(({ checksum }) => checksum)
  const name = `instep_template_${createHash('sha256').update(checksums.join()).digest('hex').slice(0, 12)}`
  return madeTemplate(server, { name, source: `template0 encoding 'UTF8' locale 'C.UTF-8'`, fill: ({ db }) => migrate(db) })
}

/** What databases hold from the beginning beside what the migrations leave: filled once in a run, under this name, and copied. */
export interface Filling {
  readonly name: string
  fill(database: Database): Promise<void>
}

const filledTemplate = async (server: DatabaseServer, { name, fill }: Filling): Promise<string> =>
  madeTemplate(server, { name: `it_${inject('databaseRun')}_${name}`, source: await migratedTemplate(server), fill })

/**
 * Makes a fresh migrated database on the run's server. Ask once per test file and close it after all tests.
 * @param options `max` connections of its pool, by default 10; `filling`: what it holds from the beginning
 */
export const testDatabase = async (options: { max?: number; filling?: Filling } = {}): Promise<TestDatabase> => {
  const server = inject('databaseServer')
  const database = `it_${inject('databaseRun')}_${randomBytes(6).toString('hex')}`
  const source = await (options.filling ? filledTemplate(server, options.filling) : migratedTemplate(server))
  // copying its files costs a fifth of writing its pages to the log, as is the rule
  await administer(server, (client) => client.query(`create database ${database} template ${source} strategy file_copy`))
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
