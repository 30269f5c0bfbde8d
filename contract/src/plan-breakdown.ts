/** Where the changes of a plan are. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id } from './page.ts'
import { PlanKind } from './plan-kinds.ts'
import { planCause } from './plan-place.ts'
import { TENANT_ADMINS } from './roles.ts'

const counts = z.partialRecord(PlanKind, z.number().int())

/** Rows of a plan by place, most first; at most so many places of each sort are listed. */
export const LISTED_PLACES = 200

export const PlanBreakdown = z.object({
  /** `siteId` null: of people who have no site, or are not known. */
  sites: z.array(z.object({ siteId: Id.nullable(), name: z.string().nullable(), rows: z.number().int(), counts })),
  departments: z.array(z.object({ department: z.string().nullable(), rows: z.number().int(), counts })),
  /** How many places there are, listed or not. */
  totals: z.object({ sites: z.number().int(), departments: z.number().int() }),
})
export type PlanBreakdown = z.infer<typeof PlanBreakdown>

export const getPlanBreakdown = endpoint({
  id: 'sync.planBreakdown',
  method: 'GET',
  path: '/connectors/{tenantId}/runs/{runId}/plan/breakdown',
  summary: 'How many rows of the plan (of one kind, one cause) each site and department has, by kind.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, runId: Id }),
  query: z.object({ kind: PlanKind.optional(), ...planCause }),
  response: PlanBreakdown,
})
