import path from 'node:path'
import { ConfigError, readConfig } from './config.ts'
import { DatabaseRefusal } from './platform/db/database-refusal.ts'
import { spareMemory } from './platform/spare-memory.ts'
import { startInstep } from './start-instep.ts'

spareMemory()

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const refuse = (line: string): never => {
  process.stderr.write(`${line}\n`)
  return process.exit(1)
}

/** Whatever hangs for so long is cut off; what was in hand is taken up again at the next start, as after a crash. */
const STOP_MILLISECONDS = 10_000

const start = async (): Promise<void> => {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < 24) refuse(`Instep runs on Node 24; this is ${process.version}. Start it with "npm start", which brings its own.`)
  const config = readConfig(process.env)
  const instep = await startInstep({ ...config, DATA_DIR: path.resolve(config.DATA_DIR) })
  for (const line of instep.greeting) say(line)

  let stopping = false
  const stop = async (): Promise<void> => {
    // a second Ctrl-C does not wait
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => refuse('Instep did not stop by itself and was ended.'), STOP_MILLISECONDS)
    await instep.stop()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

start().catch((error: unknown) => {
  if (error instanceof ConfigError || error instanceof DatabaseRefusal) return refuse(error.message)
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return refuse(`Port ${(error as { port?: number }).port} is in use. Set PORT (and SANDBOX_PORT) to free ones.`)
  return refuse(error instanceof Error ? (error.stack ?? error.message) : String(error))
})
