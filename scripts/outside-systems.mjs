// Runs the contract of fetched sources against real outside systems, and says which of them ran. One that is not here and cannot be installed is no
// failure: every run of the tests holds the same contract against a stand-in.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensureInstalled, environment, NODE, ROOT } from './lib/installed.mjs'

/** A system: the program that must be there, Debian's package of it, and the tests that need it. */
const SYSTEMS = [
  { name: 'OpenSSH (SFTP)', program: '/usr/sbin/sshd', debian: 'openssh-server', tests: 'connectors/src/file/sshd.outside.ts' },
]

const tell = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

const install = (/** @type {string} */ name) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (/** @type {string[]} */ args) => spawnSync('apt-get', args, { stdio: 'ignore', env, timeout: 300_000 }).status === 0
  return (
    run(['install', '-y', '--no-install-recommends', name]) || (run(['update']) && run(['install', '-y', '--no-install-recommends', name]))
  )
}

ensureInstalled()
const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
const there = SYSTEMS.filter(({ name, program, debian }) => {
  if (existsSync(program) || (mayInstall && install(debian) && existsSync(program))) return true
  tell(`outside system not here, left out: ${name} (Debian's ${debian})`)
  return false
})
if (there.length === 0) {
  tell('0 passed, 0 failed')
  process.exit(0)
}
const report = path.join(ROOT, 'test-results/outside.json')
rmSync(report, { force: true })
const files = there.map(({ tests }) => tests)
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.outside.config.ts', '--reporter=default', '--reporter=json']
const { status } = spawnSync(NODE, [...args, `--outputFile.json=${report}`, ...files], { cwd: ROOT, stdio: 'inherit', env: environment() })
const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
tell(`outside systems that ran: ${there.map(({ name }) => name).join(', ')}`)
tell(`${passed} passed, ${status === 0 ? failed : Math.max(failed, 1)} failed`)
process.exit(status ?? 1)
