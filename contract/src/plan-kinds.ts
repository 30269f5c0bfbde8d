/** What a plan decides about a record or a person; `ignored`: an answer in the case queue leaves the record out. */
import { z } from 'zod'

const PLAN_KINDS = ['create', 'update', 'deactivate', 'reactivate', 'unchanged', 'outOfScope', 'ignored', 'conflict', 'invalid'] as const
export const PlanKind = z.enum(PLAN_KINDS)
export type PlanKind = z.infer<typeof PlanKind>
