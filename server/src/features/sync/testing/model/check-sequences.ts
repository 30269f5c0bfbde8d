import fc from 'fast-check'
import type { Database } from '../../../../platform/db/database.ts'
import { playSequence } from './play-steps.ts'
import { sequences } from './steps.ts'

/** What went wrong in one seed: the smallest sequence found that still goes wrong, and how to see it again. */
export interface Counterexample {
  readonly seed: number
  readonly path: string | null
  readonly why: string
  readonly steps: string
}

/**
 * Plays the sequence of a seed, and where directory and model part, makes it smaller for as long as given.
 *
 * @param path of a counterexample, to play it again as it was printed
 */
export const checkSeed = async (
  database: Database,
  { seed, longest, shrinkSeconds = 30, path }: { seed: number; longest: number; shrinkSeconds?: number; path?: string },
): Promise<Counterexample | undefined> => {
  let failedAt: number | undefined
  const property = fc.asyncProperty(sequences(longest), async (steps) => {
    // enough of making it smaller
    if (failedAt !== undefined && performance.now() - failedAt > shrinkSeconds * 1000) return
    await playSequence(database, steps).catch((error: unknown) => {
      failedAt ??= performance.now()
      throw error
    })
  })
  const replayed = path === undefined ? {} : { path, endOnFailure: true }
  const checked = await fc.check(property, { seed, numRuns: 1, unbiased: true, ...replayed })
  if (!checked.failed) return undefined
  const error = checked.errorInstance
  return {
    seed,
    path: checked.counterexamplePath,
    why: error instanceof Error ? error.message : String(error),
    steps: JSON.stringify(checked.counterexample?.[0] ?? []),
  }
}
