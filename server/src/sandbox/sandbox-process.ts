import { spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SandboxOptions {
  /** 0 takes a free one. */
  readonly port: number
  readonly people: number
  readonly dataDir: string
}

export interface SandboxProcess {
  readonly url: string
  stop(): Promise<void>
}

const MAIN = path.resolve(import.meta.dirname, '../../../sandbox/src/main.ts')

/** The wanted port, or any with 0, when it is free now; rejects with EADDRINUSE when it is not. */
export const freePort = (wanted = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/hr`, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

/** Starts the HR system and the workplace as a process of their own; it ends with this one, however that ends. */
export const startSandboxProcess = async ({ port, people, dataDir }: SandboxOptions): Promise<SandboxProcess> => {
  // asked first, because whoever has the port already would answer in place of the sandbox
  const taken = await freePort(port)
  const url = `http://127.0.0.1:${taken}`
  const options = { port: taken, people, 'data-dir': dataDir }
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(process.execPath, [MAIN, ...words, '--with-parent'], { stdio: ['pipe', 'ignore', 'pipe'], detached: true })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString()}`.slice(-2000)
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`The sandbox did not start on port ${taken}: ${complaint.trim()}`)
    await sleep(50)
  }
  return {
    url,
    stop: () => {
      child.stdin.end()
      child.kill('SIGTERM')
      return ended
    },
  }
}
