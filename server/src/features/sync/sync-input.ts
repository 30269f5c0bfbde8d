import type { JsonValue } from '@instep/connectors/kit/fetching-source.ts'
import { APPLY_MODES } from '@instep/contract/sources.ts'
import { DELIMITERS, ENCODINGS } from '@instep/contract/sync.ts'
import { z } from 'zod'

/** What a source says of itself beside its records. */
export const SourceManifest = z.object({ rows: z.number().int().nonnegative(), sha256: z.string().optional() })
export type SourceManifest = z.infer<typeof SourceManifest>
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
  /** When the source says that the data was made. */
  modifiedAt: z.iso.datetime().optional(),
  manifest: SourceManifest.optional(),
  fetch: FetchInput.optional(),
  /** The run whose rows are planned again, because their people had changed when it came to them. */
  follows: z.string().optional(),
  /** The keys of the records in the file: somebody asked for these people, and the source says nothing about anybody else. Older runs name one. */
  only: z.union([z.array(z.string()), z.string().transform((key) => [key])]).optional(),
})
export type SyncInput = z.infer<typeof SyncInput>

/** What a run that takes another back was asked to do. */
export const UndoInput = z.object({
  /** The run whose changes are taken back. */
  undoes: z.string(),
  /** Of that run. */
  fileName: z.string().nullable(),
})
export type UndoInput = z.infer<typeof UndoInput>

/** What a run was asked to do that shows what a version of the configuration would make of what was read last. It ends with its plan. */
export const TrialInput = z.object({
  trial: z.literal(true),
  fileName: z.string().nullable(),
  configVersion: z.number().int(),
  /** The upload that it reads, else the run whose staged records it reads. */
  from: z.union([z.object({ fileId: z.string() }), z.object({ stagedBy: z.string() })]),
})
export type TrialInput = z.infer<typeof TrialInput>

export const RunInput = z.union([UndoInput, TrialInput, SyncInput])
export type RunInput = z.infer<typeof RunInput>

/** The upload that belongs to a run and goes with its end; what a trial reads is not its own. */
export const uploadOf = (input: unknown): string | undefined => {
  const read = RunInput.parse(input)
  return 'fileId' in read ? read.fileId : undefined
}

/** The `kind` of these runs. */
export const SYNC_RUN = 'sync'

/** Whether the run's file names only what changed, and nobody who is not in it has left. */
export const isPartial = (input: SyncInput | TrialInput): boolean =>
  'fileId' in input && (input.only !== undefined || input.fetch?.fetched?.extent === 'changes')
