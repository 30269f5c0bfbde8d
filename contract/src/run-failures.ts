/** What a run could not carry out, by cause, so that a hundred thousand rows are read as the few mistakes that they are. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id } from './page.ts'
import { planPlace } from './plan-place.ts'
import { TENANT_ADMINS } from './roles.ts'
import { PlanReason, PlanRow } from './sync.ts'

/** `stale`: the person moved on after the plan was made, and was left alone. */
export const FAILURE_KINDS = ['invalid', 'conflict', 'stale'] as const
/** The cause of a row that is `stale`; all others are codes of reasons. */
export const MOVED_ON = 'movedOn'

export const FailureCause = z.object({
  kind: z.enum(FAILURE_KINDS),
  code: z.string(),
  field: z.string().nullable(),
  /** A row with several causes counts in each. */
  rows: z.number().int(),
  /** The first row, with the reason as it stands there. */
  example: PlanRow.pick({ sequence: true, rowNumber: true, displayName: true, employeeId: true }).extend({ reason: PlanReason }),
})
export type FailureCause = z.infer<typeof FailureCause>

/** At most so many causes are listed, the most frequent first. */
export const LISTED_CAUSES = 200

export const listRunFailures = endpoint({
  id: 'sync.runFailures',
  method: 'GET',
  path: '/connectors/{tenantId}/runs/{runId}/failures',
  summary:
    'Why rows of a run (at one site, in one department) were not or cannot be carried out, by cause (code and field), most frequent first, each with an example.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, runId: Id }),
  query: z.object(planPlace),
  response: z.object({ data: z.array(FailureCause), causes: z.number().int() }),
})
