/** Who reports to whom: references to managers that nobody answers to, and managers who report to each other in a circle. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Count, Id, page, pageQuery } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'

/** Somebody whose manager is not known. */
export const OpenReference = z.object({
  userId: Id,
  displayName: z.string(),
  employeeId: z.string(),
  /** As the source says it. */
  manager: z.string(),
  /** `ambiguous`: several people could be meant, and none is guessed. */
  why: z.enum(['notFound', 'ambiguous']),
})
export type OpenReference = z.infer<typeof OpenReference>

export const listOpenReferences = endpoint({
  id: 'sync.openReferences',
  method: 'GET',
  path: '/connectors/{connectorId}/open-managers',
  summary: 'People of a connector whose manager nobody is found for, in the order of their ids.',
  who: { roles: TENANT_ADMINS },
  within: 'connector',
  params: z.object({ connectorId: Id }),
  query: z.object(pageQuery),
  response: page(OpenReference).extend({ count: Count }),
  problems: ['TOKEN_FOREIGN'],
})

/** A circle: each reports to the next, and the last to the first. */
export const ReportingCycle = z.array(z.object({ id: Id, name: z.string() }))
export type ReportingCycle = z.infer<typeof ReportingCycle>

export const listRunCycles = endpoint({
  id: 'sync.runCycles',
  method: 'GET',
  path: '/connectors/{tenantId}/runs/{runId}/reporting-cycles',
  summary: 'Circles of managers that the run left; they are stored as the source says them. At most 100.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, runId: Id }),
  response: z.object({ data: z.array(ReportingCycle) }),
})
