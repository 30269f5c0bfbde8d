import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const major = 15
const distributions = '/usr/lib/postgresql'

// Ends the server when this process ends, however it does: the pipe on standard input is closed then.
const watchdog = `exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
(read -r _ <&3; kill -INT "$server") 2>/dev/null &
watcher=$!
exec 3<&-
wait "$server"
kill "$watcher" 2>/dev/null`

const fastFlags = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'max_wal_size=4GB',
  'listen_addresses=',
  'timezone=UTC',
  'jit=off',
]

const findBinaries = () => {
  if (!existsSync(distributions)) return null
  for (const name of readdirSync(distributions)) {
    const bin = join(distributions, name, 'bin')
    const { stdout } = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
    if (Number.parseInt(/\) (\d+)/.exec(stdout ?? '')?.[1] ?? '', 10) === major) return bin
  }
  return null
}

const accountFor = () => {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

const untilReady = async (ready, ended) => {
  const end = Date.now() + 30_000
  while (!ended() && Date.now() < end) {
    if (ready()) return true
    await delay(20)
  }
  return false
}

/**
 * Starts the machine's own PostgreSQL 15 with test settings in a temporary directory, reachable by a unix socket only. As root it runs as nobody.
 * @returns {Promise<{ url: string, stop(): Promise<void> } | null>} null where the binaries are absent
 */
export const startPostgres15 = async () => {
  const bin = findBinaries()
  if (bin === null) return null
  const account = accountFor()
  // Not below TMPDIR: a socket's path may have 107 bytes at most.
  const dir = mkdtempSync('/tmp/instep-postgres15-')
  chmodSync(dir, 0o700)
  if (account.uid !== undefined) chownSync(dir, account.uid, account.gid)
  const remove = () => rmSync(dir, { recursive: true, force: true })
  const data = join(dir, 'data')
  const options = { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...account }
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C.UTF-8', '-N', '--no-instructions']
  const prepared = spawnSync(join(bin, 'initdb'), initdb, { ...options, encoding: 'utf8' })
  if (prepared.status !== 0) {
    remove()
    throw new Error(`PostgreSQL ${major} could not be prepared: ${prepared.error?.message ?? prepared.stderr.trim()}`)
  }
  const flags = ['-D', data, '-k', dir, ...fastFlags.flatMap((flag) => ['-c', flag])]
  const child = spawn('/bin/sh', ['-c', watchdog, 'sh', join(bin, 'postgres'), ...flags], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  let ended = false
  const exited = new Promise((resolve) => {
    child.once('exit', () => {
      ended = true
      resolve()
    })
  })
  child.stdin.on('error', () => undefined)
  const stop = async () => {
    child.ref()
    child.stdin.end()
    await exited
    remove()
  }
  const ready = () => spawnSync(join(bin, 'pg_isready'), ['-q', '-h', dir]).status === 0
  if (!(await untilReady(ready, () => ended))) {
    await stop()
    throw new Error(`PostgreSQL ${major} did not start`)
  }
  child.unref()
  return { url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dir)}`, stop }
}
