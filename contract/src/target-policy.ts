/** What is done at a target, how fast, and what asks a person first (decisions.md sections 1, 3 and 9). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Limit } from './guard-settings.ts'
import { upTo } from './line-of-text.ts'
import { Id, Instant } from './page.ts'
import { TENANT_ADMINS } from './roles.ts'

/**
 * What becomes of the account of somebody who is no longer active. `delete`: it is disabled at once and deleted later. `unlink`: it
 * is left as it is and forgotten. `ignore`: nothing is done to it for as long as the person is not active.
 */
export const LEAVER_ACTIONS = ['disable', 'delete', 'unlink', 'ignore'] as const
export type LeaverAction = (typeof LEAVER_ACTIONS)[number]

export const LeaverPolicy = z.object({
  action: z.enum(LEAVER_ACTIONS),
  /**
   * Days from the person's deactivation to the deletion, but never before the grace period of the person's source is over: the later of both counts. Only
   * for `delete`.
   */
  graceDays: z.number().int().min(0).max(3650),
})

const text = upTo(300, z.string().trim()).refine((value) => value.isWellFormed() && !value.includes('\0'))

/** An account at the target that is not ours to touch: its id there, or its user name, in which `*` stands for any characters. */
export const ProtectedAccount = z.object({
  by: z.enum(['remoteId', 'userName']),
  value: text.min(1).refine((value) => value.replaceAll('*', '') !== ''),
  reason: text,
})
export type ProtectedAccount = z.infer<typeof ProtectedAccount>

export const Pace = z.object({
  /** Requests at one time; null: as many as the installation allows, which is also the most. */
  concurrency: z.number().int().min(1).max(256).nullable(),
  /** Requests in a second, of each process that serves the target; null: no limit. */
  perSecond: z.number().min(0.1).max(10_000).nullable(),
})

export const TargetPolicy = z.object({
  leaver: LeaverPolicy,
  /** How many accounts may be disabled or deleted in 24 hours without anybody looking. */
  removals: Limit,
  /** How many members may be taken out of groups in 24 hours without anybody looking. */
  memberRemovals: Limit,
  pace: Pace,
  protectedAccounts: z.array(ProtectedAccount).max(1000),
})
export type TargetPolicy = z.infer<typeof TargetPolicy>

/** What holds until somebody says otherwise. */
export const DEFAULT_TARGET_POLICY: TargetPolicy = {
  leaver: { action: 'disable', graceDays: 30 },
  removals: { on: true, percent: 10, number: 5 },
  memberRemovals: { on: true, percent: 10, number: 5 },
  pace: { concurrency: null, perSecond: null },
  protectedAccounts: [],
}

/** Accounts are disabled or deleted, members taken out of groups; each kind has a guard of its own. */
export const REMOVAL_KINDS = ['accounts', 'members'] as const
export const RemovalKind = z.enum(REMOVAL_KINDS)
export type RemovalKind = z.infer<typeof RemovalKind>

/** Removals that wait for a person. */
export const RemovalHold = z.object({
  heldAt: Instant,
  /** How many would have been removed in 24 hours when it was held, how many may be, and of how many. */
  wanted: z.number().int(),
  allowed: z.number().int(),
  population: z.number().int(),
})
export type RemovalHold = z.infer<typeof RemovalHold>

/** Removals of one kind: what waits for a decision, and what stays because its removal was rejected. */
export const Removals = z.object({ hold: RemovalHold.nullable(), held: z.number().int(), rejected: z.number().int() })
export type Removals = z.infer<typeof Removals>

/** Whether a target works, and what of it waits for a person. */
export const TargetHealth = z.object({
  /** Set while the target as a whole is not asked because it kept failing. */
  pause: z.object({ since: Instant, until: Instant, cause: z.string(), detail: z.string() }).nullable(),
  accounts: Removals,
  /** Without those who wait with their accounts: one decision is enough. */
  members: Removals,
})
export type TargetHealth = z.infer<typeof TargetHealth>

const params = z.object({ tenantId: Id, id: Id })
const reading = { who: { roles: TENANT_ADMINS }, within: 'tenant', params } as const
const editing = { who: { roles: TENANT_ADMINS, bit: 'editSettings' }, within: 'tenant', params } as const
const Decision = z.object({ kind: RemovalKind, reason: text.min(1) })
/** Approving passes what waits at that moment: whoever has seen fewer is asked to look again. */
const Approval = Decision.extend({ seen: z.number().int().nonnegative().optional() })
const Decided = z.object({ count: z.number().int() })

export const getTargetPolicy = endpoint({
  ...reading,
  id: 'targets.policy',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/policy',
  summary: 'What becomes of leavers at a target, which accounts are never touched, how many removals pass, and the pace.',
  response: TargetPolicy,
})

export const updateTargetPolicy = endpoint({
  ...editing,
  id: 'targets.updatePolicy',
  method: 'PUT',
  path: '/connectors/{tenantId}/instances/{id}/policy',
  summary: 'Changes what is done at a target. Turning a guard on removals off needs a reason.',
  body: z.object({ policy: TargetPolicy, reason: text.optional() }),
  response: TargetPolicy,
  problems: ['GUARD_REASON_REQUIRED', 'MAINTENANCE'],
})

export const getTargetHealth = endpoint({
  ...reading,
  id: 'targets.health',
  method: 'GET',
  path: '/connectors/{tenantId}/instances/{id}/health',
  summary: 'Whether a target is paused, and removals that wait for a person.',
  response: TargetHealth,
})

export const approveRemovals = endpoint({
  ...editing,
  id: 'targets.approveRemovals',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/removals/approval',
  summary:
    'Lets the removals that are held at a target pass, and those that were rejected before. With `seen` only where no more of them wait by now than that many.',
  body: Approval,
  response: Decided,
  problems: ['REMOVALS_NOT_HELD', 'REMOVALS_GREW', 'MAINTENANCE'],
})

export const rejectRemovals = endpoint({
  ...editing,
  id: 'targets.rejectRemovals',
  method: 'POST',
  path: '/connectors/{tenantId}/instances/{id}/removals/rejection',
  summary:
    'Leaves the accounts, or the members of groups, whose removal is held as they are, until somebody approves it or the person is active again.',
  body: Decision,
  response: Decided,
  problems: ['REMOVALS_NOT_HELD', 'MAINTENANCE'],
})
