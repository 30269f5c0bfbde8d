import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { environment, NODE, ROOT } from './installed.mjs'

const SOURCES = ['console', 'ui', 'contract', 'package-lock.json']
const STAMP = path.join(ROOT, 'console/dist/.built-from')

/** A digest over names, sizes and times of everything the console is built from. */
const fingerprint = () => {
  const hash = createHash('sha256')
  const visit = (/** @type {string} */ place) => {
    const stat = statSync(place)
    if (stat.isDirectory()) {
      for (const name of readdirSync(place).sort()) if (name !== 'dist' && name !== 'node_modules') visit(path.join(place, name))
    } else hash.update(`${path.relative(ROOT, place)} ${stat.size} ${stat.mtimeMs}\n`)
  }
  for (const source of SOURCES) visit(path.join(ROOT, source))
  return hash.digest('hex')
}

/** Builds the console when there is no build of the files as they are now. */
export const ensureConsoleBuilt = ({ quiet = true } = {}) => {
  const now = fingerprint()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === now) return
  process.stdout.write('Building the console (once after every change) …\n')
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js')
  const run = spawnSync(NODE, [vite, 'build', ...(quiet ? ['--logLevel', 'error'] : [])], {
    cwd: path.join(ROOT, 'console'),
    stdio: 'inherit',
    env: environment({ NODE_ENV: 'production' }),
  })
  if (run.status !== 0) process.exit(run.status ?? 1)
  writeFileSync(STAMP, now)
}
