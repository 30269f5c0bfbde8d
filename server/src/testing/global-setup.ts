import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { socketDirectoryOf } from '../platform/db/embedded/socket-directory.ts'
import { startEmbedded } from '../platform/db/embedded/start-embedded.ts'
import { type DatabaseServer, serverAt } from './database-server.ts'

const prefix = 'instep-test-'

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const mayRemove = (path: string): boolean => {
  const uid = process.getuid?.()
  return uid === 0 || lstatSync(path, { throwIfNoEntry: false })?.uid === uid
}

/** A run that was killed leaves its directory; the process in its name says whether it still runs. */
const removeLeftovers = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name)
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    // what has no process in its name is not ours
    if (!name.startsWith(prefix) || Number.isNaN(pid) || isRunning(pid) || !mayRemove(path)) continue
    for (const dir of [path, socketDirectoryOf(path)]) rmSync(dir, { recursive: true, force: true })
  }
}

const startOwn = async (): Promise<{ server: DatabaseServer; stop(): Promise<void> }> => {
  removeLeftovers()
  const asked = join(tmpdir(), `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`)
  const { pool, dataDir, stop } = await startEmbedded({ dataDir: asked, fast: true })
  return {
    server: { host: String(pool.host), port: Number(pool.port), user: String(pool.user), database: String(pool.database) },
    stop: async () => {
      await stop()
      for (const dir of [asked, dataDir]) rmSync(dir, { recursive: true, force: true })
    },
  }
}

const dropDatabases = async (server: DatabaseServer, run: string): Promise<void> => {
  const client = new pg.Client({ ...server })
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select datname as name from pg_database where starts_with(datname, $1)', [
    `it_${run}_`,
  ])
  for (const { name } of rows) await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
  await client.end()
}

/**
 * Provides one database server to all test files: the one in TEST_DATABASE_URL, else an embedded one with test settings in a temporary
 * directory. Several runs at once do not meet.
 * @returns the teardown
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const run = randomBytes(4).toString('hex')
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    const server = serverAt(given)
    project.provide('databaseServer', server)
    project.provide('databaseRun', run)
    return () => dropDatabases(server, run)
  }
  const { server, stop } = await startOwn()
  project.provide('databaseServer', server)
  project.provide('databaseRun', run)
  return stop
}
