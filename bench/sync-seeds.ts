import { checkSeed } from '@instep/server/features/sync/testing/model/check-sequences.ts'
import type { Database } from '@instep/server/platform/db/database.ts'
import { freshDatabases } from './fresh-databases.ts'

/** What many tenants have left behind slows the next ones down. */
const SHARE = 100

interface Options {
  readonly first: number
  readonly seeds: number
  /** Most steps of a sequence. */
  readonly longest: number
  /** Of a counterexample, to play it again. */
  readonly path?: string | undefined
  readonly say: (line: string) => void
}

/** Plays the sequences of many seeds and tells every counterexample, with what it takes to see it again; answers how many there were. */
export const syncSeeds = async ({ first, seeds, longest, path: replayed, say }: Options): Promise<number> => {
  const databases = await freshDatabases()
  let found = 0
  try {
    let database: Database | undefined
    for (let seed = first; seed < first + seeds; seed += 1) {
      const count = seed - first
      if (!database || count % SHARE === 0) database = (await databases.next()).database
      const counterexample = await checkSeed(database, { seed, longest, ...(replayed !== undefined && { path: replayed }) })
      if (counterexample) {
        found += 1
        const { why, steps, path: place } = counterexample
        say(`seed ${seed}: ${why}\n  ${steps}`)
        say(`  again: npm run soak -- sync --from ${seed} --seeds 1 --longest ${longest}${place === null ? '' : ` --path ${place}`}`)
      }
      if ((count + 1) % 100 === 0) say(`${count + 1} of ${seeds} seeds, ${found} counterexamples`)
    }
  } finally {
    await databases.close()
  }
  return found
}
