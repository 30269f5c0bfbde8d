import { USER_SORTS } from '@instep/contract/users.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { escapeLike } from './users.filter.ts'
import type { Place, UserSort } from './users.sorts.ts'
import { countPeople, listPeople, searchPeople } from './users.views.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const population = async () => {
  const tenantId = uuidv7()
  await database.db.insertInto('tenants').values({ id: tenantId, name: 'Paged' }).execute()
  return { tenantId, connectorId: await addConnector(database.db, { tenantId, name: 'HR' }) }
}

// few different values, so that many people share a place in the order
const person = fc.record({
  given_name: fc.constantFrom('Ann', 'ann', 'Émile', 'Zed', 'Ω', '\u{1f600}'),
  family_name: fc.constantFrom('A', 'b', 'Ç'),
  start_date: fc.constantFrom(null, '2024-02-29', '2024-03-01', '0001-01-01', '9999-12-31'),
})

describe('paging through a list while people are added', () => {
  it.each(USER_SORTS)('by %s never skips or repeats anybody who was there from the start', async (sort) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { maxLength: 25 }),
        fc.array(person, { maxLength: 8 }),
        fc.integer({ min: 1, max: 6 }),
        async (first, late, pageSize) => {
          const { tenantId, connectorId } = await population()
          const there = first.length > 0 ? await addPeople(database.db, { tenantId, connectorId }, first) : []
          const query = { filter: { tenantId, sites: 'all' as const }, sort: sort as UserSort, pageSize }
          const comers = [...late]
          const seen: string[] = []
          let after: Place | undefined
          do {
            const { rows, next } = await listPeople(database.db, { ...query, after })
            seen.push(...rows.map(({ id }) => id))
            const [comer] = comers.splice(0, 1)
            if (comer) await addPeople(database.db, { tenantId, connectorId }, [comer])
            // what comes back from a token has been text
            after = next && (JSON.parse(JSON.stringify(next)) as Place)
          } while (after)
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen.filter((id) => there.includes(id)).sort()).toEqual([...there].sort())
        },
      ),
      { seed: 3, numRuns: 15 },
    )
  })
})

it('LIKE takes every character as itself', () => {
  expect(escapeLike('100%_a\\b')).toBe('100\\%\\_a\\\\b')
})

it('a count is exact up to 10,000, and an estimate that says so beyond', async () => {
  const { tenantId, connectorId } = await population()
  const many = (count: number) => Array.from({ length: count }, () => ({}))
  for (let done = 0; done < 10_000; done += 2_000) await addPeople(database.db, { tenantId, connectorId }, many(2_000))
  const filter = { tenantId, sites: 'all' as const }
  expect(await countPeople(database.db, filter)).toEqual({ value: 10_000, exact: true })
  await addPeople(database.db, { tenantId, connectorId }, many(1))
  const count = await countPeople(database.db, filter)
  expect(count.exact).toBe(false)
  expect(count.value).toBeGreaterThan(10_000)
  const { rows } = await searchPeople(database.db, {
    filter: { ...filter, sites: [] },
    sort: 'displayName',
    after: undefined,
    pageSize: 10,
  })
  expect(rows).toEqual([])
})
