import { DEFINITIONS } from '@instep/connectors/definitions.ts'
import { COMPANIES, type WorldCompany } from '@instep/sandbox/world.ts'
import { sql } from 'kysely'
import { assignSite, assignSiteGroup, createAdmin } from '../features/admins/public.ts'
import { createConnector } from '../features/connectors/public.ts'
import { createSite, createSiteGroup } from '../features/sites/public.ts'
import { createTenant, tenantExists } from '../features/tenants/public.ts'
import type { Clock } from '../platform/clock.ts'
import type { Secrets } from '../platform/crypto/secrets.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { seedAccount } from '../platform/identity/accounts.ts'
import { uuidv7 } from '../platform/ids.ts'
import { fixedId } from './fixed-id.ts'
import { DEMONSTRATION_ADMINS, type DemonstrationAdmin, SANDBOX_PASSWORD } from './sign-ins.ts'

export interface SeedDeps {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  /** Issuer of the embedded provider. */
  readonly issuer: string
  /** Address of the sandbox. */
  readonly sandboxUrl: string
}

/** The id of a sandbox tenant, the same on every machine. */
export const demonstrationTenant = (slug: string): string => fixedId(`tenant ${slug}`)

/** Address of a company's SCIM endpoint in the sandbox workplace. */
const scimAddress = (sandboxUrl: string, slug: string): string => `${sandboxUrl}/workplace/${slug}/scim/v2`

interface Seeding extends SeedDeps {
  readonly tx: Tx
  readonly by: { actor: { kind: 'system'; id: null; name: string }; at: Date; correlationId: string }
}

/**
 * Makes the demonstration: two tenants with sites, a manual and a file source, the sandbox workplace as target, one administrator of each
 * kind. What is there already stays as it is; only the sandbox's address follows its port.
 */
export const seedDemonstration = async (deps: SeedDeps): Promise<void> => {
  for (const company of COMPANIES) {
    if (!(await tenantExists(deps.db, demonstrationTenant(company.slug)))) await transact(deps, (seeding) => seedCompany(seeding, company))
    await followSandbox(deps, company.slug)
  }
  for (const admin of DEMONSTRATION_ADMINS) {
    const { id: subject, created } = await seedAccount(deps.db, { ...admin, password: SANDBOX_PASSWORD })
    if (created) await transact(deps, (seeding) => seedAdmin(seeding, admin, subject))
  }
}

const transact = (deps: SeedDeps, work: (seeding: Seeding) => Promise<void>): Promise<void> =>
  deps.db.transaction().execute((tx) => {
    const at = deps.clock.now()
    return work({ ...deps, tx, by: { actor: { kind: 'system', id: null, name: 'Instep' }, at, correlationId: uuidv7(at.getTime()) } })
  })

const seedCompany = async ({ tx, by, secrets, sandboxUrl }: Seeding, company: WorldCompany): Promise<void> => {
  const tenantId = await createTenant(tx, { id: demonstrationTenant(company.slug), name: company.name }, by)
  for (const group of company.siteGroups) {
    const groupId = await createSiteGroup(tx, { tenantId, name: group.name }, by)
    for (const { name, timeZone, employeeIdPrefix } of group.sites)
      await createSite(tx, { tenantId, groupId, name, timeZone, employeeIdPrefix }, by)
  }
  const connectors = [
    { name: 'HR export', definitionId: 'file', properties: {} },
    { name: 'Added by hand', definitionId: 'manual', properties: {} },
    { name: 'Workplace', definitionId: 'scim', properties: { baseUrl: scimAddress(sandboxUrl, company.slug), token: company.token } },
  ]
  for (const { name, definitionId, properties } of connectors) {
    const definition = DEFINITIONS.find(({ id }) => id === definitionId)
    if (definition) await createConnector(tx, { tenantId, name, definition, properties, enabled: true }, { secrets, by })
  }
}

const seedAdmin = async ({ tx, by, issuer }: Seeding, admin: DemonstrationAdmin, subject: string): Promise<void> => {
  const tenantId = admin.company && demonstrationTenant(admin.company)
  const adminId = await createAdmin(tx, { tenantId, issuer, subject, name: admin.name, email: admin.email, roles: [admin.role] }, by)
  if (!tenantId) return
  const idOf = async (table: 'sites' | 'site_groups', name: string) =>
    (await tx.selectFrom(table).select('id').where('tenant_id', '=', tenantId).where('name', '=', name).executeTakeFirstOrThrow()).id
  for (const name of admin.groups) await assignSiteGroup(tx, { tenantId, adminId, groupId: await idOf('site_groups', name) }, by)
  for (const name of admin.sites) await assignSite(tx, { tenantId, adminId, siteId: await idOf('sites', name) }, by)
}

/** The sandbox may stand on another port than last time. */
const followSandbox = async ({ db, sandboxUrl }: SeedDeps, slug: string): Promise<void> => {
  const address = scimAddress(sandboxUrl, slug)
  await sql`
    update connectors set properties = properties || jsonb_build_object('baseUrl', ${address}::text)
    where tenant_id = ${demonstrationTenant(slug)} and kind = 'target'
      and properties ->> 'baseUrl' ~ ${`^http://127\\.0\\.0\\.1:[0-9]+/workplace/${slug}/scim/v2$`} and properties ->> 'baseUrl' <> ${address}`.execute(
    db,
  )
}
