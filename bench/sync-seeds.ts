import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkSeed } from '@instep/server/features/sync/testing/model/check-sequences.ts'
import { type Database, openDatabase } from '@instep/server/platform/db/database.ts'
import { startEmbedded } from '@instep/server/platform/db/embedded/start-embedded.ts'
import { migrate } from '@instep/server/platform/db/migrate.ts'
import { sql } from 'kysely'

/** When dates act every tenant of a database is looked at, so that few share one. */
const SHARE = 20

interface Options {
  readonly first: number
  readonly seeds: number
  /** Most steps of a sequence. */
  readonly longest: number
  /** Of a counterexample, to play it again. */
  readonly path?: string | undefined
  readonly say: (line: string) => void
}

/** Databases to be used one after the other, each a copy of one that is migrated; on a server of their own. */
const freshDatabases = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'instep-sync-seeds-'))
  const embedded = await startEmbedded({ dataDir: path.join(folder, 'database'), fast: true })
  const server = openDatabase({ ...embedded.pool, max: 1 })
  await sql`create database template_of_all template template0 encoding 'UTF8' locale 'C.UTF-8'`.execute(server.db)
  const template = openDatabase({ ...embedded.pool, database: 'template_of_all', max: 1 })
  await migrate(template.db)
  await template.close()
  let made = 0
  let current: { name: string; database: Database } | undefined
  const drop = async () => {
    if (!current) return
    await current.database.close()
    await sql`drop database ${sql.ref(current.name)} with (force)`.execute(server.db)
  }
  return {
    next: async (): Promise<Database> => {
      await drop()
      made += 1
      const name = `seeds_${made}`
      await sql`create database ${sql.ref(name)} template template_of_all`.execute(server.db)
      current = { name, database: openDatabase({ ...embedded.pool, database: name, max: 6 }) }
      return current.database
    },
    close: async () => {
      await drop()
      await server.close()
      await embedded.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Plays the sequences of many seeds and tells every counterexample, with what it takes to see it again; answers how many there were. */
export const syncSeeds = async ({ first, seeds, longest, path: replayed, say }: Options): Promise<number> => {
  const databases = await freshDatabases()
  let found = 0
  try {
    let database: Database | undefined
    for (let seed = first; seed < first + seeds; seed += 1) {
      const count = seed - first
      if (!database || count % SHARE === 0) database = await databases.next()
      const counterexample = await checkSeed(database, { seed, longest, ...(replayed !== undefined && { path: replayed }) })
      if (counterexample) {
        found += 1
        const { why, steps, path: place } = counterexample
        say(`seed ${seed}: ${why}\n  ${steps}`)
        say(`  again: npm run soak -- sync --from ${seed} --seeds 1 --longest ${longest}${place === null ? '' : ` --path ${place}`}`)
      }
      if ((count + 1) % 100 === 0) say(`${count + 1} of ${seeds} seeds, ${found} counterexamples`)
    }
  } finally {
    await databases.close()
  }
  return found
}
