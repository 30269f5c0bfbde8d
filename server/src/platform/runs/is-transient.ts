/** SQLSTATE classes and codes after which the same work may succeed: connection trouble, shutdown, deadlock, serialisation, resources. */
const STATES = /^(08...|57P0[1-5]|40001|40P01|53...|25P03)$/
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
const WORDS = /connection terminated|connection ended|not queryable|timeout exceeded when trying to connect/i

/** Whether an error speaks of the database's health rather than of the work: the work is to be done again, not given up. */
export const isTransient = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as Error & { code?: unknown; syscall?: unknown }
  if (typeof code === 'string' && STATES.test(code)) return true
  // a socket that is not there; a file that is not there is something else
  if (typeof code === 'string' && SYSTEM.has(code)) return code !== 'ENOENT' || syscall === 'connect'
  return WORDS.test(error.message)
}
