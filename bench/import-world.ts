import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Run } from '@instep/contract/sync.ts'
import pg from 'pg'
import { peopleMapping, writePeopleFile } from './people-file.ts'

/** A server with an empty tenant, and a file of people to bring in. */
export interface World {
  readonly people: number
  readonly file: string
  /** A folder of its own, gone when it closes. */
  readonly folder: string
  readonly url: string
  readonly token: string
  readonly tenantId: string
  readonly connectorId: string
  readonly database: pg.Pool
  memory(): Promise<{ rss: number; peak: number }>
  close(): Promise<void>
}

/** Starts the server in a process of its own and writes the file. */
export const startWorld = async (people: number): Promise<World> => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'instep-bench-'))
  mkdirSync(dataDir, { recursive: true })
  const file = path.join(dataDir, 'people.csv')
  await writePeopleFile(file, people)
  const child: ChildProcess = spawn(process.execPath, [path.join(import.meta.dirname, 'import-server.ts'), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (!child.stdout || !child.stdin) throw new Error('the server has no pipes')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async () => JSON.parse(String((await lines.next()).value)) as never
  const { pool, ...told } = (await read()) as { pool: pg.PoolConfig; url: string; token: string; tenantId: string; connectorId: string }
  const database = new pg.Pool({ ...pool, max: 2 })
  return {
    ...told,
    people,
    file,
    folder: dataDir,
    database,
    memory: async () => {
      child.stdin?.write('memory\n')
      return read()
    },
    close: async () => {
      await database.end()
      const exited = once(child, 'exit')
      child.stdin?.end()
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const call = async <T>({ url, token }: World, route: string, init: RequestInit = {}): Promise<T> => {
  const response = await fetch(`${url}/v1${route}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  const body = await response.text()
  if (!response.ok) throw new Error(`${route}: ${response.status} ${body}`)
  return JSON.parse(body) as T
}

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const until = async (world: World, runId: string, states: readonly Run['state'][]): Promise<Run> => {
  for (;;) {
    const { data } = await call<{ data: Run[] }>(world, `/connectors/${world.tenantId}/runs?pageSize=1`)
    const run = data.find(({ id }) => id === runId)
    if (run && states.includes(run.state)) return run
    if (run?.state === 'failed') throw new Error(`the run failed: ${JSON.stringify(run.failure)}`)
    await pause(20)
  }
}

/** The main job over HTTP; seconds from the upload to the plan, and from the approval to the end. */
export const importFile = async (world: World, file = world.file): Promise<{ plan: number; apply: number; run: Run }> => {
  const form = new FormData()
  form.append('file', await openAsBlob(file), 'people.csv')
  const begun = performance.now()
  const { id } = await call<{ id: string }>(world, `/connectors/${world.connectorId}/files`, { method: 'POST', body: form })
  const started = await call<Run>(world, `/connectors/${world.connectorId}/runs`, post({ fileId: id, mapping: peopleMapping }))
  await until(world, started.id, ['planned'])
  const planned = performance.now()
  await call(world, `/connectors/${world.tenantId}/runs/${started.id}/apply`, post({}))
  const run = await until(world, started.id, ['succeeded'])
  return { plan: (planned - begun) / 1000, apply: (performance.now() - planned) / 1000, run }
}

/** What each stage of a run looked at, and how long. */
export const describe = (name: string, run: Run): string =>
  `${name}: ${run.stages.map((stage) => `${stage.name} ${stage.count} in ${stage.milliseconds} ms`).join(', ')}`

/** Takes everybody out of the directory. */
export const empty = async ({ database }: World): Promise<void> => {
  await database.query(
    'truncate users, people_counts, source_links, plan_rows, target_accounts, events, runs, files, staged_records cascade',
  )
  await database.query('checkpoint')
}

/** What must not be written where nothing has changed (decisions.md section 9), and what would reach a target or an administrator. */
const LEFT_ALONE = [
  'users',
  'user_overrides',
  'source_links',
  'plan_rows',
  'target_accounts',
  'messages',
  'manager_references',
  'lookup_values',
  'match_cases',
] as const

/** Changes with any row that is written in the tables that the same file again must leave alone. */
const fingerprints = async ({ database }: World): Promise<string> => {
  const each = LEFT_ALONE.map(
    (table) => `select '${table}' as name, count(*)::text as rows, coalesce(max(xmin::text::bigint), 0)::text as newest from ${table}`,
  )
  const { rows } = await database.query(`${each.join(' union all ')} order by name`)
  return JSON.stringify(rows)
}

/** Imports what was imported last once more; throws where that writes a row. */
export const importAgain = async (world: World, file = world.file): ReturnType<typeof importFile> => {
  const before = await fingerprints(world)
  const again = await importFile(world, file)
  const after = await fingerprints(world)
  if (after !== before) throw new Error(`the same file again has written rows: ${before} became ${after}`)
  return again
}
