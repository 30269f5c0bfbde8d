import { chmodSync, chownSync, lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseRefusal } from '../database-refusal.ts'
import type { Account } from './service-account.ts'

/**
 * Creates a directory and its missing parents with exactly this mode, whatever the umask; existing directories stay as they are.
 * @throws DatabaseRefusal where this user may not
 */
export const createDirectory = (dir: string, mode: number): void => {
  if (lstatSync(dir, { throwIfNoEntry: false })) return
  createDirectory(dirname(dir), mode)
  try {
    mkdirSync(dir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another instance that starts at the same moment makes the same directories.
    if (code === 'EEXIST') return
    throw new DatabaseRefusal(
      `The directory ${dir} cannot be made (${code}). Choose a place where this user may write: DATA_DIR for data, XDG_CACHE_HOME for programs.`,
      { cause: error },
    )
  }
  chmodSync(dir, mode)
}

/**
 * Refuses a directory that somebody else owns or may write to: they could plant programs or listen in our place.
 * @param owners the users who may own it
 */
export const assertOnlyOurs = (dir: string, owners: readonly number[]): void => {
  const stat = lstatSync(dir)
  if (!stat.isDirectory()) throw new DatabaseRefusal(`${dir} is in the way: it is not a directory. Remove it and start again.`)
  if (!owners.includes(stat.uid)) {
    throw new DatabaseRefusal(`${dir} belongs to user ${stat.uid}, not to the user who starts the database. Remove it and start again.`)
  }
  if ((stat.mode & 0o022) !== 0) {
    throw new DatabaseRefusal(`Others may write to ${dir}. Take that permission away (chmod go-w ${dir}) and start again.`)
  }
}

/** Gives a directory to an account; without one it is left to the user of this process. */
export const giveTo = (path: string, account: Account | undefined): void => {
  if (account) chownSync(path, account.uid, account.gid)
}

/** Gives a directory and everything in it to an account; links are given, not followed. */
export const giveTree = (path: string, account: Account): void => {
  lchownSync(path, account.uid, account.gid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) giveTree(child, account)
    else lchownSync(child, account.uid, account.gid)
  }
}
