import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseRefusal } from '../database-refusal.ts'
import { createDirectory, giveTo, giveTree } from './owned-directory.ts'
import type { Account, ServiceAccounts } from './service-account.ts'

const syncDirectory = (dir: string): void => {
  const handle = openSync(dir, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

// The character type must know all letters: under plain C pg_trgm finds no trigram in Cyrillic or Arabic and drops the é of José.
const locales = [['--locale=C.UTF-8'], ['--locale=C', '--lc-ctype=en_US.UTF-8'], ['--locale=C', '--lc-ctype=UTF-8']]

const runInitdb = (binaries: string, dir: string, options: { fast: boolean; account: Account | undefined }): void => {
  let message = ''
  for (const locale of locales) {
    const fixed = [
      '-D',
      dir,
      '-U',
      'postgres',
      '--encoding=UTF8',
      '--lc-messages=C',
      '--auth-local=trust',
      '--auth-host=reject',
      '--no-instructions',
    ]
    const run = spawnSync(join(binaries, 'bin', 'initdb'), [...fixed, ...locale, ...(options.fast ? ['-N'] : [])], {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', TZ: 'UTC' },
      encoding: 'utf8',
      ...options.account,
    })
    if (run.status === 0) return
    message = run.error?.message ?? run.stderr.trim()
    if (!message.includes('locale')) break
  }
  throw new DatabaseRefusal(`The database could not be prepared in ${dir}: ${message}`)
}

/**
 * Makes a new database cluster. It is prepared beside its place and moved there when it is complete, so that a crash leaves no half of one.
 * @param dataDir where it goes; absent or empty. Its parent exists
 * @throws DatabaseRefusal with what initdb said, or when the directory holds something else
 */
export const createCluster = (binaries: string, dataDir: string, options: { fast: boolean; accounts: ServiceAccounts }): void => {
  const parent = dirname(dataDir)
  const prefix = `${basename(dataDir)}.new-`
  const siblings = readdirSync(parent)
  if (siblings.includes(basename(dataDir)) && readdirSync(dataDir).length > 0) {
    throw new DatabaseRefusal(`${dataDir} holds files but no database. Choose an empty DATA_DIR.`)
  }
  for (const name of siblings) {
    if (name.startsWith(prefix)) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const unfinished = join(parent, `${prefix}${randomBytes(6).toString('hex')}`)
  createDirectory(unfinished, 0o700)
  try {
    giveTo(unfinished, options.accounts.initdb)
    runInitdb(binaries, unfinished, { fast: options.fast, account: options.accounts.initdb })
    if (options.accounts.postgres) giveTree(unfinished, options.accounts.postgres)
    renameSync(unfinished, dataDir)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  syncDirectory(parent)
}
