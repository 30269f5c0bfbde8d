import * as contract from '@instep/contract/tenants.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { allTenants, findTenant } from './tenants.store.ts'

/** The signed-in administrator and the tenants there are for them. */
export const tenantsRoutes = ({ db, clock }: { db: Db; clock: Clock }): Route[] => [
  route(contract.getMe, ({ actor: { id, name, email, roles, permissions, tenantId } }) => ({
    id,
    name,
    email,
    roles: [...roles],
    permissions,
    tenantId,
  })),

  route(contract.listTenants, async ({ actor }) => {
    if (actor.roles.includes('admin.super')) return { data: await allTenants(db, clock.now()) }
    const own = actor.tenantId === null ? undefined : await findTenant(db, actor.tenantId, clock.now())
    return { data: own ? [own] : [] }
  }),

  route(contract.getTenant, async ({ tenantId }) => {
    const tenant = await findTenant(db, tenantId, clock.now())
    if (!tenant) throw problem('NOT_FOUND')
    return tenant
  }),
]
