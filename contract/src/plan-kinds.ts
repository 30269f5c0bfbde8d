import { z } from 'zod'

/**
 * What a plan does with a record or a person; `future`: starts later, `leave`: an end date is set that has not come, `ignored`: an answer in the case
 * queue leaves the record out.
 */
export const PLAN_KINDS = [
  'create',
  'update',
  'deactivate',
  'reactivate',
  'future',
  'leave',
  'unchanged',
  'outOfScope',
  'ignored',
  'conflict',
  'invalid',
] as const
export const PlanKind = z.enum(PLAN_KINDS)
export type PlanKind = z.infer<typeof PlanKind>

/** Kinds that change a person; any other is carried out by nobody. */
export const CHANGING_KINDS = ['create', 'update', 'deactivate', 'reactivate', 'future', 'leave'] as const satisfies readonly PlanKind[]
