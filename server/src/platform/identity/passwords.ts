import { hash, verify } from '@node-rs/argon2'

// Argon2id with the OWASP parameters: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** The stored form (PHC string, argon2id) of a password. */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'), COST)

/** Whether `password` is the one behind `stored`. A stored value that cannot be read matches nothing. */
export type PasswordCheck = (stored: string, password: string) => Promise<boolean>

/**
 * A password check that runs at most `parallel` hashes at the same time, so that a flood of guesses takes neither
 * all memory (19 MiB each) nor all threads of the pool that the database driver and file access share.
 */
export const createPasswordCheck = (parallel = 2): PasswordCheck => {
  let running = 0
  const waiting: (() => void)[] = []
  const enter = () => {
    if (running < parallel) {
      running += 1
      return Promise.resolve()
    }
    return new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const following = waiting.shift()
    if (following === undefined) running -= 1
    else following()
  }
  return async (stored, password) => {
    await enter()
    try {
      return await verify(stored, password.normalize('NFC'))
    } catch {
      return false
    } finally {
      leave()
    }
  }
}
