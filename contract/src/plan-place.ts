import { z } from 'zod'
import { Id } from './page.ts'

/** Query members that narrow a plan to where its rows are: a site (`none`: without one) and a department (empty: without one). */
export const planPlace = {
  siteId: z.union([Id, z.literal('none')]).optional(),
  department: z.string().max(1000).optional(),
}

/**
 * Query members that narrow a plan to the rows that one cause keeps from being carried out: the code of a reason (`movedOn`: the person moved on) and the
 * field that it concerns; without a field, where it concerns none.
 */
export const planCause = {
  cause: z.string().min(1).max(100).optional(),
  field: z.string().min(1).max(100).optional(),
}
