/** The first dashboard: people by status, past five syncs, held runs. */
import { z } from 'zod'
import { DateHold } from './date-holds.ts'
import { endpoint } from './endpoint.ts'
import { Count, Id } from './page.ts'
import { PEOPLE_ADMINS } from './roles.ts'
import { Run } from './sync.ts'

export const Overview = z.object({
  people: z.object({ all: Count, active: Count, claimed: Count, notClaimed: Count, notInvited: Count, inactive: Count }),
  /** Null below tenant level: runs are tenant matters. */
  lastRuns: z.array(Run).nullable(),
  heldRuns: z.array(Run).nullable(),
  heldDates: z.array(DateHold).nullable(),
  /** Sources that somebody should look at: nothing comes, the last fetch failed, credentials expire soon. */
  sources: z.array(z.object({ connectorId: Id, name: z.string(), trouble: z.enum(['silent', 'failed', 'expiring']) })).nullable(),
  departments: z.array(z.object({ name: z.string(), count: z.number().int() })),
  titles: z.array(z.object({ name: z.string(), count: z.number().int() })),
  locations: z.array(z.object({ name: z.string(), count: z.number().int() })),
})
export type Overview = z.infer<typeof Overview>

export const getOverview = endpoint({
  id: 'dashboard.overview',
  method: 'GET',
  path: '/connectors/{tenantId}/overview',
  summary: 'What needs eyes today, within what the caller may see.',
  who: { roles: PEOPLE_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id }),
  query: z.object({ siteId: Id.optional() }),
  response: Overview,
})
