import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root folder of the checkout. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** The Node that the project runs on, out of its own dependencies. */
export const NODE = path.join(ROOT, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

const tellAndStop = (/** @type {string} */ message) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Environment for child processes: the project's own commands come first. */
export const environment = (/** @type {Record<string, string>} */ more = {}) => ({
  ...process.env,
  // what was compiled at one start need not be at the next
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(ROOT, 'node_modules/.cache/node-compiled'),
  PATH: `${path.dirname(NODE)}${path.delimiter}${path.join(ROOT, 'node_modules/.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
  ...more,
})

/** What npm last installed is what the lock file asks for: every entry of the lock that fits this machine is there at its version. */
const isInstalled = () => {
  const installed = path.join(ROOT, 'node_modules/.package-lock.json')
  if (!existsSync(installed) || !existsSync(NODE)) return false
  const have = JSON.parse(readFileSync(installed, 'utf8')).packages
  const wanted = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(
    ([place, entry]) =>
      place === '' || entry.link || entry.optional || !place.includes('node_modules/') || have[place]?.version === entry.version,
  )
}

/** Installs the dependencies when they are missing or older than the lock file. */
export const ensureInstalled = () => {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < 20) tellAndStop(`Node 20 or later is needed to install Instep; this is ${process.version}.`)
  if (!isInstalled()) {
    process.stdout.write('Installing what Instep needs (once, about a minute) …\n')
    const run = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
    if (run.status !== 0) tellAndStop('The installation failed. Check the connection to the package registry, then run the command again.')
  }
  const version = existsSync(NODE) ? spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout?.trim() : ''
  if (!version?.startsWith('v24.'))
    tellAndStop(
      'Node 24 is missing: the package "node" was installed without its install script. Run "npm rebuild node" without --ignore-scripts.',
    )
}
