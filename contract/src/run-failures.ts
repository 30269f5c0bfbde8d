/** What a run could not carry out, by cause, so that a hundred thousand rows are read as the few mistakes that they are. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, page, pageQuery } from './page.ts'
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

const params = z.object({ tenantId: Id, runId: Id })
/** A cause; without `field` the one that concerns no field. */
const cause = { code: z.string().min(1).max(100), field: z.string().min(1).max(100).optional() }
const shared = { method: 'GET', who: { roles: TENANT_ADMINS }, within: 'tenant', params } as const

export const listRunFailures = endpoint({
  ...shared,
  id: 'sync.runFailures',
  path: '/connectors/{tenantId}/runs/{runId}/failures',
  summary: 'Why rows of a run were not or cannot be carried out, by cause (code and field), most frequent first, each with an example.',
  response: z.object({ data: z.array(FailureCause), causes: z.number().int() }),
})

export const listFailedRows = endpoint({
  ...shared,
  id: 'sync.failedRows',
  path: '/connectors/{tenantId}/runs/{runId}/failures/rows',
  summary: 'The rows of one cause, in the order of the plan.',
  query: z.object({ ...pageQuery, ...cause }),
  response: page(PlanRow),
  problems: ['TOKEN_FOREIGN'],
})

export const downloadFailedRows = endpoint({
  ...shared,
  id: 'sync.downloadFailedRows',
  path: '/connectors/{tenantId}/runs/{runId}/failures/download',
  summary: 'The rows of one cause as CSV: row, employee id, display name, kind, message.',
  query: z.object(cause),
  responseKind: 'file',
})
