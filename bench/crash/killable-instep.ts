import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@instep/server/sandbox/sandbox-process.ts'

/** The real server as a process that can be killed at any moment and started again on the same data. */
export interface KillableInstep {
  readonly url: string
  readonly publicUrl: string
  start(): Promise<void>
  /** SIGKILL to the server, and to the database's postmaster as well where asked. */
  kill(withPostmaster: boolean): void
  stop(): Promise<void>
}

const MAIN = path.resolve(import.meta.dirname, '../../server/src/main.ts')

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) })).ok
  } catch {
    return false
  }
}

const postmasterPid = (dataDir: string): number | undefined => {
  const file = path.join(dataDir, 'database/postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) || undefined : undefined
}

export const killableInstep = async (dataDir: string): Promise<KillableInstep> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const publicUrl = `http://localhost:${port}`
  const environment = {
    ...process.env,
    DATA_DIR: dataDir,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(dataDir, 'compiled'),
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    SANDBOX: 'off',
    // the workplace of the test is on this machine
    SOURCES_ALLOW_PRIVATE: 'on',
    LOG_LEVEL: 'error',
    FIRST_ADMIN: JSON.stringify({ email: `crash-${randomBytes(3).toString('hex')}@test.example`, name: 'Crash test' }),
  }
  let child: ChildProcess | undefined
  let complaint = ''
  return {
    url,
    publicUrl,
    start: async () => {
      const started = spawn(process.execPath, [MAIN], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
      child = started
      complaint = ''
      started.stderr.on('data', (chunk: Buffer) => {
        complaint = `${complaint}${chunk.toString()}`.slice(-2000)
      })
      while (!(await isReady(url))) {
        if (started.exitCode !== null) throw new Error(`the server did not start again: ${complaint}`)
        await sleep(40)
      }
    },
    kill: (withPostmaster) => {
      const pid = withPostmaster ? postmasterPid(dataDir) : undefined
      child?.kill('SIGKILL')
      if (pid) process.kill(pid, 'SIGKILL')
    },
    stop: async () => {
      const ending = child
      if (!ending || ending.exitCode !== null) return
      const ended = new Promise((resolve) => ending.once('exit', resolve))
      ending.kill('SIGTERM')
      await ended
    },
  }
}
