import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Endpoint, InputOf, ResponseOf } from '@instep/contract/endpoint.ts'
import { fillPath } from '@instep/contract/endpoint.ts'
import type { ProblemBody } from '@instep/contract/problem.ts'
import type { Role } from '@instep/contract/roles.ts'
import { type App, buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { assignSite, assignSiteGroup, createAdmin } from '../features/admins/public.ts'
import { createSite, createSiteGroup } from '../features/sites/public.ts'
import { createTenant } from '../features/tenants/public.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { createSecrets, type Secrets } from '../platform/crypto/secrets.ts'
import { createAccount } from '../platform/identity/accounts.ts'
import { uuidv7 } from '../platform/ids.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { createTokenMint, type TokenMint } from './token-mint.ts'

/** The people who sign in in tests, by role and tenant. Two site-level admins each see a part of tenant one. */
export const TEST_ADMINS = {
  super: { name: 'Sigrid Super', role: 'admin.super', tenant: null },
  tenant: { name: 'Tadeo Tenant', role: 'admin.tenant', tenant: 'one' },
  siteGroup: { name: 'Greta Group', role: 'admin.sitegroup', tenant: 'one' },
  site: { name: 'Sami Site', role: 'admin.site', tenant: 'one' },
  gdpr: { name: 'Gwen Data', role: 'admin.gdpr', tenant: 'one' },
  otherTenant: { name: 'Otto Other', role: 'admin.tenant', tenant: 'two' },
} as const satisfies Record<string, { name: string; role: Role; tenant: 'one' | 'two' | null }>
export type TestAdmin = keyof typeof TEST_ADMINS

/** The places of the tests: two groups with a site each and a site without a group in tenant one, one site in tenant two. */
export interface TestWorld {
  readonly one: { id: string; north: string; south: string; northSite: string; southSite: string; looseSite: string }
  readonly two: { id: string; group: string; site: string }
}

export interface Answered<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

export interface TestApp {
  readonly url: string
  readonly app: App
  readonly database: TestDatabase
  readonly secrets: Secrets
  readonly world: TestWorld
  readonly dataDir: string
  readonly mint: TokenMint
  /** A valid access token of that administrator. */
  tokenOf(admin: TestAdmin): Promise<string>
  /** Ids of the administrators' own records. */
  readonly adminIds: Readonly<Record<TestAdmin, string>>
  /** A call as that administrator; the answer is a success or a problem, told by `status`. */
  call<E extends Endpoint>(admin: TestAdmin, endpoint: E, input?: Partial<InputOf<E>>): Promise<Answered<ResponseOf<E> & ProblemBody>>
  close(): Promise<void>
}

const seedWorld = async ({ db }: TestDatabase): Promise<TestWorld> =>
  db.transaction().execute(async (tx) => {
    const by = { at: new Date(), correlationId: uuidv7(), actor: { kind: 'system' as const, id: null, name: 'Test' } }
    const one = await createTenant(tx, { name: 'One' }, by)
    const two = await createTenant(tx, { name: 'Two' }, by)
    const north = await createSiteGroup(tx, { tenantId: one, name: 'North' }, by)
    const south = await createSiteGroup(tx, { tenantId: one, name: 'South' }, by)
    const group = await createSiteGroup(tx, { tenantId: two, name: 'Elsewhere' }, by)
    return {
      one: {
        id: one,
        north,
        south,
        northSite: await createSite(tx, { tenantId: one, groupId: north, name: 'North site' }, by),
        southSite: await createSite(tx, { tenantId: one, groupId: south, name: 'South site' }, by),
        looseSite: await createSite(tx, { tenantId: one, name: 'Loose site' }, by),
      },
      two: { id: two, group, site: await createSite(tx, { tenantId: two, groupId: group, name: 'Elsewhere site' }, by) },
    }
  })

const seedAdmins = async ({ db }: TestDatabase, world: TestWorld, issuer: string) => {
  const subjects = {} as Record<TestAdmin, string>
  const ids = {} as Record<TestAdmin, string>
  for (const [key, { name, role, tenant }] of Object.entries(TEST_ADMINS) as [TestAdmin, (typeof TEST_ADMINS)[TestAdmin]][]) {
    const email = `${key}@test.example`.toLowerCase()
    const subject = (await createAccount(db, { email, name })).id
    subjects[key] = subject
    ids[key] = await db.transaction().execute(async (tx) => {
      const by = { at: new Date(), correlationId: uuidv7(), actor: { kind: 'system' as const, id: null, name: 'Test' } }
      const adminId = await createAdmin(tx, { tenantId: tenant && world[tenant].id, issuer, subject, name, email, roles: [role] }, by)
      if (key === 'siteGroup') await assignSiteGroup(tx, { tenantId: world.one.id, adminId, groupId: world.one.north }, by)
      if (key === 'site') await assignSite(tx, { tenantId: world.one.id, adminId, siteId: world.one.southSite }, by)
      return adminId
    })
  }
  return { subjects, ids }
}

const PUBLIC_URL = 'http://localhost:9'

/** The real server on a fresh database, listening on a free port, workers not started unless asked. Close it after all tests of a file. */
export const testApp = async (options: { clock?: Clock; workers?: boolean; env?: Record<string, string> } = {}): Promise<TestApp> => {
  const database = await testDatabase()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'instep-calls-'))
  const clock = options.clock ?? systemClock
  const secrets = createSecrets(Buffer.alloc(32, 7))
  const config = { ...readConfig({ PUBLIC_URL, SANDBOX: 'off', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...options.env }) }
  const app = await buildApp({ config, db: database.db, pool: database.pool, clock, secrets, checkResponses: true })
  const mint = await createTokenMint({ db: database.db, secrets, publicUrl: PUBLIC_URL, clock })
  const world = await seedWorld(database)
  const { subjects, ids } = await seedAdmins(database, world, mint.issuer)
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  if (options.workers) app.startWorkers()
  const tokenOf = (admin: TestAdmin) => mint.accessToken({ sub: subjects[admin] })

  return {
    url,
    app,
    database,
    secrets,
    world,
    dataDir,
    mint,
    tokenOf,
    adminIds: ids,
    call: async (admin, endpoint, input = {}) => {
      const query = new URLSearchParams(
        Object.entries((input.query ?? {}) as Record<string, unknown>).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const response = await fetch(`${url}/v1${fillPath(endpoint.path, (input.params ?? {}) as Record<string, unknown>)}?${query}`, {
        method: endpoint.method,
        headers: {
          authorization: `Bearer ${await tokenOf(admin)}`,
          ...(endpoint.bodyKind === 'json' ? { 'content-type': 'application/json' } : {}),
        },
        ...(endpoint.bodyKind === 'json' ? { body: JSON.stringify(input.body ?? {}) } : {}),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as never }
    },
    close: async () => {
      await app.stop()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
