import { USER_SORTS } from '@instep/contract/users.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { createSite } from '../sites/public.ts'
import type { PeopleFilter } from './users.filter.ts'
import { LIST_COLUMNS, type UserListRecord } from './users.presenter.ts'
import type { UserSort } from './users.sorts.ts'
import { type Continued, listPeople } from './users.views.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

// more than have ranges of their own
const SITES = 22

const population = async () => {
  const { db } = database
  const tenantId = uuidv7()
  await db.insertInto('tenants').values({ id: tenantId, name: 'Paged' }).execute()
  const by = { at: new Date(), correlationId: 'test', actor: { kind: 'system' as const, id: null, name: 'Test' } }
  const sites = await db.transaction().execute(async (tx) => {
    const ids: string[] = []
    for (let number = 0; number < SITES; number++) ids.push(await createSite(tx, { tenantId, name: `Site ${number}` }, by))
    return ids
  })
  return {
    tenantId,
    sites,
    connectors: [await addConnector(db, { tenantId, name: 'HR' }), await addConnector(db, { tenantId, name: 'HR 2' })],
  }
}

// few different values, so that many people share a place in the order
const person = fc.record({
  given_name: fc.constantFrom('Ann', 'ann', 'Émile', 'Zed', 'Ω', '\u{1f600}'),
  family_name: fc.constantFrom('A', 'b', 'Ç'),
  start_date: fc.constantFrom(null, '2024-02-29', '2024-03-01', '0001-01-01', '9999-12-31'),
  active: fc.boolean(),
  claim_state: fc.constantFrom('awaitingInvitation', 'invited', 'claimed'),
  site: fc.integer({ min: 0, max: SITES }),
  connector: fc.integer({ min: 0, max: 1 }),
})
type Person = typeof person extends fc.Arbitrary<infer T> ? T : never

const narrowing = fc.record({
  sites: fc.oneof(fc.constant('all' as const), fc.uniqueArray(fc.integer({ min: 0, max: SITES - 1 }), { maxLength: SITES, size: 'max' })),
  connector: fc.option(fc.integer({ min: 0, max: 1 }), { nil: undefined }),
  accountStatus: fc.constantFrom('all' as const, 'claimed', 'notClaimed', 'notInvited', 'inactive', 'active'),
  isActive: fc.option(fc.boolean(), { nil: undefined }),
  searchText: fc.constantFrom(undefined, 'ann', 'a'),
  patience: fc.integer({ min: 1, max: 8 }),
  few: fc.boolean(),
})

const add = async (population_: Awaited<ReturnType<typeof population>>, people: readonly Person[]) => {
  const ids: string[] = []
  for (const { site, connector, ...columns } of people) {
    const place = { tenantId: population_.tenantId, connectorId: population_.connectors[connector] ?? '' }
    ids.push(...(await addPeople(database.db, place, [{ ...columns, site_id: population_.sites[site] ?? null }])))
  }
  return ids
}

/** Everybody whom the filter admits in the order of the list, found the plainest way. */
const expected = async (filter: PeopleFilter, sort: UserSort, among: readonly string[]): Promise<string[]> => {
  const statuses = { all: [0, 1, 2, 3], active: [0, 1, 2], inactive: [3], claimed: [2], notClaimed: [1], notInvited: [0] }
  const column = {
    displayName: 'lower(display_name) collate "C"',
    externalId: 'external_id',
    startDate: `coalesce(start_date, 'infinity')`,
  }
  const way = sort.startsWith('-') ? 'desc' : 'asc'
  const { rows } = await sql<{ id: string }>`
    select id from users where tenant_id = ${filter.tenantId} and id = any(${among}::uuid[])
      and ${filter.sites === 'all' ? sql`true` : sql`site_id = any(${filter.sites}::uuid[])`}
      and ${filter.connectorId ? sql`connector_id = ${filter.connectorId}` : sql`true`}
      and list_status = any(${statuses[filter.accountStatus ?? 'all']}::smallint[])
      and ${filter.isActive === undefined ? sql`true` : sql`active = ${filter.isActive}`}
      and ${filter.searchText ? sql`(display_name ilike '%' || ${filter.searchText} || '%' or ${filter.searchText} = 'a' and (given_name ilike 'a%' or family_name ilike 'a%'))` : sql`true`}
      and (${filter.searchText ?? ''} <> 'a' or given_name ilike 'a%' or family_name ilike 'a%')
    order by ${sql.raw(`${column[sort.replace('-', '') as keyof typeof column]} ${way}, id ${way}`)}`.execute(database.db)
  return rows.map(({ id }) => id)
}

