/** The server of the import scenario in a process of its own, so that its memory is its own. Speaks lines of JSON on stdin and stdout. */
import path from 'node:path'
import { createInterface } from 'node:readline'
import { buildApp } from '@instep/server/app.ts'
import { readConfig } from '@instep/server/config.ts'
import { createAdmin } from '@instep/server/features/admins/public.ts'
import { createSite } from '@instep/server/features/sites/public.ts'
import { syncHandler } from '@instep/server/features/sync/public.ts'
import { createTenant } from '@instep/server/features/tenants/public.ts'
import { systemClock } from '@instep/server/platform/clock.ts'
import { createSecrets } from '@instep/server/platform/crypto/secrets.ts'
import { openDatabase } from '@instep/server/platform/db/database.ts'
import { startEmbedded } from '@instep/server/platform/db/embedded/start-embedded.ts'
import { migrate } from '@instep/server/platform/db/migrate.ts'
import { createAccount } from '@instep/server/platform/identity/accounts.ts'
import { uuidv7 } from '@instep/server/platform/ids.ts'
import { createRunWorker } from '@instep/server/platform/runs/run-worker.ts'
import { spareMemory } from '@instep/server/platform/spare-memory.ts'
import { createTokenMint } from '@instep/server/testing/token-mint.ts'
import { sql } from 'kysely'
import { STORES, storeName } from './people-file.ts'

spareMemory()

const PUBLIC_URL = 'http://localhost:9'
const dataDir = process.argv[2] ?? ''

const embedded = await startEmbedded({ dataDir: path.join(dataDir, 'database') })
const { db, pool, close } = openDatabase({ ...embedded.pool, max: 20 })
await migrate(db)
const secrets = createSecrets(Buffer.alloc(32, 7))
const config = readConfig({ PUBLIC_URL, SANDBOX: 'off', LOG_LEVEL: 'warn', DATA_DIR: dataDir })
const app = await buildApp({ config, db, pool, clock: systemClock, secrets })
// only runs are carried out: what provisioning costs is another scenario
const worker = createRunWorker({
  db,
  clock: systemClock,
  log: app.http.log,
  handlers: { sync: syncHandler({ db, pool, clock: systemClock, dataDir, openSource: async () => undefined, maxFileBytes: 2 ** 30 }) },
  pollMilliseconds: 50,
})
const mint = await createTokenMint({ db, secrets, publicUrl: PUBLIC_URL, clock: systemClock })
const { id: subject } = await createAccount(db, { email: 'bench@northwind.example', name: 'Bench' })
const tenantId = await db.transaction().execute(async (tx) => {
  const by = { at: new Date(), correlationId: uuidv7(), actor: { kind: 'system' as const, id: null, name: 'Bench' } }
  const tenant = await createTenant(tx, { name: 'Northwind' }, by)
  for (let store = 0; store < STORES; store += 1) await createSite(tx, { tenantId: tenant, name: storeName(store) }, by)
  const admin = {
    tenantId: tenant,
    issuer: mint.issuer,
    subject,
    name: 'Bench',
    email: 'bench@northwind.example',
    roles: ['admin.tenant' as const],
  }
  await createAdmin(tx, admin, by)
  return tenant
})
const [connectorId, targetId] = [uuidv7(), uuidv7()]
await sql`
  insert into connectors (tenant_id, id, name, definition_id, kind, ingestion_type)
  values (${tenantId}, ${connectorId}, 'HR', 'file', 'source', 'file'), (${tenantId}, ${targetId}, 'Workplace', 'scim', 'target', 'target')`.execute(
  db,
)
const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
worker.start()

let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 20).unref()
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)
const token = await mint.accessToken({ sub: subject, lifetime: 86_400 })
say({ url, token, tenantId, connectorId, pool: embedded.pool })

// the peak since the last question
for await (const _ of createInterface({ input: process.stdin })) {
  say({ rss: process.memoryUsage.rss(), peak: Math.max(peak, process.memoryUsage.rss()) })
  peak = 0
}
await worker.stop()
await app.stop()
await close()
await embedded.stop()
process.exit(0)
