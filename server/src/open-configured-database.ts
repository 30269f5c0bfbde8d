import path from 'node:path'
import type { Config } from './config.ts'
import { assertDatabaseUsable } from './platform/db/assert-database-usable.ts'
import { type Database, openDatabase } from './platform/db/database.ts'
import { startEmbedded } from './platform/db/embedded/start-embedded.ts'

export interface ConfiguredDatabase extends Database {
  /** Whether it was started by this process, which then is its only user. */
  readonly embedded: boolean
}

/** Opens the database that the settings name, or starts the embedded one. Throws DatabaseRefusal where neither can be used. */
export const openConfiguredDatabase = async (config: Config): Promise<ConfiguredDatabase> => {
  if (config.DATABASE_URL) {
    const database = openDatabase({ connectionString: config.DATABASE_URL, max: config.DATABASE_CONNECTIONS })
    await assertDatabaseUsable(database.db)
    return { ...database, embedded: false }
  }
  const server = await startEmbedded({ dataDir: path.join(config.DATA_DIR, 'database') })
  const database = openDatabase({ ...server.pool, max: config.DATABASE_CONNECTIONS })
  return {
    ...database,
    embedded: true,
    close: async () => {
      await database.close()
      await server.stop()
    },
  }
}
