import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './installed.mjs'

/** What gives a test its database; whoever does not reach it asks no server. */
const SOURCE = path.join(ROOT, 'server/src/testing/database.ts')
const IMPORTED = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

const fileOf = (/** @type {string} */ importer, /** @type {string} */ specifier) => {
  if (specifier.startsWith('.')) return path.resolve(path.dirname(importer), specifier)
  const [, workspace, file] = /^@instep\/(\w+)\/(.+)$/.exec(specifier) ?? []
  return workspace && file ? path.join(ROOT, workspace, 'src', file) : undefined
}

/** @type {Map<string, string[]>} */
const known = new Map()

const importsOf = (/** @type {string} */ file) => {
  const found =
    known.get(file) ??
    [...readFileSync(file, 'utf8').matchAll(IMPORTED)].flatMap(([, specifier = '']) => {
      const imported = fileOf(file, specifier)
      return imported?.endsWith('.ts') ? [imported] : []
    })
  known.set(file, found)
  return found
}

const reachesDatabase = (/** @type {string} */ test) => {
  const seen = new Set([test])
  for (const file of seen) {
    if (file === SOURCE) return true
    for (const imported of importsOf(file)) seen.add(imported)
  }
  return false
}

/**
 * The server's tests that ask the run's database server for a database, as told by what they import, whatever is in between.
 * @returns {string[]} their paths from the root of the checkout
 */
export const testsOnDatabase = () =>
  globSync('server/src/**/*.test.ts', { cwd: ROOT })
    .filter((file) => reachesDatabase(path.join(ROOT, file)))
    .sort()
