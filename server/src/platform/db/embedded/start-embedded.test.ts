import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCacheDir, installBinaries } from './installed-binaries.ts'
import { choosePlatformPackage, locatePlatformPackage, platformFacts } from './platform-package.ts'
import { becomesTrue, processesIn, processFacts } from './processes.ts'
import { serverFlags } from './server-flags.ts'
import { ownAccount } from './service-account.ts'
import { createSocketDirectory, socketDirectoryOf } from './socket-directory.ts'
import { type EmbeddedOptions, startEmbedded } from './start-embedded.ts'

const isRoot = process.getuid?.() === 0
const account = isRoot ? ownAccount : undefined
const started: ChildProcess[] = []
const dataDirs: string[] = []
let base = ''

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'instep-embedded-')))
  chmodSync(base, 0o711)
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  for (const dir of dataDirs) {
    await becomesTrue(() => processesIn(dir).length === 0, 5_000)
    rmSync(socketDirectoryOf(dir), { recursive: true, force: true })
  }
  rmSync(base, { recursive: true, force: true })
})

const dataDirNamed = (name: string) => {
  const dir = join(base, name)
  dataDirs.push(dir)
  return dir
}

const ask = async (pool: pg.PoolConfig, text: string) => {
  const client = new pg.Client(pool)
  await client.connect()
  try {
    const { rows } = await client.query(text)
    return rows[0]
  } finally {
    await client.end()
  }
}

interface Supervised {
  child: ChildProcess
  pid: number
  pool: pg.PoolConfig
}

const module = JSON.stringify(new URL('start-embedded.ts', import.meta.url))

/** Starts the database from a process of its own, which can then be killed; `before` are shell commands, `as` its user. */
const supervise = async (options: EmbeddedOptions, o: { before?: string; as?: object } = {}): Promise<Supervised> => {
  const code = `import { startEmbedded } from ${module}
    process.on('SIGINT', () => process.stdout.write('interrupted\\n'))
    try {
      const { pool, postmasterPid: pid } = await startEmbedded(${JSON.stringify(options)})
      process.stdout.write(JSON.stringify({ pool, pid }) + '\\n')
    } catch (error) { process.stdout.write(JSON.stringify({ refusal: error.message }) + '\\n') }
    setInterval(() => undefined, 1e6)`
  const child = spawn('/bin/sh', ['-c', `${o.before ?? ':'}; exec "$@"`, 'sh', process.execPath, '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    cwd: '/',
    ...o.as,
  })
  started.push(child)
  const answer = JSON.parse(await line(child)) as { pool: pg.PoolConfig; pid: number; refusal?: string }
  if (answer.refusal !== undefined) throw new Error(answer.refusal)
  return { child, ...answer }
}

const line = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString()))
    child.once('exit', () => reject(new Error('the supervisor ended')))
  })

const kill = async (child: ChildProcess, target = -(child.pid ?? 0)) => {
  const exited = new Promise((resolve) => child.once('exit', resolve))
  process.kill(target, 'SIGKILL')
  await exited
}

/** Field `index` of /proc/PID/stat after the name: 1 is the parent, 3 the session. */
const stat = (pid: number, index: number) => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[index])
}

