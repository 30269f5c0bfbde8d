import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { type Counterexample, checkSeed } from './testing/model/check-sequences.ts'

const SEEDS = 100
/** Every tenant of a database is looked at when dates act, so that few share one. */
const SHARE = 20

describe('whatever happens in HR, to runs and by hand, the directory is what a small model says', () => {
  it.each(Array.from({ length: SEEDS / SHARE }, (_, share) => share * SHARE + 1))(
    'from seed %i on',
    { timeout: 300_000 },
    async (first) => {
      const database = await testDatabase()
      const found: Counterexample[] = []
      for (let seed = first; seed < first + SHARE; seed += 1) {
        const counterexample = await checkSeed(database, { seed, longest: 11 })
        if (counterexample) found.push(counterexample)
      }
      await database.close()
      expect(found).toEqual([])
    },
  )
})
