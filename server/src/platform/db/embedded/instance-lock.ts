import { randomUUID } from 'node:crypto'
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseRefusal } from '../database-refusal.ts'

/** Held while this process owns a data directory. It ends with the process, however that ends. */
export interface InstanceLock {
  release(): Promise<void>
}

type State = 'candidate' | 'owner' | 'gone'

const prefix = 'owner-'

/** A process that takes a connection but is too busy to answer within this time, in milliseconds, is alive and counts as the owner. */
const patience = 5_000

/** Asks the instance that listens on a socket for its state. */
const stateAt = (path: string): Promise<State> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(path)
    socket.setEncoding('utf8')
    socket.setTimeout(patience, () => {
      socket.destroy()
      resolve('owner')
    })
    socket.on('data', (text: string) => {
      answer += text
    })
    socket.on('error', () => resolve('gone'))
    socket.on('end', () => resolve(answer === 'candidate' ? 'candidate' : 'owner'))
  })

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })

/**
 * Whether this candidate may become the owner. Each candidate shows itself before it looks at the others, so of two at least one sees the other.
 * It gives way to an owner and to a candidate of smaller name; a candidate of larger name may not have seen it, so it waits for that one's choice.
 */
const prevails = async (dir: string, own: string): Promise<boolean> => {
  for (const name of readdirSync(dir)) {
    if (!name.startsWith(prefix) || name === own) continue
    let state = await stateAt(join(dir, name))
    while (state === 'candidate' && name > own) {
      await delay(5)
      state = await stateAt(join(dir, name))
    }
    if (state !== 'gone') return false
    // Names are never used again, so a dead one cannot have become another's.
    rmSync(join(dir, name), { force: true })
  }
  return true
}

/**
 * Takes a data directory for this process by listening in its socket directory.
 * @throws DatabaseRefusal when another running instance has it
 */
export const takeInstanceLock = async (socketDir: string, dataDir: string): Promise<InstanceLock> => {
  const id = randomUUID().slice(0, 13)
  const own = `${prefix}${id}`
  let state: State = 'candidate'
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(state)
  })
  // Between bind and listen a socket refuses connections as a dead one does, so it gets its name afterwards.
  await listen(server, join(socketDir, `new-${id}`))
  renameSync(join(socketDir, `new-${id}`), join(socketDir, own))
  server.unref()
  const release = async () => {
    rmSync(join(socketDir, own), { force: true })
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  if (!(await prevails(socketDir, own))) {
    await release()
    throw new DatabaseRefusal(
      `The data directory ${dataDir} is in use by another running instance. Stop that one first, or choose another DATA_DIR.`,
    )
  }
  state = 'owner'
  return { release }
}
