import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Database, openDatabase } from '@instep/server/platform/db/database.ts'
import { startEmbedded } from '@instep/server/platform/db/embedded/start-embedded.ts'
import { migrate } from '@instep/server/platform/db/migrate.ts'
import { sql } from 'kysely'
import type pg from 'pg'

/** A database, and how another process reaches it. */
export interface FreshDatabase {
  readonly database: Database
  readonly poolConfig: pg.PoolConfig
}

/** Databases to be used one after the other, each a copy of one that is migrated; on a server of their own. */
export const freshDatabases = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'instep-soak-'))
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
    next: async (): Promise<FreshDatabase> => {
      await drop()
      made += 1
      const name = `seeds_${made}`
      await sql`create database ${sql.ref(name)} template template_of_all strategy file_copy`.execute(server.db)
      const poolConfig = { ...embedded.pool, database: name }
      current = { name, database: openDatabase({ ...poolConfig, max: 6 }) }
      return { database: current.database, poolConfig }
    },
    close: async () => {
      await drop()
      await server.close()
      await embedded.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
