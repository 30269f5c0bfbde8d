/** The secret that a webhook's events are signed with, renewed while the receiver still knows the one before. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, PlainDate } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'

export const MAX_OVERLAP_DAYS = 30

export const rotateWebhookSecret = endpoint({
  id: 'connectors.rotateWebhookSecret',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/webhook-secret',
  summary: 'Makes a new signing secret, told once; for so many days more the one before signs too.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  within: 'tenant',
  params: z.object({ tenantId: Id, id: Id }),
  body: z.object({ overlapDays: z.number().int().min(0).max(MAX_OVERLAP_DAYS).default(7) }),
  response: z.object({
    secret: z.string(),
    /** The last day, in UTC, on which the one before signs; null where it ends at once. */
    previousUntil: PlainDate.nullable(),
  }),
  problems: ['CONNECTOR_KIND_WRONG', 'MAINTENANCE'],
})
