import { DELIMITERS, ENCODINGS } from '@instep/contract/sync.ts'
import { z } from 'zod'

/** What a source says of itself beside its records. */
export const SourceManifest = z.object({ rows: z.number().int().nonnegative(), sha256: z.string().optional() })
export type SourceManifest = z.infer<typeof SourceManifest>

/** What a sync run was asked to do, as `runs.input` keeps it. */
export const SyncInput = z.object({
  fileId: z.string(),
  fileName: z.string(),
  encoding: z.enum(ENCODINGS).optional(),
  delimiter: z.enum(DELIMITERS).optional(),
  configVersion: z.number().int(),
  /** Columns that the mapping in force before this run used, that are not in the file, and that this run's mapping gave up. */
  droppedColumns: z.array(z.string()),
  /** When the source says that the data was made. */
  modifiedAt: z.iso.datetime().optional(),
  manifest: SourceManifest.optional(),
})
export type SyncInput = z.infer<typeof SyncInput>

/** The `kind` of these runs. */
export const SYNC_RUN = 'sync'
