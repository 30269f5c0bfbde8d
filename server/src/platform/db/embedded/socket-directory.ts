import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { assertOnlyOurs, giveTo } from './owned-directory.ts'
import type { Account } from './service-account.ts'

/**
 * Where the database of a data directory listens. A socket's path may have 107 bytes at most, so it never lies beside the data; it follows from
 * the data directory alone, not from TMPDIR, because two instances on the same data must meet here.
 */
export const socketDirectoryOf = (dataDir: string): string =>
  join('/tmp', `instep-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)

/**
 * Creates the socket directory, closed to everybody but the database's user.
 * @throws DatabaseRefusal when somebody else made it first
 */
export const createSocketDirectory = (dataDir: string, account: Account | undefined): string => {
  const dir = socketDirectoryOf(dataDir)
  const us = process.getuid?.() ?? 0
  if (!lstatSync(dir, { throwIfNoEntry: false })) {
    try {
      mkdirSync(dir, { mode: 0o700 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  assertOnlyOurs(dir, [us, account?.uid ?? us])
  giveTo(dir, account)
  chmodSync(dir, 0o700)
  return dir
}
