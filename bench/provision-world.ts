import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createScimTarget } from '@instep/connectors/scim/scim-target.ts'
import { openDatabase } from '@instep/server/platform/db/database.ts'
import { startEmbedded } from '@instep/server/platform/db/embedded/start-embedded.ts'
import { migrate } from '@instep/server/platform/db/migrate.ts'
import { uuidv7 } from '@instep/server/platform/ids.ts'
import { sql } from 'kysely'

/** Requests to the target at one time. */
export const CONCURRENCY = 32
export const TOKEN = 'bench'
export const tenantId = uuidv7()
export const sourceId = uuidv7()
export const targetId = uuidv7()

/** A target in a process of its own that does as little as can be. */
export interface NoopScim {
  readonly origin: string
  holds(): Promise<number>
  /** Changes that it was sent. */
  patches(): Promise<number>
  forget(): Promise<void>
  /** Every answer from now on waits so many milliseconds. */
  delay(milliseconds: number): Promise<void>
  close(): Promise<void>
}

const startNoopScim = async (): Promise<NoopScim> => {
  const child: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, 'noop-scim.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const port = await new Promise<string>((resolve) => child.stdout?.once('data', (data) => resolve(String(data).trim())))
  const origin = `http://127.0.0.1:${port}`
  const count = async () => (await (await fetch(`${origin}/count`)).json()) as { holds: number; patches: number }
  return {
    origin,
    holds: async () => (await count()).holds,
    patches: async () => (await count()).patches,
    forget: async () => {
      await fetch(`${origin}/count`, { method: 'DELETE' })
    },
    delay: async (milliseconds) => {
      await fetch(`${origin}/latency/${milliseconds}`)
    },
    close: async () => {
      const exited = once(child, 'exit')
      child.stdin?.end()
      await exited
    },
  }
}

/** A database of its own with a tenant, a source and a target, and the target's stand-in; nobody works there yet. */
export const startProvisionWorld = async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'instep-bench-'))
  const server = await startEmbedded({ dataDir: path.join(dataDir, 'database') })
  const database = openDatabase({ ...server.pool, max: 10 })
  const { db } = database
  await migrate(db)
  await sql`insert into tenants (id, name) values (${tenantId}, 'Bench')`.execute(db)
  await sql`
    insert into connectors (tenant_id, id, name, definition_id, kind, ingestion_type)
    values (${tenantId}, ${sourceId}, 'HR', 'file', 'source', 'file'), (${tenantId}, ${targetId}, 'Workplace', 'scim', 'target', 'target')`.execute(
    db,
  )
  const scim = await startNoopScim()
  const properties = { baseUrl: `${scim.origin}/scim/v2`, allowHttp: true }
  return {
    db,
    scim,
    target: () => createScimTarget(properties, { token: TOKEN }, { connections: CONCURRENCY }),
    close: async () => {
      await database.close()
      await server.stop()
      await scim.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
