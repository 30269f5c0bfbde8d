import { z } from 'zod'
import { Id } from './page.ts'

/** Query members that narrow a plan to where its rows are: a site (`none`: without one) and a department (empty: without one). */
export const planPlace = {
  siteId: z.union([Id, z.literal('none')]).optional(),
  department: z.string().max(1000).optional(),
}
