import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { faultSeasons, OPERATIONS, type Season } from './testing/fault-season.ts'

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)

let database: TestDatabase
let seasons: Season[]
beforeAll(async () => {
  database = await testDatabase({ max: 6 })
  // all at once: most of a season is waiting for time limits
  seasons = await faultSeasons(
    database.db,
    OPERATIONS.flatMap((operation) => SEEDS.map((seed) => ({ operation, seed }))),
  )
}, 300_000)
afterAll(() => database.close())

describe.each(OPERATIONS)('%s at a target that fails in every way there is', (operation) => {
  it.each(SEEDS)('comes to what it should, nobody twice and nobody missing, seed %i', (seed) => {
    const season = seasons.find(({ name }) => name === `${operation}, seed ${seed}`)
    expect(season).toMatchObject({ findings: [], requests: expect.toSatisfy((requests: number) => requests > 17) })
  })
})
