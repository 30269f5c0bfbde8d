import { z } from 'zod'

/** How a sync run began, as every answer about one tells. */
export const runOrigin = {
  /** `upload`: over a file that somebody gave; `person`: over one person's record, read for a sync by hand; else it fetches its file, by hand or by the schedule. */
  began: z.enum(['upload', 'hand', 'schedule', 'person']),
  /** Stops at the plan; only a person can have it applied. */
  dryRun: z.boolean(),
  /** The source had nothing new, so that there is no plan. */
  nothingNew: z.boolean(),
}
