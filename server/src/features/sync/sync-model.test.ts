import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { type Counterexample, checkSeed } from './testing/model/check-sequences.ts'

const SEEDS = 100
/** Sequences wait for the database most of the time: so many are played at once, each lane on a database of its own, where it finds its own runs only. */
const LANES = 4

describe('whatever happens in HR, to runs and by hand, the directory is what a small model says', () => {
  it.concurrent.each(Array.from({ length: LANES }, (_, lane) => lane + 1))(
    `from seed %i on, each ${LANES}th`,
    { timeout: 300_000 },
    async (first) => {
      const database = await testDatabase()
      const found: Counterexample[] = []
      for (let seed = first; seed <= SEEDS; seed += LANES) {
        const counterexample = await checkSeed(database, { seed, longest: 11 })
        if (counterexample) found.push(counterexample)
      }
      await database.close()
      expect(found).toEqual([])
    },
  )
})
