import { lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { assertMajor, majorOf, settleDataDirectory } from './data-directory.ts'
import { createCluster } from './initdb.ts'
import { defaultCacheDir, installBinaries } from './installed-binaries.ts'
import { takeInstanceLock } from './instance-lock.ts'
import { giveTree } from './owned-directory.ts'
import { choosePlatformPackage, locatePlatformPackage, platformFacts } from './platform-package.ts'
import { startPostmaster } from './postmaster.ts'
import { chooseAccounts } from './service-account.ts'
import { createSocketDirectory } from './socket-directory.ts'
import { endSurvivor } from './survivor.ts'

/** What the embedded database needs to know. */
export interface EmbeddedOptions {
  /** The database's own directory. It is created; nothing else may lie in it. */
  dataDir: string
  /** For tests: no fsync, no autovacuum. A power cut loses the data. */
  fast?: boolean
  /** Where the binaries are kept; by default `~/.cache/instep`, as root `/var/lib/instep`. */
  cacheDir?: string
}

/** A running embedded database. */
export interface EmbeddedDatabase {
  /** How to reach it: a unix socket that only this user can open. */
  pool: pg.PoolConfig
  /** Where the data lie; differs from the path asked for when that one was a link. */
  dataDir: string
  postmasterPid: number
  /** Settles when the server has ended, whether stopped or killed. */
  exited: Promise<void>
  /** Ends all sessions, writes everything, gives the directory back. May be called twice. */
  stop(): Promise<void>
}

const poolOf = (socketDir: string): pg.PoolConfig => ({
  host: socketDir,
  port: 5432,
  user: 'postgres',
  database: 'postgres',
  // Both may be set in the environment for other servers.
  password: '',
  ssl: false,
})

/**
 * Starts PostgreSQL out of npm on a data directory, making a new one where there is none. It listens on a unix socket only, and ends with this
 * process, however that ends.
 * @throws DatabaseRefusal when it cannot: no binaries for this platform, a directory in use, foreign, or of another major version
 */
export const startEmbedded = async (options: EmbeddedOptions): Promise<EmbeddedDatabase> => {
  const source = locatePlatformPackage(choosePlatformPackage(platformFacts()))
  const fast = options.fast ?? false
  const cacheDir = options.cacheDir ?? defaultCacheDir()
  const dataDir = settleDataDirectory(options.dataDir, join(cacheDir, 'data'))
  const accounts = chooseAccounts(dataDir)
  const binaries = installBinaries(source, cacheDir)
  const socketDir = createSocketDirectory(dataDir, accounts.postgres)
  const lock = await takeInstanceLock(socketDir, dataDir)
  try {
    if (majorOf(dataDir) === null) createCluster(binaries, dataDir, { fast, accounts })
    assertMajor(dataDir)
    // Root may have put a copy back.
    if (accounts.postgres && lstatSync(dataDir).uid === 0) giveTree(dataDir, accounts.postgres)
    await endSurvivor(dataDir, socketDir)
    const pool = poolOf(socketDir)
    const postmaster = await startPostmaster({ binaries, dataDir, socketDir, fast, account: accounts.postgres, pool })
    let stopped: Promise<void> | undefined
    const stop = async () => {
      await postmaster.stop()
      // Others wait at the lock of a lasting directory; a test's is known to nobody else.
      if (fast) rmSync(socketDir, { recursive: true, force: true })
      await lock.release()
    }
    return {
      pool,
      dataDir,
      postmasterPid: postmaster.pid,
      exited: postmaster.exited,
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
