import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseRefusal } from '../database-refusal.ts'
import { createDirectory } from './owned-directory.ts'
import { ownAccount } from './service-account.ts'

/** The major version of the embedded binaries. */
export const embeddedMajor = 18

const isReachable = (dir: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], { cwd: '/', ...ownAccount, stdio: 'ignore' }).status === 0

/**
 * Settles where the data lie. Normally that is the path asked for. When root keeps it below a directory that only root may enter, as /root is,
 * the database's own user could not reach it: then the data lie in `rootDir` and the path asked for becomes a link to them.
 * @returns the true path, which need not exist yet
 */
export const settleDataDirectory = (asked: string, rootDir: string): string => {
  const path = resolve(asked)
  createDirectory(dirname(path), process.getuid?.() === 0 ? 0o711 : 0o755)
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  if (link && !existsSync(path)) {
    throw new DatabaseRefusal(
      `${path} is a link to ${readlinkSync(path)}, which does not exist. Put the data back there, or remove the link to start with an empty database.`,
    )
  }
  const parent = realpathSync(dirname(path))
  if (link) return realpathSync(path)
  if (process.getuid?.() !== 0 || isReachable(parent)) return join(parent, basename(path))
  if (existsSync(path)) {
    throw new DatabaseRefusal(
      `The data in ${path} cannot be reached by the user who runs the database when root starts it. Start as a normal user, or choose another DATA_DIR.`,
    )
  }
  createDirectory(rootDir, 0o755)
  const data = join(realpathSync(rootDir), `data-${randomBytes(6).toString('hex')}`)
  createDirectory(data, 0o700)
  symlinkSync(data, path)
  return data
}

/** The major version that made a data directory, or null when it holds no database. */
export const majorOf = (dataDir: string): number | null => {
  const file = join(dataDir, 'PG_VERSION')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null
}

/** Refuses data of another major version: they need an export by that version and an import by this one. */
export const assertMajor = (dataDir: string): void => {
  const major = majorOf(dataDir)
  if (major === embeddedMajor) return
  throw new DatabaseRefusal(
    `The data in ${dataDir} were written by PostgreSQL ${major}; the embedded database is PostgreSQL ${embeddedMajor}, which cannot read them. ` +
      `Start a PostgreSQL ${major} on them and set DATABASE_URL, or bring them over with that version's pg_dump.`,
  )
}
