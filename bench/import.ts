import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Run } from '@instep/contract/sync.ts'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import type { Figures, Scenario, Sides } from './harness.ts'
import { peopleMapping, writePeopleFile } from './people-file.ts'

interface World {
  readonly people: number
  readonly file: string
  readonly copy: string
  readonly url: string
  readonly token: string
  readonly tenantId: string
  readonly connectorId: string
  readonly database: pg.Pool
  memory(): Promise<{ rss: number; peak: number }>
  close(): Promise<void>
}

const SEEN = ['users', 'user_overrides', 'source_links', 'plan_rows', 'target_accounts'] as const

/** A file of people from upload to the last row applied and pending at the target, against a bare COPY of the same rows into `users`. */
export const importScenario: Scenario = {
  name: 'import',
  units: { total: 's', 'upload to plan': 's', 'approve to applied': 's', 'same file again': 's', 'memory growth': 'MB' },
  prepare: async (options) => {
    const world = await startWorld(Number(options.get('rows') ?? 100_000))
    const stages: string[] = []
    let idle = (await world.memory()).rss
    const subject = async (): Promise<Figures> => {
      await empty(world)
      await world.memory()
      const first = await importFile(world)
      await assertApplied(world)
      const { peak } = await world.memory()
      const before = await fingerprints(world)
      const again = await importFile(world)
      if ((await fingerprints(world)) !== before) throw new Error('the same file again has written rows')
      stages.push(describe('first', first.run), describe('again', again.run))
      return {
        total: first.plan + first.apply,
        'upload to plan': first.plan,
        'approve to applied': first.apply,
        'same file again': again.plan + again.apply,
        'memory growth': (peak - idle) / 1e6,
      }
    }
    // the rows that the floor copies are the rows that the product makes of the file
    await subject()
    await exportUsers(world)
    idle = Math.min(idle, (await world.memory()).rss)
    const sides: Sides = { subject, floor: () => copyUsers(world), report: async () => stages.slice(-2), close: world.close }
    return sides
  },
}

const describe = (name: string, run: Run): string =>
  `${name}: ${run.stages.map((stage) => `${stage.name} ${stage.count} in ${stage.milliseconds} ms`).join(', ')}`

const startWorld = async (people: number): Promise<World> => {
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
    copy: path.join(dataDir, 'users.copy'),
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

const empty = async ({ database }: World): Promise<void> => {
  await database.query('truncate users, source_links, plan_rows, target_accounts, events, runs, files, staged_records cascade')
  await database.query('checkpoint')
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
const importFile = async (world: World): Promise<{ plan: number; apply: number; run: Run }> => {
  const form = new FormData()
  form.append('file', await openAsBlob(world.file), 'people.csv')
  const begun = performance.now()
  const { id } = await call<{ id: string }>(world, `/connectors/${world.connectorId}/files`, { method: 'POST', body: form })
  const started = await call<Run>(world, `/connectors/${world.connectorId}/runs`, post({ fileId: id, mapping: peopleMapping }))
  await until(world, started.id, ['planned'])
  const planned = performance.now()
  await call(world, `/connectors/${world.tenantId}/runs/${started.id}/apply`, post({}))
  const run = await until(world, started.id, ['succeeded'])
  return { plan: (planned - begun) / 1000, apply: (performance.now() - planned) / 1000, run }
}

const assertApplied = async ({ database, people }: World): Promise<void> => {
  const { rows } = await database.query<{ users: number; pending: number }>(`
    select (select count(*)::integer from users) as users, (select count(*)::integer from target_accounts where state = 'pending') as pending`)
  if (rows[0]?.users !== people || rows[0].pending !== people) throw new Error(`of ${people} people: ${JSON.stringify(rows[0])}`)
}

/** Changes with any row that is written in the tables that the same file again must leave alone. */
const fingerprints = async ({ database }: World): Promise<string> => {
  const each = SEEN.map(
    (table) => `select '${table}' as name, count(*)::text as rows, coalesce(max(xmin::text::bigint), 0)::text as newest from ${table}`,
  )
  const { rows } = await database.query(`${each.join(' union all ')} order by name`)
  return JSON.stringify(rows)
}

const userColumns = async ({ database }: World): Promise<string> => {
  const { rows } = await database.query<{ columns: string }>(`
    select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
    where attrelid = 'users'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`)
  return rows[0]?.columns ?? ''
}

const exportUsers = async (world: World): Promise<void> => {
  const client = await world.database.connect()
  await pipeline(client.query(to(`copy users (${await userColumns(world)}) to stdout`)), createWriteStream(world.copy))
  client.release()
}

/** The floor: the same rows into `users` with all its indexes, by one COPY. */
const copyUsers = async (world: World): Promise<Figures> => {
  await empty(world)
  const columns = await userColumns(world)
  const client = await world.database.connect()
  const begun = performance.now()
  await pipeline(createReadStream(world.copy), client.query(from(`copy users (${columns}) from stdin`)))
  const total = (performance.now() - begun) / 1000
  client.release()
  return { total }
}
