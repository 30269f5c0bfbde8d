import { type Kysely, sql } from 'kysely'
import { DatabaseRefusal } from './database-refusal.ts'

/** The oldest PostgreSQL whose SQL we write. */
const oldestMajor = 15

interface DatabaseFacts {
  /** As in `server_version_num`: 150004 is 15.4. */
  version: number
  encoding: string
  /** How many trigrams pg_trgm finds in a Cyrillic word; null without the extension. */
  trigrams: number | null
}

/**
 * Judges a database by its facts.
 * @throws DatabaseRefusal naming what is wrong and what to do
 */
export const judgeDatabase = (facts: DatabaseFacts): void => {
  const major = Math.floor(facts.version / 10_000)
  if (major < oldestMajor) {
    throw new DatabaseRefusal(
      `The database server is PostgreSQL ${major}; version ${oldestMajor} or later is needed. Upgrade it, or point DATABASE_URL at another.`,
    )
  }
  if (facts.encoding !== 'UTF8') {
    throw new DatabaseRefusal(
      `The database is encoded in ${facts.encoding}; UTF8 is needed. Create it with: create database instep template template0 encoding 'UTF8' locale 'C.UTF-8'`,
    )
  }
  if (facts.trigrams === null) {
    throw new DatabaseRefusal(
      'The extension pg_trgm is missing and could not be created. As a superuser of this database run: create extension pg_trgm',
    )
  }
  if (facts.trigrams === 0) {
    throw new DatabaseRefusal(
      "The database's character type knows only English letters, so search would find no Cyrillic, Greek or Arabic name. " +
        "Create it with: create database instep template template0 encoding 'UTF8' locale 'C.UTF-8'",
    )
  }
}

/**
 * Checks at start that a database can hold the product: PostgreSQL 15 or later, UTF-8, and trigrams of every alphabet (`pg_trgm` is created where
 * it is missing).
 * @throws DatabaseRefusal naming what is wrong and what to do
 */
export const assertDatabaseUsable = async <DB>(db: Kysely<DB>): Promise<void> => {
  const { rows } = await sql<{ version: number; encoding: string; installed: boolean }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
           exists (select from pg_extension where extname = 'pg_trgm') as installed`.execute(db)
  const [row] = rows
  if (!row) return
  const { version, encoding } = row
  judgeDatabase({ version, encoding, trigrams: Number.POSITIVE_INFINITY })
  const installed = row.installed || (await createTrigrams(db))
  judgeDatabase({ version, encoding, trigrams: installed ? await countTrigrams(db) : null })
}

const createTrigrams = <DB>(db: Kysely<DB>): Promise<boolean> =>
  sql`create extension if not exists pg_trgm`.execute(db).then(
    () => true,
    () => false,
  )

const countTrigrams = async <DB>(db: Kysely<DB>): Promise<number> => {
  const { rows } = await sql<{ trigrams: number }>`select cardinality(show_trgm('Иван')) as trigrams`.execute(db)
  return rows[0]?.trigrams ?? 0
}
