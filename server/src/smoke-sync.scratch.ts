import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { applyRun } from './features/sync/decide-run.ts'
import { insertFile } from './features/sync/files.store.ts'
import { syncHandler } from './features/sync/public.ts'
import { sightOfRun } from './features/sync/runs.views.ts'
import { startRun } from './features/sync/start-run.ts'
import { uploadPath } from './features/sync/uploads.ts'
import { openDatabase } from './platform/db/database.ts'
import { startEmbedded } from './platform/db/embedded/start-embedded.ts'
import { migrate } from './platform/db/migrate.ts'
import { createRunWorker } from './platform/runs/run-worker.ts'
import { watch } from './platform/runs/watch.ts'

const N = Number(process.argv[2] ?? 1000)
const dataDir = '/tmp/sync/data'
rmSync('/tmp/sync/db', { recursive: true, force: true })
rmSync(dataDir, { recursive: true, force: true })
mkdirSync(dataDir + '/files', { recursive: true })
const e = await startEmbedded({ dataDir: '/tmp/sync/db' })
const { db, pool, close } = openDatabase({ ...e.pool, max: 10 })
await migrate(db)
const t = randomUUID(),
  c = randomUUID(),
  g = randomUUID()
await sql`insert into tenants (id, name) values (${t}, 'T')`.execute(db)
await sql`insert into connectors (tenant_id, id, name, definition_id, kind, ingestion_type) values (${t}, ${c}, 'HR', 'file', 'source', 'file'), (${t}, ${g}, 'W', 'scim', 'target', 'target')`.execute(
  db,
)
for (let i = 0; i < 40; i++) await sql`insert into sites (tenant_id, id, name) values (${t}, ${randomUUID()}, ${'Store ' + i})`.execute(db)
const clock = { now: () => new Date() }
const log: any = { info() {}, warn: console.log, error: console.log, child: () => log }
const worker = createRunWorker({ db, clock, log, handlers: { sync: syncHandler({ db, pool, clock, dataDir }) }, pollMilliseconds: 1000 })
worker.start()
const deps: any = { db, clock, dataDir, maxFileBytes: 1e9, continuation: null, nudge: worker.nudge }
const by = { kind: 'admin' as const, id: null, name: 'A' }
const fields = [
  'externalId',
  'employeeNumber',
  'givenName',
  'familyName',
  'workEmail',
  'personalPhone',
  'preferredLanguage',
  'title',
  'department',
  'division',
  'organization',
  'costCenter',
  'locationName',
  'manager',
  'startDate',
]
const csv = (n: number, change = 0) => {
  const first = ['Anna', 'Bruno', 'Chloé', 'David', 'Élodie', 'Fatima', 'George', 'Hana', 'Ivan', 'José'],
    last = ['Martin', 'Schmidt', 'O’Connor', 'García', 'Nowak', 'Rossi', 'Dubois', 'Singh', 'Kim', 'Lefèvre']
  const lines = [fields.join(',')]
  for (let i = 0; i < n; i++) {
    const f = first[i % 10],
      l = last[Math.floor(i / 10) % 10] + (i % 977)
    lines.push(
      [
        `E${100000 + i}`,
        100000 + i,
        f,
        l,
        `user${i}@example.com`,
        `+4479${String(10000000 + i)}`,
        i % 3 ? 'en-GB' : 'fr-FR',
        i < change ? 'Head of change' : `Sales associate ${i % 37}`,
        `Department ${i % 53}`,
        `Division ${i % 7}`,
        'Example Retail Ltd',
        `CC${i % 211}`,
        `Store ${i % 50}`,
        `E${100000 + Math.floor(i / 12)}`,
        `${1 + (i % 28)}/${1 + (i % 12)}/20${10 + (i % 14)}`,
      ].join(','),
    )
  }
  return lines.join('\n') + '\n'
}
const wait = async (id: string, states: string[]) => {
  for await (const run of watch(async () => (await sightOfRun(db, { tenantId: t, runId: id }))!, {
    signal: new AbortController().signal,
    pollMilliseconds: 20,
  }))
    if (states.includes(run.state)) return run
}
const go = async (text: string, mapping = true) => {
  const id = randomUUID()
  writeFileSync(uploadPath(dataDir, id), text)
  await db.transaction().execute((tx) =>
    insertFile(tx, {
      tenantId: t,
      id,
      connectorId: c,
      name: 'x.csv',
      size: text.length,
      format: 'csv',
      createdAt: new Date(),
      createdBy: by,
    }),
  )
  const t0 = performance.now()
  const run = await startRun(deps, {
    tenantId: t,
    connectorId: c,
    fileId: id,
    mapping: mapping
      ? ({ fields: Object.fromEntries(fields.map((f) => [f, { column: f, ...(f === 'startDate' ? { dateFormat: 'DMY' } : {}) }])) } as any)
      : undefined,
    by,
    correlationId: randomUUID(),
    encoding: undefined,
    delimiter: undefined,
  })
  const planned = await wait(run.id, ['planned', 'held', 'failed'])
  const t1 = performance.now()
  console.log(planned!.state, planned!.counts, planned!.held, planned!.failure)
  if (planned!.state === 'failed') return
  await applyRun(deps, { tenantId: t, runId: run.id, by, reason: 'ok' })
  const done = await wait(run.id, ['succeeded', 'partlySucceeded', 'failed'])
  const t2 = performance.now()
  console.log(
    (report(), done!.state),
    done!.applied,
    done!.stale,
    done!.failure,
    done!.stages.map((s) => `${s.name} ${s.count} ${s.milliseconds}ms`).join(' | '),
    `plan ${((t1 - t0) / 1000).toFixed(2)}s apply ${((t2 - t1) / 1000).toFixed(2)}s rss ${(process.memoryUsage().rss / 1e6).toFixed(0)}`,
  )
}
console.log('idle rss', (process.memoryUsage().rss / 1e6).toFixed(0))
const seen: Record<string, number> = {}
const sampler = setInterval(() => {
  void pool
    .query(
      "select left(regexp_replace(query, '\\s+', ' ', 'g'), 130) q from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()",
    )
    .then((r) => {
      for (const { q } of r.rows) seen[q] = (seen[q] ?? 0) + 1
    })
}, 50)
const report = () => {
  for (const [q, n] of Object.entries(seen)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 9))
    console.log('   ', (n * 0.05).toFixed(2), q)
  for (const k of Object.keys(seen)) delete seen[k]
}
try {
  await go(csv(N))
  await go(csv(N))
  await go(csv(N, 5))
  await go(csv(Math.floor(N * 0.95)), false)
  await go(csv(N), false)
  console.log(
    (
      await sql`select (select count(*) from users) users, (select count(*) from users where site_id is not null) sited, (select count(*) from events) events, (select count(*) from target_accounts) accounts, (select count(*) from source_links) links, (select count(*) from plan_rows) plan`.execute(
        db,
      )
    ).rows[0],
  )
  console.log((await sql`select * from users limit 1`.execute(db)).rows[0])
} finally {
  clearInterval(sampler)
  await worker.stop()
  await close()
  await e.stop()
}
