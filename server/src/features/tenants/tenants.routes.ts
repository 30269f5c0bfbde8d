import * as contract from '@instep/contract/tenants.ts'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { allTenants, findTenant } from './tenants.store.ts'

/** The signed-in administrator and the tenants there are for them. */
export const tenantsRoutes = ({ db }: { db: Db }): Route[] => [
  route(contract.getMe, ({ actor: { id, name, email, roles, permissions, tenantId } }) => ({
    id,
    name,
    email,
    roles: [...roles],
    permissions,
    tenantId,
  })),

  route(contract.listTenants, async ({ actor }) => {
    if (actor.roles.includes('admin.super')) return { data: await allTenants(db) }
    const own = actor.tenantId === null ? undefined : await findTenant(db, actor.tenantId)
    return { data: own ? [own] : [] }
  }),

  route(contract.getTenant, async ({ tenantId }) => {
    const tenant = await findTenant(db, tenantId)
    if (!tenant) throw problem('NOT_FOUND')
    return tenant
  }),
]
