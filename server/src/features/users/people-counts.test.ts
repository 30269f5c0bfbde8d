import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { createSite } from '../sites/public.ts'
import { foldCounts } from './fold-counts.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const world = async () => {
  const { db } = database
  const tenantId = uuidv7()
  await db.insertInto('tenants').values({ id: tenantId, name: 'Counted' }).execute()
  const by = { at: new Date(), correlationId: 'test', actor: { kind: 'system' as const, id: null, name: 'Test' } }
  const sites = await db
    .transaction()
    .execute(async (tx) => [await createSite(tx, { tenantId, name: 'A' }, by), await createSite(tx, { tenantId, name: 'B' }, by)])
  const connectors = [await addConnector(db, { tenantId, name: 'HR' }), await addConnector(db, { tenantId, name: 'HR 2' })]
  const places = [...sites, null]
  const people = Array.from({ length: 12 }, (_, number) => ({
    external_id: `P${number}`,
    connector_id: connectors[number % 2] ?? '',
    site_id: places[number % 3] ?? null,
  }))
  return { tenantId, places, connectors, ids: await addPeople(db, { tenantId, connectorId: connectors[0] ?? '' }, people) }
}

/** Places, connectors and statuses whose count differs from the people there are. */
const wrong = async (tenantId: string) => {
  const { rows } = await sql`
    with there as (
      select p.id as place_id, u.connector_id, u.list_status, count(*) as people
      from users u cross join lateral (values (u.site_id), (u.tenant_id)) as p (id)
      where u.tenant_id = ${tenantId} and p.id is not null group by 1, 2, 3
    ), counted as (
      select place_id, connector_id, list_status, sum(people) as people from people_counts where tenant_id = ${tenantId} group by 1, 2, 3
    )
    select place_id, connector_id, list_status, t.people as there, c.people as counted
    from there t full join counted c using (place_id, connector_id, list_status)
    where coalesce(t.people, 0) <> coalesce(c.people, 0)`.execute(database.db)
  return rows
}

const change = fc.record({
  who: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 6 }),
  what: fc.constantFrom('active', 'inactive', 'claimed', 'invited', 'placeA', 'placeB', 'nowhere', 'other', 'delete', 'rename', 'fold'),
})

const carryOut = async (
  { tenantId, places, connectors, ids }: Awaited<ReturnType<typeof world>>,
  { who, what }: { who: number[]; what: string },
) => {
  if (what === 'fold') return foldCounts(database.db)
  const people = sql`tenant_id = ${tenantId} and id = any(${who.map((index) => ids[index])}::uuid[])`
  if (what === 'delete') return sql`delete from users where ${people}`.execute(database.db)
  const column = {
    active: sql`active = true`,
    inactive: sql`active = false`,
    claimed: sql`claim_state = 'claimed'`,
    invited: sql`claim_state = 'invited'`,
    placeA: sql`site_id = ${places[0]}`,
    placeB: sql`site_id = ${places[1]}`,
    nowhere: sql`site_id = null`,
    other: sql`connector_id = ${connectors[1]}`,
  }[what]
  return sql`update users set ${column ?? sql`title = 'Renamed'`} where ${people}`.execute(database.db)
}

describe('the counts of lists', () => {
  it('say how many people there are, whatever is written and whenever they are folded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 12 }), async (changes) => {
        const made = await world()
        expect(await wrong(made.tenantId)).toEqual([])
        for (const each of changes) {
          await carryOut(made, each)
          expect(await wrong(made.tenantId)).toEqual([])
        }
      }),
      { numRuns: 25, seed: 4 },
    )
  })

  it('are folded to one row each, while others write', async () => {
    const made = await world()
    const writing = Array.from({ length: 40 }, (_, index) =>
      carryOut(made, { who: [index % 12], what: (['inactive', 'claimed', 'placeA', 'fold'] as const)[index % 4] ?? 'fold' }),
    )
    await Promise.all(writing)
    expect(await wrong(made.tenantId)).toEqual([])
    await foldCounts(database.db)
    expect(await wrong(made.tenantId)).toEqual([])
    const { rows } = await sql`
      select 1 from people_counts where tenant_id = ${made.tenantId}
      group by place_id, connector_id, list_status having count(*) > 1 or sum(people) = 0`.execute(database.db)
    expect(rows).toEqual([])
  })
})