describe('startEmbedded', () => {
  it('refuses a directory that holds other files', async () => {
    const dataDir = dataDirNamed('occupied')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'letter.txt'), 'dear')
    await expect(startEmbedded({ dataDir })).rejects.toThrow('holds files but no database')
    expect(readdirSync(dataDir)).toEqual(['letter.txt'])
  })

  it('refuses data of another major version', async () => {
    const dataDir = dataDirNamed('old')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'PG_VERSION'), '17\n')
    await expect(startEmbedded({ dataDir })).rejects.toThrow('written by PostgreSQL 17')
  })

  it('says why the server did not come up', async () => {
    const dataDir = dataDirNamed('broken')
    const first = await startEmbedded({ dataDir, fast: true })
    await first.stop()
    writeFileSync(join(dataDir, 'postgresql.conf'), 'no_such_setting = 1\n')
    await expect(startEmbedded({ dataDir, fast: true })).rejects.toThrow('unrecognized configuration parameter "no_such_setting"')
  })

  it('refuses the second instance, here and in another process, and leaves the first alone', async () => {
    const dataDir = dataDirNamed('twice')
    const first = await startEmbedded({ dataDir, fast: true })
    const refusal = `The data directory ${dataDir} is in use by another running instance.`
    await expect(startEmbedded({ dataDir, fast: true })).rejects.toThrow(refusal)
    await expect(supervise({ dataDir, fast: true })).rejects.toThrow(refusal)
    expect(await ask(first.pool, 'select 1 as one')).toEqual({ one: 1 })
    await first.stop()
  })

  it('keeps data over a restart, durably, reachable by its socket alone, with trigrams of every alphabet', async () => {
    const dataDir = dataDirNamed('kept')
    const first = await startEmbedded({ dataDir })
    await ask(first.pool, 'create table kept as select 7 as seven')
    const settings = `select current_setting('fsync') as fsync, current_setting('listen_addresses') as addresses, current_setting('max_wal_size') as wal`
    expect(await ask(first.pool, settings)).toEqual({ fsync: 'on', addresses: '', wal: '256MB' })
    await ask(first.pool, 'create extension pg_trgm')
    expect((await ask(first.pool, "select show_trgm('Иван') as cyrillic, show_trgm('José') as accent")).cyrillic).toHaveLength(5)
    expect(lstatSync(String(first.pool.host)).mode & 0o777).toBe(0o700)
    await first.stop()
    await first.stop()
    expect(processFacts(first.postmasterPid)).toBeNull()
    const second = await startEmbedded({ dataDir })
    expect(await ask(second.pool, 'select seven from kept')).toEqual({ seven: 7 })
    await second.stop()
  })

  it('starts anew after a preparation that was cut off', async () => {
    const dataDir = dataDirNamed('cut')
    mkdirSync(`${dataDir}.new-half`)
    writeFileSync(join(`${dataDir}.new-half`, 'PG_VERSION'), '18\n')
    const { stop } = await startEmbedded({ dataDir, fast: true })
    await stop()
    expect(readdirSync(base).filter((name) => name.startsWith('cut'))).toEqual(['cut'])
  })

  it('takes a data directory whose path is longer than a socket’s may be', async () => {
    const dataDir = dataDirNamed(join(...Array.from({ length: 6 }, (_, n) => `a-long-directory-name-${n}`), 'data'))
    expect(dataDir.length).toBeGreaterThan(107)
    const { pool, stop } = await startEmbedded({ dataDir, fast: true })
    expect(await ask(pool, 'select 1 as one')).toEqual({ one: 1 })
    await stop()
  })

  it.runIf(isRoot)(
    'runs as another user when root starts it, whatever the umask, with data below a directory only root may enter',
    async () => {
      const home = join(base, 'root-home')
      mkdirSync(home)
      chmodSync(home, 0o700)
      const own = join(base, 'fresh', 'cache')
      const { child, pid, pool } = await supervise({ dataDir: join(home, 'data'), cacheDir: own, fast: true }, { before: 'umask 077' })
      expect(lstatSync(`/proc/${pid}`).uid).toBe(ownAccount.uid)
      expect(await ask(pool, 'select 1 as one')).toEqual({ one: 1 })
      const data = realpathSync(join(home, 'data'))
      dataDirs.push(data)
      expect(data.startsWith(join(own, 'data'))).toBe(true)
      expect(lstatSync(data).mode & 0o077).toBe(0)
      await kill(child)
    },
  )

  it.runIf(isRoot)('runs as a normal user, and then as root on the same data without taking them away', async () => {
    const as = { uid: 65_534, gid: 65_534 }
    const home = join(base, 'user-home')
    mkdirSync(home)
    chmodSync(home, 0o777)
    const dataDir = dataDirNamed(join('user-home', 'data'))
    const user = await supervise({ dataDir, cacheDir: join(home, 'cache'), fast: true }, { as })
    expect(lstatSync(`/proc/${user.pid}`).uid).toBe(as.uid)
    await kill(user.child)
    await expect.poll(() => processesIn(dataDir)).toEqual([])
    const { stop, postmasterPid } = await startEmbedded({ dataDir, fast: true })
    expect(lstatSync(`/proc/${postmasterPid}`).uid).toBe(as.uid)
    await stop()
  })
})

