import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { faultSeason, OPERATIONS } from './testing/fault-season.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)

describe.each(OPERATIONS)('%s at a target that fails in every way there is', (operation) => {
  // most of a season is waiting for time limits
  it.concurrent.each(SEEDS)('comes to what it should, nobody twice and nobody missing, seed %i', async (seed) => {
    expect((await faultSeason(database.db, { seed, operation })).findings).toEqual([])
  })
})
