/** Where a run stands, and how another run names it. */
import { z } from 'zod'
import { Id, Instant } from './page.ts'

export const RUN_STATES = [
  'queued',
  'running',
  'planned',
  'held',
  'succeeded',
  'partlySucceeded',
  'failed',
  'rejected',
  'cancelled',
] as const
export const RunState = z.enum(RUN_STATES)
export type RunState = z.infer<typeof RunState>

/** Another run, as far as it is named. */
export const OtherRun = z.object({ id: Id, state: RunState, fileName: z.string().nullable(), createdAt: Instant })
export type OtherRun = z.infer<typeof OtherRun>

/** Accounts of this run's people at the targets, so that "applied" and "in the workplace" are not confused. */
export const TargetProgress = z.object({
  targetId: Id,
  name: z.string(),
  /** False: somebody switched it off, and nothing is tried there until somebody switches it on again. */
  enabled: z.boolean(),
  pending: z.number().int(),
  /** Owed by a target at which nothing is tried at present. */
  paused: z.number().int(),
  inStep: z.number().int(),
  failed: z.number().int(),
})
