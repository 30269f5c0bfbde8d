import { appendFile, lstat, rm } from 'node:fs/promises'
import path from 'node:path'
import { makeDataDirectory, PREPARED, startServer } from './start-server.ts'

/** No journey outlives a power cut, so the database need not wait for the disk. */
const HASTE = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off', ''].join('\n')

/**
 * Starts the server on an empty directory once and stops it, so that every file of journeys begins with a copy of what a first start leaves
 * instead of a first start of its own.
 *
 * @returns what removes it after the last journey
 */
export default async (): Promise<() => Promise<void>> => {
  const directory = await makeDataDirectory()
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const server = await startServer('implicit', { directory, keep: true })
    await server.stop()
    const database = path.join(directory, 'database')
    // where root's temporary files are closed to others the database lies elsewhere: then each file begins with an empty directory
    if ((await lstat(database)).isSymbolicLink()) return remove
    await appendFile(path.join(database, 'postgresql.auto.conf'), HASTE)
  } catch (error) {
    await remove()
    throw error
  }
  process.env[PREPARED] = directory
  return remove
}
