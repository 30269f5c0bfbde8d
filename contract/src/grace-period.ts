/** How long somebody whom a source no longer has is kept after being deactivated (decisions.md section 3, "Leavers"). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'

export const LONGEST_GRACE_DAYS = 3650
export const GracePeriod = z.object({ days: z.number().int().min(0).max(LONGEST_GRACE_DAYS) })
export type GracePeriod = z.infer<typeof GracePeriod>

/** What holds where nobody has set anything. */
export const DEFAULT_GRACE: GracePeriod = { days: 30 }

const DAY = 24 * 60 * 60 * 1000

/** Until when somebody is kept who was deactivated at a moment; null for somebody who is not deactivated. Pure. */
export const keptUntil = (deactivatedAt: Date | null, { days }: GracePeriod): Date | null =>
  deactivatedAt === null ? null : new Date(deactivatedAt.getTime() + days * DAY)

/** Whether the grace period of somebody is over: from the moment on until which they were kept. Pure. */
export const isRemovable = (deactivatedAt: Date | null, grace: GracePeriod, now: Date): boolean => {
  const until = keptUntil(deactivatedAt, grace)
  return until !== null && until <= now
}

const GraceInForce = z.object({
  grace: GracePeriod,
  /** The version of the configuration in force; null before the first. */
  version: z.number().int().nullable(),
})
const source = { within: 'connector', params: z.object({ connectorId: Id }) } as const

export const getGrace = endpoint({
  ...source,
  id: 'grace.get',
  method: 'GET',
  path: '/connectors/{connectorId}/grace',
  summary: 'How long leavers of a source are kept after they were deactivated.',
  who: { roles: TENANT_ADMINS },
  response: GraceInForce.extend({
    /** Deactivated people of the source, and how many of them are due for removal. */
    deactivated: z.number().int(),
    due: z.number().int(),
  }),
  problems: ['CONNECTOR_KIND_WRONG'],
})

export const updateGrace = endpoint({
  ...source,
  id: 'grace.update',
  method: 'PUT',
  path: '/connectors/{connectorId}/grace',
  summary: 'Changes how long leavers are kept, as a version of the source’s configuration; at once, also for who left before.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  body: GracePeriod,
  response: GraceInForce,
  problems: ['CONNECTOR_KIND_WRONG', 'MAINTENANCE'],
})