describe('paging through a list while people are added', () => {
  it.each(USER_SORTS)('by %s shows everybody who was there from the start once, in order, however it is narrowed', async (sort) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { maxLength: 25 }),
        fc.array(person, { maxLength: 5 }),
        fc.record({ pageSize: fc.integer({ min: 1, max: 6 }), asked: narrowing }),
        async (first, late, { pageSize, asked }) => {
          const world = await population()
          const there = await add(world, first)
          const filter: PeopleFilter = {
            tenantId: world.tenantId,
            sites: asked.sites === 'all' ? 'all' : asked.sites.map((index) => world.sites[index] ?? ''),
            connectorId: asked.connector === undefined ? undefined : world.connectors[asked.connector],
            accountStatus: asked.accountStatus,
            isActive: asked.isActive,
            searchText: asked.searchText,
          }
          const query = { filter, sort: sort as UserSort, pageSize, columns: LIST_COLUMNS, patience: asked.patience }
          const wanted = await expected(filter, sort, there)
          const comers = [...late]
          const seen: string[] = []
          let after: Continued | undefined
          do {
            const { rows, next, count } = await listPeople<UserListRecord>(database.db, { ...query, after })
            expect(count).toEqual({ value: wanted.length, exact: true })
            seen.push(...rows.map(({ id }) => id))
            await add(world, comers.splice(0, 1))
            // what comes back from a token has been text; a list that is long is walked, which here every list can be
            after = next && (JSON.parse(JSON.stringify({ ...next, few: asked.few && next.few })) as Continued)
          } while (after)
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen.filter((id) => there.includes(id))).toEqual(wanted)
        },
      ),
      { seed: 3, numRuns: 25 },
    )
  })
})

describe('the count of a list', () => {
  it('is exact however long the list is, and of people looked for exact up to 10,000 and an estimate that says so beyond', async () => {
    const { tenantId, connectors } = await population()
    const place = { tenantId, connectorId: connectors[0] ?? '' }
    const many = (count: number) => Array.from({ length: count }, () => ({}))
    for (let done = 0; done < 10_000; done += 2_000) await addPeople(database.db, place, many(2_000))
    const query = { sort: 'displayName' as const, after: undefined, pageSize: 10, columns: LIST_COLUMNS }
    const list = async (filter: Partial<PeopleFilter> = {}) =>
      listPeople<UserListRecord>(database.db, { ...query, filter: { tenantId, sites: 'all', ...filter } })
    expect((await list()).count).toEqual({ value: 10_000, exact: true })
    expect((await list({ searchText: 'byron' })).count).toEqual({ value: 10_000, exact: true })
    const [last = ''] = await addPeople(database.db, place, [{ given_name: 'Ada', family_name: 'Byrona' }])
    expect((await list()).count).toEqual({ value: 10_001, exact: true })
    const { count, rows } = await list({ searchText: 'byron' })
    expect(count.exact).toBe(false)
    expect(count.value).toBeGreaterThan(10_000)
    expect(rows).toHaveLength(10)
    expect((await list({ searchText: 'byrona' })).rows.map(({ id }) => id)).toEqual([last])
    expect(await list({ sites: [] })).toMatchObject({ rows: [], count: { value: 0, exact: true }, next: undefined })
  })
})
