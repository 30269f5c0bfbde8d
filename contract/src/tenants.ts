/** Tenants and the caller's own profile. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant } from './page.ts'
import { ROLES, Role } from './roles.ts'

export const Tenant = z.object({
  id: Id,
  name: z.string(),
  status: z.enum(['active', 'disabled']),
  features: z.object({ sso: z.boolean(), shifts: z.boolean(), dataCompliance: z.boolean() }),
  defaultLocale: z.string(),
  timeZone: z.string(),
  contact: z.object({ name: z.string(), email: z.string() }),
  /** `enabled`: the weekly window (Saturday 08:00 to 14:00 of the tenant's time zone) holds here; `active`: now. */
  maintenance: z.object({ enabled: z.boolean(), message: z.string(), active: z.boolean(), endsAt: Instant.nullable() }),
})
export type Tenant = z.infer<typeof Tenant>

/** Who is signed in. `tenantId` is null for a super admin without a home tenant. */
export const Me = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  roles: z.array(Role),
  permissions: z.number().int(),
  tenantId: Id.nullable(),
})
export type Me = z.infer<typeof Me>

export const getMe = endpoint({
  id: 'tenants.me',
  method: 'GET',
  path: '/me',
  summary: 'The signed-in administrator.',
  who: { roles: ROLES, basic: true },
  within: 'self',
  response: Me,
})

export const listTenants = endpoint({
  id: 'tenants.list',
  method: 'GET',
  path: '/connectors/tenants',
  summary: 'Tenants the caller may work in: every one for a super admin, else the own one.',
  who: { roles: ROLES, basic: true },
  within: 'self',
  response: z.object({ data: z.array(Tenant) }),
})

export const getTenant = endpoint({
  id: 'tenants.get',
  method: 'GET',
  path: '/connectors/tenants/{id}',
  summary: 'One tenant.',
  who: { roles: ROLES, basic: true },
  within: 'tenant',
  params: z.object({ id: Id }),
  response: Tenant,
})
