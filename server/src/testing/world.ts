import type { Role } from '@instep/contract/roles.ts'
import { sql } from 'kysely'
import { assignSite, assignSiteGroup, createAdmin } from '../features/admins/public.ts'
import { createSite, createSiteGroup } from '../features/sites/public.ts'
import { createTenant } from '../features/tenants/public.ts'
import { createSecrets } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/db/database.ts'
import { createAccount } from '../platform/identity/accounts.ts'
import { issuerOf } from '../platform/identity/identity-settings.ts'
import { rotateKeys } from '../platform/identity/keys.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { Filling } from './database.ts'

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

/** Where the server of a test says that it is. */
export const PUBLIC_URL = 'http://localhost:9'
/** What the servers of tests encrypt and sign with. */
export const SECRETS = createSecrets(Buffer.alloc(32, 7))

const seedWorld = ({ db }: Database): Promise<TestWorld> =>
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

const seedAdmins = async ({ db }: Database, world: TestWorld): Promise<void> => {
  for (const [key, { name, role, tenant }] of Object.entries(TEST_ADMINS) as [TestAdmin, (typeof TEST_ADMINS)[TestAdmin]][]) {
    const email = `${key}@test.example`.toLowerCase()
    const subject = (await createAccount(db, { email, name })).id
    await db.transaction().execute(async (tx) => {
      const by = { at: new Date(), correlationId: uuidv7(), actor: { kind: 'system' as const, id: null, name: 'Test' } }
      const who = { tenantId: tenant && world[tenant].id, issuer: issuerOf(PUBLIC_URL), subject, name, email, roles: [role] }
      const adminId = await createAdmin(tx, who, by)
      if (key === 'siteGroup') await assignSiteGroup(tx, { tenantId: world.one.id, adminId, groupId: world.one.north }, by)
      if (key === 'site') await assignSite(tx, { tenantId: world.one.id, adminId, siteId: world.one.southSite }, by)
    })
  }
}

/** The places, the people and the key that signs their tokens: the same for every server of a run. */
export const WORLD: Filling = {
  name: 'world',
  fill: async (database) => {
    await rotateKeys({ db: database.db, secrets: SECRETS }, new Date())
    await seedAdmins(database, await seedWorld(database))
  },
}

/** The ids in a database that holds the world; no name is there twice in a table. */
export const readWorld = async ({ db }: Database) => {
  const { rows } = await sql<{ name: string; id: string; subject: string }>`
    select 'tenant ' || name as name, id, '' as subject from tenants union all select 'group ' || name, id, '' from site_groups
    union all select 'site ' || name, id, '' from sites union all select 'admin ' || name, id, subject from admins`.execute(db)
  const named = (name: string) => {
    const found = rows.find((row) => row.name === name)
    if (!found) throw new Error(`the world has no ${name}`)
    return found
  }
  const id = (name: string): string => named(name).id
  const world: TestWorld = {
    one: {
      id: id('tenant One'),
      north: id('group North'),
      south: id('group South'),
      northSite: id('site North site'),
      southSite: id('site South site'),
      looseSite: id('site Loose site'),
    },
    two: { id: id('tenant Two'), group: id('group Elsewhere'), site: id('site Elsewhere site') },
  }
  const admins = Object.entries(TEST_ADMINS).map(([key, { name }]) => [key, named(`admin ${name}`)] as const)
  return {
    world,
    adminIds: Object.fromEntries(admins.map(([key, admin]) => [key, admin.id])) as Record<TestAdmin, string>,
    subjects: Object.fromEntries(admins.map(([key, admin]) => [key, admin.subject])) as Record<TestAdmin, string>,
  }
}
