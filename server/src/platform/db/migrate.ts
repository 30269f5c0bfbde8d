import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { DatabaseRefusal } from './database-refusal.ts'

/** A migration file as it was read. */
export interface Migration {
  /** The file's name, `0001-foundation.sql`. */
  name: string
  text: string
  checksum: string
}

/** Where the product's migrations lie. */
export const migrationsDir = fileURLToPath(new URL('../../../migrations', import.meta.url))

/** One number for all instances that migrate the same database at the same moment. */
const lockKey = 4_973_116

/**
 * Reads the migrations of a directory in their order. Line ends do not count for the checksum.
 * @throws DatabaseRefusal when a file's name has no number, or a number is taken twice
 */
export const readMigrations = (directory: string): Migration[] => {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const numbers = new Map<string, string>()
  for (const name of names) {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]
    if (number === undefined) throw new DatabaseRefusal(`The migration ${name} must be named like 0001-what-it-does.sql`)
    const other = numbers.get(number)
    if (other !== undefined) throw new DatabaseRefusal(`The migrations ${other} and ${name} have the same number`)
    numbers.set(number, name)
  }
  return names.map((name) => {
    const text = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n')
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/**
 * Decides which migrations are still to be run.
 * @param applied checksum by name, as the database remembers them
 * @throws DatabaseRefusal when an applied migration was edited since, or is unknown to this version
 */
export const pendingMigrations = (migrations: Migration[], applied: ReadonlyMap<string, string>): Migration[] => {
  const known = new Set(migrations.map((migration) => migration.name))
  for (const name of applied.keys()) {
    if (!known.has(name)) {
      throw new DatabaseRefusal(`The database was migrated by a newer version: this one does not know ${name}. Start that version again.`)
    }
  }
  for (const { name, checksum } of migrations) {
    const before = applied.get(name)
    if (before !== undefined && before !== checksum) {
      throw new DatabaseRefusal(
        `The migration ${name} was changed after it had been applied to this database. Restore the file and put the change into a new migration.`,
      )
    }
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

const appliedTo = async (db: Kysely<never>): Promise<Map<string, string>> => {
  await sql`create table if not exists instep_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`.execute(db)
  const { rows } = await sql<{ name: string; checksum: string }>`select name, checksum from instep_migrations`.execute(db)
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

const failureOf = (migration: Migration, error: unknown): DatabaseRefusal => {
  const { message, position } = error as Error & { position?: string }
  const line = position === undefined ? '' : ` at line ${migration.text.slice(0, Number(position)).split('\n').length}`
  return new DatabaseRefusal(`The migration ${migration.name} failed${line}: ${message}`, { cause: error })
}

const run = async (db: Kysely<never>, migration: Migration): Promise<void> => {
  try {
    await db.transaction().execute(async (tx) => {
      await sql.raw(migration.text).execute(tx)
      await sql`insert into instep_migrations (name, checksum) values (${migration.name}, ${migration.checksum})`.execute(tx)
    })
  } catch (error) {
    throw failureOf(migration, error)
  }
}

/**
 * Brings a database to the newest schema: runs the SQL files that it has not seen, in order, each in a transaction of its own. Instances that
 * start together wait for one another.
 * @param directory where the files are; by default the product's own
 * @returns the names of the migrations that were run now
 * @throws DatabaseRefusal when one fails (it and the later ones leave nothing), was edited after it had run, or is unknown to this version
 */
export const migrate = async <DB>(db: Kysely<DB>, directory: string = migrationsDir): Promise<string[]> => {
  const migrations = readMigrations(directory)
  return (db as unknown as Kysely<never>).connection().execute(async (session) => {
    await sql`select pg_advisory_lock(${lockKey}::bigint)`.execute(session)
    try {
      const pending = pendingMigrations(migrations, await appliedTo(session))
      for (const migration of pending) await run(session, migration)
      return pending.map(({ name }) => name)
    } finally {
      await sql`select pg_advisory_unlock(${lockKey}::bigint)`.execute(session)
    }
  })
}

/** The migrations that a database still lacks; for readiness checks. Creates nothing. */
export const missingMigrations = async <DB>(db: Kysely<DB>, directory: string = migrationsDir): Promise<string[]> => {
  const migrations = readMigrations(directory)
  const { rows } = await sql<{ name: string }>`select name from instep_migrations`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name))
}
