/** The server of the list scenario: a million people, and administrators of one site, fifty sites and the tenant. */
import path from 'node:path'
import { buildApp } from '@instep/server/app.ts'
import { readConfig } from '@instep/server/config.ts'
import { assignSite, assignSiteGroup, createAdmin } from '@instep/server/features/admins/public.ts'
import { openConfiguredDatabase } from '@instep/server/open-configured-database.ts'
import { systemClock } from '@instep/server/platform/clock.ts'
import { masterKey } from '@instep/server/platform/crypto/master-key.ts'
import { createSecrets } from '@instep/server/platform/crypto/secrets.ts'
import type { Db } from '@instep/server/platform/db/database.ts'
import { migrate } from '@instep/server/platform/db/migrate.ts'
import { createAccount } from '@instep/server/platform/identity/accounts.ts'
import { uuidv7 } from '@instep/server/platform/ids.ts'
import { demonstrationTenant, seedDemonstration } from '@instep/server/sandbox/seed-demonstration.ts'
import { seedPeople } from '@instep/server/sandbox/seed-people.ts'
import { createTokenMint } from '@instep/server/testing/token-mint.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { answer, cpuMicroseconds } from './child.ts'

const [dataDir = '', users = '1000000'] = process.argv.slice(2)
const PUBLIC_URL = 'http://localhost:9'

/** What a call asks the database, in order. */
let recorded: { name?: string | undefined; text: string; values: unknown[] }[] | undefined
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [first, second] = given as [string | { name?: string; text: string; values?: unknown[] }, unknown[] | undefined]
  if (recorded)
    recorded.push(
      typeof first === 'string'
        ? { text: first, values: second ?? [] }
        : { name: first.name, text: first.text, values: first.values ?? [] },
    )
  return (query as unknown as (...given: unknown[]) => never).apply(this, given)
} as typeof query

const config = readConfig({ PUBLIC_URL, SANDBOX: 'off', LOG_LEVEL: 'warn', DATA_DIR: path.resolve(dataDir) })
const { db, pool, close } = await openConfiguredDatabase(config)
await migrate(db)
const secrets = createSecrets(masterKey(config.SECRET_KEY, config.DATA_DIR))
const tenantId = demonstrationTenant('northwind')

const seed = async (): Promise<void> => {
  await seedDemonstration({ db, clock: systemClock, secrets, issuer: PUBLIC_URL, sandboxUrl: 'http://127.0.0.1:9' })
  const { rows } = await sql<{ people: number }>`select count(*)::integer as people from users where tenant_id = ${tenantId}`.execute(db)
  const onProgress = (done: number) => process.stderr.write(`${done} of ${users} people\n`)
  if ((rows[0]?.people ?? 0) < Number(users)) await seedPeople(db, { tenantId, users: Number(users), secrets, onProgress })
}
await seed()

const app = await buildApp({ config, db, pool, clock: systemClock, secrets })
const mint = await createTokenMint({ db, secrets, publicUrl: PUBLIC_URL, clock: systemClock })

const places = async (db: Db) => {
  const sites = await sql<{ id: string; group_id: string }>`
    select id, group_id from sites where tenant_id = ${tenantId} and name like 'Store %' order by name`.execute(db)
  const connectors = await sql<{ id: string }>`
    select c.id from connectors c where c.tenant_id = ${tenantId} and c.kind = 'source' and exists (
      select from users u where u.tenant_id = c.tenant_id and u.connector_id = c.id) order by c.id`.execute(db)
  return {
    sites: sites.rows.map(({ id }) => id),
    groups: [...new Set(sites.rows.map(({ group_id }) => group_id))],
    connectors: connectors.rows.map(({ id }) => id),
  }
}
const world = await places(db)

const administrator = async (
  role: 'admin.tenant' | 'admin.sitegroup' | 'admin.site',
  reach: { groups: string[]; sites: string[] },
): Promise<string> => {
  const email = `${uuidv7()}@bench.example`
  const { id: subject } = await createAccount(db, { email, name: 'Bench' })
  await db.transaction().execute(async (tx) => {
    const by = { at: new Date(), correlationId: uuidv7(), actor: { kind: 'system' as const, id: null, name: 'Bench' } }
    const adminId = await createAdmin(tx, { tenantId, issuer: mint.issuer, subject, name: 'Bench', email, roles: [role] }, by)
    for (const groupId of reach.groups) await assignSiteGroup(tx, { tenantId, adminId, groupId }, by)
    for (const siteId of reach.sites) await assignSite(tx, { tenantId, adminId, siteId }, by)
  })
  return mint.accessToken({ sub: subject, lifetime: 86_400 })
}
const tokens = {
  all: await administrator('admin.tenant', { groups: [], sites: [] }),
  fifty: await administrator('admin.sitegroup', { groups: world.groups.slice(0, 5), sites: [] }),
  one: await administrator('admin.site', { groups: [], sites: world.sites.slice(0, 1) }),
}

const { host, port, database, user, password } = pool.options
const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
await answer(
  { url, tokens, tenantId, ...world, pool: { host, port, database, user, password }, issuer: mint.issuer },
  async (question: string) => {
    if (question === 'record') recorded = []
    if (question === 'recorded') {
      const statements = recorded
      recorded = undefined
      return statements
    }
    return cpuMicroseconds()
  },
)
await app.stop()
await close()
process.exit(0)
