import { afterAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { type Counterexample, checkSeed } from './testing/model/check-sequences.ts'

const SEEDS = Number(process.env.SEEDS ?? 100)
/** Every tenant of a database is looked at when dates act, so that few share one. */
const SHARE = Number(process.env.SHARE ?? 20)

describe('whatever happens in HR, to runs and by hand, the directory is what a small model says', () => {
  const databases: TestDatabase[] = []
  afterAll(() => Promise.all(databases.map((database) => database.close())))

  it.each(Array.from({ length: SEEDS / SHARE }, (_, share) => share * SHARE + 1))(
    'from seed %i on',
    { timeout: 120_000 },
    async (first) => {
      const database = await testDatabase()
      databases.push(database)
      const found: Counterexample[] = []
      for (let seed = first; seed < first + SHARE; seed += 1) {
        const counterexample = await checkSeed(database, { seed, longest: 14 })
        if (counterexample) found.push(counterexample)
      }
      expect(found).toEqual([])
    },
  )
})
