import { spawn } from 'node:child_process'
import { constants, cpSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The product as a process of its own, with what it printed about itself. */
export interface RunningServer {
  /** Address of the console. */
  readonly url: string
  /** Address of the sandbox: HR system and workplace. */
  readonly sandbox: string
  /** Ends it as an operator would. Rejects unless it goes by itself, cleanly. */
  stop(): Promise<void>
}

const MAIN = path.resolve(import.meta.dirname, '../server/src/main.ts')
/** What Node made of the sources is kept, because the same ones start for every file of journeys. */
const COMPILED = path.resolve(import.meta.dirname, '../node_modules/.cache/e2e-compiled')
const START_MS = 120_000
const STOP_MS = 20_000

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    return false
  }
}

/** Names the directory that the files of journeys begin with copies of. */
export const PREPARED = 'INSTEP_E2E_PREPARED'

/** Makes an empty directory for a server, in which the account of its database finds its way also when root made it. */
export const makeDataDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(path.join(tmpdir(), 'instep-e2e-'))
  await chmod(directory, 0o711)
  return directory
}

const copyOfPrepared = async (): Promise<string> => {
  const directory = await makeDataDirectory()
  const prepared = process.env[PREPARED]
  if (!prepared) return directory
  cpSync(prepared, directory, { recursive: true, mode: constants.COPYFILE_FICLONE })
  // PostgreSQL takes no directory that others may read
  await chmod(path.join(directory, 'database'), 0o700)
  return directory
}

interface Given {
  readonly directory: string
  readonly keep?: boolean
}

const start = async (identityFlow: 'implicit' | 'code', given?: Given): Promise<RunningServer> => {
  const directory = given?.directory ?? (await copyOfPrepared())
  const settings = { DATA_DIR: directory, PORT: '0', SANDBOX_PORT: '0', SANDBOX_PEOPLE: '60', IDENTITY_FLOW: identityFlow }
  const environment = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, ...settings }
  const child = spawn(process.execPath, [MAIN], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))

  const stop = async () => {
    child.kill('SIGTERM')
    const code = await Promise.race([ended, sleep(STOP_MS, 'still running', { ref: false })])
    if (code !== 0) child.kill('SIGKILL')
    if (!given?.keep) await rm(directory, { recursive: true, force: true })
    if (code !== 0) throw new Error(`The server did not stop cleanly (${code}).\n${printed}`)
  }

  const deadline = Date.now() + START_MS
  const address = (label: string): string => new RegExp(`^ +${label} +(http://[^/\\s]+)`, 'm').exec(printed)?.[1] ?? ''
  while (!(address('Instep') && address('HR system') && (await isReady(address('Instep'))))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop().catch(() => undefined)
      throw new Error(`The server did not start.\n${printed}`)
    }
    await sleep(50)
  }
  return { url: address('Instep'), sandbox: address('HR system'), stop }
}

const PORT_TAKEN = /EADDRINUSE|^Port \d+ is in use/m

/**
 * Starts the server on free ports with 60 people in the HR system and everything else as it comes: on a copy of the prepared directory, or on the
 * directory given. The directory is removed at the end, unless it is to be kept.
 */
export const startServer = async (identityFlow: 'implicit' | 'code', given?: Given): Promise<RunningServer> => {
  try {
    return await start(identityFlow, given)
  } catch (error) {
    // between finding a free port and listening at it, somebody else may have taken it
    if (given || !PORT_TAKEN.test(String(error))) throw error
    return start(identityFlow)
  }
}
