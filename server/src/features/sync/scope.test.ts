import type { Condition } from '@instep/contract/conditions.ts'
import type { Mapping, Run } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rejectRun } from './decide-run.ts'
import { ADMIN, csvOf, HEADER, MAPPING, people, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'

/** Who is in scope is decided on what the mapping makes of a record. */
let world: SyncWorld
beforeEach(async () => {
  world = await syncWorld()
})
afterEach(() => world.close())

const scoped = (scope: Condition, fields: Mapping['fields'] = {}): Mapping => ({ fields: { ...MAPPING.fields, ...fields }, scope })
const IN_NORTH = scoped({ field: 'locationName', operator: 'equals', value: 'north' })

const kinds = async (run: { id: string }): Promise<string[]> =>
  (await world.rows(run)).map(({ kind, sourceKey, reasons }) => [kind, sourceKey, ...reasons.map(({ code }) => code)].join(' '))
const reject = ({ id }: Pick<Run, 'id'>) => rejectRun(world.deps, { tenantId: world.tenantId, runId: id, by: ADMIN })

it('a record that never was in scope is counted, and neither planned nor missed', async () => {
  const rows = [person('E1'), person('E2', { store: 'South' }), person('E3', { store: 'South', mail: 'no address' })]
  const run = await world.plan(rows, IN_NORTH)
  expect(await kinds(run)).toEqual(['create E1'])
  expect(run.counts).toMatchObject({ create: 1, outOfScope: 2, invalid: 0, unchanged: 0 })
  await world.apply(run)
  const again = await world.plan(rows, IN_NORTH)
  expect(await kinds(again)).toEqual([])
  expect(again.counts).toMatchObject({ outOfScope: 2, unchanged: 1 })
})

it('somebody who goes out of scope leaves before all else is done, stays away, and comes back with it', async () => {
  await world.sync([person('E1'), person('E2')], IN_NORTH)
  const run = await world.plan([person('E1', { first: 'New' }), person('E2', { store: 'South' })], IN_NORTH)
  expect(await kinds(run)).toEqual(['deactivate E2 outOfScope', 'update E1'])
  expect(run.counts).toMatchObject({ outOfScope: 1, unchanged: 0 })
  await world.apply(run)
  expect((await world.people()).get('E2')).toMatchObject({ active: false, location_name: 'North' })
  const still = await world.plan([person('E1', { first: 'New' }), person('E2', { store: 'South' })], IN_NORTH)
  expect(await kinds(still)).toEqual([])
  await reject(still)
  const back = await world.plan([person('E1', { first: 'New' }), person('E2', { first: 'Back' })], IN_NORTH)
  expect(await kinds(back)).toEqual(['reactivate E2 backInScope'])
  await world.apply(back)
  expect((await world.people()).get('E2')).toMatchObject({ active: true, given_name: 'Back' })
})

it('who left the file after having come back into scope comes back into the file', async () => {
  await world.sync([person('E1'), person('E2')], IN_NORTH)
  await world.sync([person('E1'), person('E2', { store: 'South' })], IN_NORTH)
  await world.sync([person('E1'), person('E2')], IN_NORTH)
  await world.sync([person('E1')], IN_NORTH)
  expect(await kinds(await world.plan([person('E1'), person('E2')], IN_NORTH))).toEqual(['reactivate E2 backInFile'])
})

it('a scope that would let many leave is held as a file that lost them is', async () => {
  await world.sync(people(1, 30), MAPPING)
  const run = await world.plan(
    people(1, 30),
    scoped({ field: 'externalId', operator: 'notIn', value: people(1, 10).map(([id = '']) => id) }),
  )
  expect([run.state, run.held?.code, run.counts.deactivate]).toEqual(['held', 'massDeactivation', 10])
})

describe('in doubt nobody leaves', () => {
  beforeEach(async () => {
    await world.sync([person('E1'), person('E2')], IN_NORTH)
  })

  it('of two records with one key, one of which is in scope', async () => {
    const run = await world.plan([person('E1'), person('E1', { store: 'South' }), person('E2')], IN_NORTH)
    expect(await kinds(run)).toEqual(['conflict E1 duplicateKey', 'conflict E1 duplicateKey'])
  })

  it('whose record is not valid', async () => {
    const run = await world.plan([person('E1', { store: 'South', mail: 'no address' }), person('E2')], IN_NORTH)
    expect(await kinds(run)).toEqual(['invalid E1 email'])
  })

  it('who is locked', async () => {
    await sql`update users set locked = true`.execute(world.deps.db)
    expect(await kinds(await world.plan([person('E1', { store: 'South' }), person('E2')], IN_NORTH))).toEqual(['conflict E1 locked'])
  })

  it('whose empty cell leaves them as they are', async () => {
    const keeping = scoped(
      { field: 'locationName', operator: 'equals', value: 'North' },
      { locationName: { column: 'store', whenEmpty: { policy: 'keep' } } },
    )
    expect(await kinds(await world.plan([person('E1', { store: '' }), person('E2')], keeping))).toEqual([])
  })

  it('when the column that says who is in scope is gone', async () => {
    const header = HEADER.filter((name) => name !== 'store')
    const file = await world.store(csvOf([header, person('E1').slice(0, -1)]))
    const run = await world.until(await world.start(file), ['held', 'planned'])
    expect([run.state, run.held?.code]).toEqual(['held', 'lostColumn'])
    expect(await kinds(run)).toEqual([])
  })
})

it('dates bring people into scope and out of it though their records stay the same', async () => {
  const begun = scoped({ all: [{ not: { field: 'startDate', operator: 'withinNext', value: { number: 1, scale: 'year' } } }] })
  const rows = [person('E1'), person('E2', { start: '10/06/2026' })]
  world.setTime(new Date('2026-06-01T12:00:00Z'))
  await world.sync(rows, begun)
  expect([...(await world.people()).keys()]).toEqual(['E1'])
  world.setTime(new Date('2026-06-11T12:00:00Z'))
  expect(await kinds(await world.plan(rows, begun))).toEqual(['create E2'])
})

it('without a scope everybody is taken again', async () => {
  await world.sync([person('E1'), person('E2', { store: 'South' })], IN_NORTH)
  expect(await kinds(await world.plan([person('E1'), person('E2', { store: 'South' })], MAPPING))).toEqual(['create E2'])
})

it('a condition on a field that the mapping does not fill is refused', async () => {
  const file = await world.store([person('E1')])
  await expect(world.start(file, scoped({ field: 'title', operator: 'equals', value: 'x' }))).rejects.toMatchObject({
    code: 'MAPPING_INCOMPLETE',
  })
})
