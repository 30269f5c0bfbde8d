import { spawn } from 'node:child_process'
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseRefusal } from '../database-refusal.ts'
import { giveTo } from './owned-directory.ts'
import { becomesTrue, signal } from './processes.ts'
import { serverFlags } from './server-flags.ts'
import type { Account } from './service-account.ts'

/** A running database server. `exited` settles when it has ended, for whatever reason. */
export interface Postmaster {
  pid: number
  exited: Promise<void>
  stop(): Promise<void>
}

/**
 * Runs the database and waits on standard input, a pipe from the supervisor. When that ends, because the supervisor stops the database or
 * because it was killed itself, the database gets SIGINT: end all sessions, write everything, leave. (`exec 3<&0`: a shell gives its
 * background commands no standard input.)
 */
const watchdog = `exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
(read -r _ <&3; kill -INT "$server") 2>/dev/null &
watcher=$!
exec 3<&-
wait "$server"
kill "$watcher" 2>/dev/null`

const largestLog = 1_000_000
const longestStart = 300_000
const longestStop = 60_000

const openLog = (file: string, account: Account | undefined): number => {
  const handle = openSync(file, 'a', 0o600)
  giveTo(file, account)
  if (fstatSync(handle).size > largestLog) ftruncateSync(handle)
  return handle
}

const answers = async (pool: pg.ClientConfig): Promise<boolean> => {
  const client = new pg.Client(pool)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

const untilReady = async (pool: pg.ClientConfig, ended: () => boolean): Promise<boolean> => {
  const end = performance.now() + longestStart
  while (!ended() && performance.now() < end) {
    if (await answers(pool)) return true
    await delay(5)
  }
  return false
}

/** What the server is started with. `pool` is how it will be reached. */
export interface PostmasterOptions {
  binaries: string
  dataDir: string
  socketDir: string
  fast: boolean
  account: Account | undefined
  pool: pg.PoolConfig
}

/**
 * Starts the server in a session of its own, so that Ctrl-C in the terminal reaches this process only, and waits until it answers.
 * @throws DatabaseRefusal with the end of the server's log when it does not come up
 */
export const startPostmaster = async (o: PostmasterOptions): Promise<Postmaster> => {
  const logFile = join(o.dataDir, 'postgres.log')
  const log = openLog(logFile, o.account)
  const child = spawn('/bin/sh', ['-c', watchdog, 'sh', join(o.binaries, 'bin', 'postgres'), ...serverFlags(o)], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', log, log],
    detached: true,
    ...o.account,
  })
  closeSync(log)
  let ended = false
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      ended = true
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  // The pipe's other end is gone once the server has ended by itself.
  child.stdin?.on('error', () => undefined)
  if (!(await untilReady(o.pool, () => ended))) {
    child.stdin?.end()
    await exited
    throw new DatabaseRefusal(
      `The embedded database did not start:\n${readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n')}`,
    )
  }
  const pid = Number.parseInt(readFileSync(join(o.dataDir, 'postmaster.pid'), 'utf8'), 10)
  // An idle server must not keep a finished program alive; when the program ends, so does the server.
  child.unref()
  const stop = async () => {
    child.ref()
    if (!ended) signal(pid, 'SIGINT')
    child.stdin?.end()
    // SIGQUIT loses nothing that was committed: the next start recovers.
    if (!(await becomesTrue(() => ended, longestStop))) signal(pid, 'SIGQUIT')
    await exited
  }
  return { pid, exited, stop }
}
