import type { Mapping } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { actOnDates } from './act-on-dates.ts'
import { listRunCycles } from './run-cycles.ts'
import { csvOf, type SyncWorld, syncWorld } from './testing/sync-world.ts'

const HEADER = ['id', 'first', 'last', 'start', 'end', 'store', 'boss']
const MAPPING: Mapping = {
  fields: {
    externalId: { column: 'id' },
    givenName: { column: 'first' },
    familyName: { column: 'last' },
    startDate: { column: 'start', dateFormat: 'YMD' },
    endDate: { column: 'end', dateFormat: 'YMD' },
    locationName: { column: 'store' },
    manager: { column: 'boss' },
  },
}
const NOON = '2026-11-21T12:00:00Z'
let world: SyncWorld

beforeEach(async () => {
  world = await syncWorld()
  world.setTime(new Date(NOON))
  await sql`update sites set time_zone = 'Pacific/Auckland' where name = 'South'`.execute(world.database.db)
})
afterEach(() => world.close())

type Person = { start?: string; end?: string; store?: string; boss?: string }
const row = (id: string, { start = '2020-01-01', end = '', store = 'North', boss = '' }: Person = {}) => [
  id,
  'Ada',
  id,
  start,
  end,
  store,
  boss,
]
const file = (...rows: string[][]) => csvOf([HEADER, ...rows])
const plan = (...rows: string[][]) => world.plan(file(...rows), MAPPING)
const sync = (...rows: string[][]) => world.sync(file(...rows), MAPPING)
const kinds = async (run: { id: string }) =>
  (await world.rows(run)).map(({ kind, sourceKey, reasons }) => [kind, sourceKey, ...reasons.map(({ code }) => code)].join(' '))
const states = async () => {
  const { rows } = await sql<{ external_id: string; active: boolean; employment_state: string; deactivated: boolean }>`
    select external_id, active, employment_state, deactivated_at is not null as deactivated from users order by external_id`.execute(
    world.database.db,
  )
  return rows.map(
    (person) =>
      `${person.external_id} ${person.active ? 'active' : 'inactive'} ${person.employment_state}${person.deactivated ? ' off' : ''}`,
  )
}

describe('somebody who starts later', () => {
  it('is planned as such, comes in inactive without ever having been switched off, and starts at midnight', async () => {
    const run = await plan(row('E1', { start: '2026-11-23' }), row('E2'))
    expect(await kinds(run)).toEqual(['future E1 startsLater', 'create E2'])
    expect(run.counts).toMatchObject({ future: 1, create: 1 })
    await world.apply(run)
    expect(await states()).toEqual(['E1 inactive notStarted', 'E2 active employed'])
    await actOnDates(world.database.db, new Date('2026-11-23T00:00:00Z'))
    expect(await states()).toEqual(['E1 active employed', 'E2 active employed'])
    world.setTime(new Date('2026-11-23T01:00:00Z'))
    expect((await plan(row('E1', { start: '2026-11-23' }), row('E2'))).counts).toMatchObject({ future: 0, update: 0, unchanged: 2 })
  })

  it('starts by the day of the site', async () => {
    const run = await plan(row('E1', { start: '2026-11-22' }), row('E2', { start: '2026-11-22', store: 'South' }))
    expect(await kinds(run)).toEqual(['future E1 startsLater', 'create E2'])
  })

  it('and goes from the file before never starts', async () => {
    await sync(row('E1', { start: '2026-11-23' }), row('E2'), row('E3'))
    const run = await plan(row('E2'), row('E3'))
    expect(await kinds(run)).toEqual(['update E1 missingFromFile'])
    await world.apply(run)
    await actOnDates(world.database.db, new Date('2026-12-01T00:00:00Z'))
    expect((await states())[0]).toBe('E1 inactive left')
    expect((await plan(row('E2'), row('E3'))).counts).toMatchObject({ update: 0, deactivate: 0, unchanged: 2 })
  })

  it('counts for the guard where they were there already', async () => {
    const all = Array.from({ length: 8 }, (_, index) => `E${index}`)
    await sync(...all.map((id) => row(id)))
    const run = await plan(...all.map((id) => row(id, { start: '2027-01-01' })))
    expect([run.state, run.held?.code, run.counts.future]).toEqual(['held', 'massDeactivation', 8])
  })
})

describe('somebody who ends', () => {
  it('is told of before, deactivated after, and back with a later date', async () => {
    const others = [row('E2'), row('E3')]
    await sync(row('E1'), ...others)
    const leave = await plan(row('E1', { end: '2026-11-30' }), ...others)
    expect(await kinds(leave)).toEqual(['leave E1 endsOn'])
    await world.apply(leave)
    expect((await states())[0]).toBe('E1 active employed')
    const ended = await plan(row('E1', { end: '2026-11-20' }), ...others)
    expect(await kinds(ended)).toEqual(['deactivate E1 ended'])
    await world.apply(ended)
    expect((await states())[0]).toBe('E1 inactive ended off')
    expect((await plan(row('E1', { end: '2026-11-20' }), ...others)).counts).toMatchObject({ unchanged: 3, deactivate: 0 })
  })

  it('is back with a later date, and gone from the file is no second deactivation', async () => {
    const others = [row('E2'), row('E3')]
    await sync(row('E1', { end: '2026-11-20' }), ...others)
    expect((await states())[0]).toBe('E1 inactive ended off')
    const back = await plan(row('E1', { end: '2027-11-20' }), ...others)
    expect(await kinds(back)).toEqual(['reactivate E1 endMoved'])
    await world.apply(back)
    expect((await states())[0]).toBe('E1 active employed')
    await sync(row('E1', { end: '2026-11-20' }), ...others)
    const gone = await plan(...others)
    expect(await kinds(gone)).toEqual(['update E1 missingFromFile'])
    await world.apply(gone)
    expect((await states())[0]).toBe('E1 inactive left off')
    expect(await kinds(await plan(row('E1'), ...others))).toEqual(['reactivate E1 backInFile'])
  })
})

it('a circle of managers is told with the run, stored as said, and nothing goes round', async () => {
  const run = await sync(row('E1', { boss: 'E2' }), row('E2', { boss: 'E1' }), row('E3', { boss: 'E1' }))
  const cycles = await listRunCycles(world.database.db, { tenantId: world.tenantId, runId: run.id })
  expect(cycles.map((people) => people.map(({ name }) => name))).toEqual([['Ada E1', 'Ada E2']])
  const { rows } = await sql<{ data: unknown }>`select data from events where type = 'run.reportingCycles'`.execute(world.database.db)
  expect(rows).toMatchObject([{ data: { count: 1, names: 'Ada E1 → Ada E2 → Ada E1' } }])
})

it('a file without dates is planned as ever', async () => {
  const { startDate: _, endDate: __, ...fields } = MAPPING.fields
  const run = await world.plan(file(row('E1', { start: '2030-01-01', end: '2020-01-01' })), { fields })
  expect(await kinds(run)).toEqual(['create E1'])
})
