/** Where the targets stand: desired against applied (decisions.md section 1). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant, page, pageQuery } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'

export const TARGET_STATES = ['pending', 'inStep', 'failed', 'quarantined', 'paused', 'protected', 'held', 'leaving'] as const
export const TargetState = z.enum(TARGET_STATES)

export const TargetAccount = z.object({
  userId: Id,
  connectorId: Id,
  displayName: z.string(),
  employeeId: z.string(),
  state: TargetState,
  attempts: z.number().int(),
  nextTryAt: Instant.nullable(),
  cause: z.string().nullable(),
  lastError: z.string().nullable(),
})
export type TargetAccount = z.infer<typeof TargetAccount>

/** Milliseconds; null where there was nothing to measure. */
const TimeFigures = z.object({ count: z.number().int(), median: z.number().nullable(), p95: z.number().nullable() })

/**
 * How long accounts took in the last 28 days, right to about 5 %. `inStep`: from the oldest change that the target had not confirmed to its
 * confirmation, of accounts at which something was done. `revoke`: the same of accounts that were disabled or deleted.
 */
export const TargetTimes = z.object({ inStep: TimeFigures, revoke: TimeFigures })
export type TargetTimes = z.infer<typeof TargetTimes>

export const getTargetSummary = endpoint({
  id: 'provisioning.summary',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/accounts/summary',
  summary:
    'Accounts at a target by state, failures grouped by cause, the backlog with its estimated time, and how long changes took in 28 days.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, id: Id }),
  response: z.object({
    counts: z.record(TargetState, z.number().int()),
    causes: z.array(z.object({ cause: z.string(), count: z.number().int(), example: z.string() })),
    /** Accounts that are owed; how many a minute were done in the last five; and when, at that pace, none will be owed: null where nothing moves. */
    backlog: z.object({ count: z.number().int(), perMinute: z.number(), seconds: z.number().int().nullable() }),
    times: TargetTimes,
    /** Everybody is being looked at again: how many of all people are in the backlog so far. Null: nobody is left out of it. */
    marking: z.object({ done: z.number().int(), total: z.number().int() }).nullable(),
  }),
})

export const listTargetAccounts = endpoint({
  id: 'provisioning.list',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/accounts',
  summary: 'Accounts at a target in one state.',
  who: { roles: TENANT_ADMINS },
  within: 'tenant',
  params: z.object({ tenantId: Id, id: Id }),
  query: z.object({ ...pageQuery, state: TargetState }),
  response: page(TargetAccount),
  problems: ['TOKEN_FOREIGN'],
})

export const retryTarget = endpoint({
  id: 'provisioning.retry',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/accounts/retry',
  summary: 'Tries failed and quarantined accounts again now, all or those of one cause.',
  who: { roles: TENANT_ADMINS, bit: 'editSettings' },
  within: 'tenant',
  params: z.object({ tenantId: Id, id: Id }),
  body: z.object({ cause: z.string().max(200).optional() }),
  response: z.object({ retried: z.number().int() }),
  problems: ['MAINTENANCE'],
})
