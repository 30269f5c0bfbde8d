import type { JsonValue } from '@instep/connectors/kit/fetching-source.ts'
import { APPLY_MODES } from '@instep/contract/sources.ts'
import { DELIMITERS, ENCODINGS } from '@instep/contract/sync.ts'
import { z } from 'zod'

/** How a run came about that fetches its file itself, and what it fetched. */
const FetchInput = z.object({
  began: z.enum(['schedule', 'hand']),
  /** Whether a plan that no guard holds is applied by itself. */
  apply: z.enum(APPLY_MODES),
  dryRun: z.boolean(),
  /** Absent until the file is there. */
  fetched: z
    .object({ watermark: z.custom<JsonValue>(), extent: z.enum(['full', 'changes']), modifiedAt: z.string().nullable() })
    .optional(),
  nothingNew: z.boolean().optional(),
})

/** What a sync run was asked to do, as `runs.input` keeps it. */
export const SyncInput = z.object({
  fileId: z.string(),
  fileName: z.string(),
  encoding: z.enum(ENCODINGS).optional(),
  delimiter: z.enum(DELIMITERS).optional(),
  configVersion: z.number().int(),
  /** Columns that the mapping in force before this run used, that are not in the file, and that this run's mapping gave up. */
  droppedColumns: z.array(z.string()),
  fetch: FetchInput.optional(),
})
export type SyncInput = z.infer<typeof SyncInput>

/** The `kind` of these runs. */
export const SYNC_RUN = 'sync'
