import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { assertOnlyOurs, createDirectory } from './owned-directory.ts'
import type { PlatformPackage } from './platform-package.ts'

const currentUser = (): number => process.getuid?.() ?? 0

/** Where binaries are kept: a directory that no other user can write to and no cleaner of temporary files empties. */
export const defaultCacheDir = (): string => {
  if (currentUser() === 0) return '/var/lib/instep'
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'instep')
}

const copyTree = (from: string, to: string): void => {
  createDirectory(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) {
      copyTree(source, target)
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      copyFileSync(source, target)
      chmodSync(target, basename(from) === 'bin' ? 0o755 : 0o644)
    }
  }
}

/** The package's post-install script would make these links, but npm may be told not to run scripts. */
const makeLinks = (nativeDir: string, copy: string): void => {
  const list = join(nativeDir, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const link of links) {
    const target = join(copy, relative('native', link.target))
    const source = join(copy, relative('native', link.source))
    rmSync(target, { force: true })
    symlinkSync(relative(dirname(target), source), target)
  }
}

/**
 * Copies a platform package to the cache once, with the links it needs, readable for the user who runs the database.
 * @returns the folder that holds `bin/postgres`
 * @throws DatabaseRefusal when others could have changed the copy
 */
export const installBinaries = (source: PlatformPackage, cacheDir: string): string => {
  createDirectory(cacheDir, 0o755)
  assertOnlyOurs(cacheDir, [currentUser()])
  const installed = join(cacheDir, source.label)
  if (!existsSync(installed)) {
    const unfinished = join(cacheDir, `.${source.label}-${randomBytes(6).toString('hex')}`)
    copyTree(source.nativeDir, unfinished)
    makeLinks(source.nativeDir, unfinished)
    try {
      renameSync(unfinished, installed)
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      if (!existsSync(installed)) throw error
    }
  }
  assertOnlyOurs(installed, [currentUser()])
  return installed
}
