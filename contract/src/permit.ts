/** Whether the caller may do something, or why not: what a button says when it cannot be pressed. */
import { z } from 'zod'

/** `code` is the problem that the call would answer with; its words are those of the problem. */
export const Permit = z.object({ allowed: z.boolean(), code: z.string().nullable() })
export type Permit = z.infer<typeof Permit>