describe('startEmbedded, when things are killed', () => {
  it('spares the database from Ctrl-C, and leaves no process behind when its supervisor is killed', async () => {
    const dataDir = dataDirNamed('interrupted')
    const { child, pid, pool } = await supervise({ dataDir, fast: true })
    expect(stat(pid, 3)).not.toBe(stat(child.pid ?? 0, 3))
    const interrupted = line(child)
    process.kill(-(child.pid ?? 0), 'SIGINT')
    expect(await interrupted).toBe('interrupted\n')
    expect(await ask(pool, 'select 1 as one')).toEqual({ one: 1 })
    await kill(child)
    await expect.poll(() => processesIn(dataDir), { timeout: 5_000 }).toEqual([])
    expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false)
  })

  it('starts at once while the database of a killed supervisor still shuts down, and misses no commit', async () => {
    const dataDir = dataDirNamed('hurried')
    const first = await supervise({ dataDir, fast: true })
    await ask(first.pool, 'create table kept as select 7 as seven')
    await kill(first.child)
    const { pool, stop } = await startEmbedded({ dataDir, fast: true })
    expect(await ask(pool, 'select seven from kept')).toEqual({ seven: 7 })
    await stop()
  })

  it('stops the survivor of a crash that took the supervisor and its watchdog, and starts on its data', async () => {
    const dataDir = dataDirNamed('survived')
    const { child, pid, pool } = await supervise({ dataDir, fast: true })
    await ask(pool, 'create table kept as select 7 as seven')
    const watchdogSession = stat(pid, 3)
    const watchdogs = readdirSync('/proc')
      .map(Number)
      .filter((other) => other && processFacts(other)?.commandLine.startsWith('/bin/sh') && stat(other, 3) === watchdogSession)
    expect(watchdogs).toHaveLength(2)
    // held still first: whoever were left for a moment would see the others end, and stop the database
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const one of [child.pid ?? 0, ...watchdogs]) process.kill(one, signal)
    await kill(child)
    expect(processFacts(pid)?.zombie).toBe(false)
    const next = await startEmbedded({ dataDir, fast: true })
    expect(processFacts(pid)?.zombie ?? true).toBe(true)
    expect(await ask(next.pool, 'select seven from kept')).toEqual({ seven: 7 })
    await next.stop()
  })

  it('tells that the database was killed, and recovers every commit at the next start', async () => {
    const dataDir = dataDirNamed('killed')
    const first = await startEmbedded({ dataDir })
    await ask(first.pool, 'create table kept as select 7 as seven')
    process.kill(first.postmasterPid, 'SIGKILL')
    await first.exited
    await first.stop()
    const second = await startEmbedded({ dataDir })
    expect(await ask(second.pool, 'select seven from kept')).toEqual({ seven: 7 })
    await second.stop()
  })

  it('starts beside a zombie that still has the number in postmaster.pid', async () => {
    const dataDir = dataDirNamed('zombie')
    const first = await startEmbedded({ dataDir, fast: true })
    await first.stop()
    const socketDir = createSocketDirectory(dataDir, account)
    const binaries = installBinaries(locatePlatformPackage(choosePlatformPackage(platformFacts())), defaultCacheDir())
    const flags = serverFlags({ dataDir, socketDir, fast: true })
    // `sleep` collects no children, like the first process of many containers.
    const parent = spawn('/bin/sh', ['-c', '"$@" & exec sleep 60', 'sh', join(binaries, 'bin', 'postgres'), ...flags], {
      cwd: '/',
      stdio: 'ignore',
      ...account,
    })
    started.push(parent)
    await expect.poll(() => ask(first.pool, 'select 1 as one').catch(() => null), { timeout: 5_000 }).toEqual({ one: 1 })
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => processFacts(pid)?.zombie).toBe(true)
    const second = await startEmbedded({ dataDir, fast: true })
    expect(await ask(second.pool, 'select 1 as one')).toEqual({ one: 1 })
    await second.stop()
    parent.kill('SIGKILL')
  })
})
