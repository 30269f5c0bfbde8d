/** Moving people between sites (1-console.md section 7), also out of the Unassigned bucket and into it. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id } from './page.ts'
import { PEOPLE_ADMINS, TENANT_ADMINS } from './roles.ts'
import { EDITING_USERS } from './users.ts'

/** How many people one call moves. */
export const MOST_MOVED = 1000

/** Why somebody stays where they are: nobody the caller sees, held by a lock, marked as a VIP, or of a connector that takes no edits. */
export const MOVE_REFUSALS = ['unknown', 'locked', 'vip', 'notModifiable'] as const

export const bulkMove = endpoint({
  id: 'users.bulkMove',
  method: 'POST',
  path: '/connectors/{connectorId}/users/bulk-move',
  summary:
    'Moves people of a connector (of every connector where a tenant id stands in the path) to a site; null puts them in the Unassigned bucket, which is for tenant level. Whoever cannot be moved is said so and keeps nobody up.',
  who: { roles: PEOPLE_ADMINS, ...EDITING_USERS },
  within: 'tenantOrConnector',
  params: z.object({ connectorId: Id }),
  body: z.object({
    /** The people's connector where the path names a tenant. */
    connectorId: Id.nullish(),
    targetSiteId: Id.nullable(),
    identityIds: z.array(Id).min(1).max(MOST_MOVED),
  }),
  response: z.object({
    identities: z.array(z.object({ userId: Id, status: z.enum(['Success', 'Error']), reason: z.enum(MOVE_REFUSALS).nullable() })),
    /** Whether everybody was moved. */
    success: z.boolean(),
  }),
  problems: ['USER_NOT_MODIFIABLE', 'MAINTENANCE'],
})

export const getUnassigned = endpoint({
  id: 'users.unassigned',
  method: 'GET',
  path: '/connectors/{tenantId}/unassigned',
  summary: 'How many people of the tenant work at no site: the Unassigned bucket.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  response: z.object({
    people: z.number().int(),
    /** How many of them are active. */
    active: z.number().int(),
  }),
})
