import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { cancelRun, rejectRun } from './decide-run.ts'
import { ADMIN, csvOf, HEADER, MAPPING, people, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'

let world: SyncWorld
const worlds: SyncWorld[] = []

beforeEach(async () => {
  world = await syncWorld()
  worlds.push(world)
})
afterEach(async () => {
  await worlds.pop()?.close()
})
afterAll(async () => {
  for (const left of worlds) await left.close()
})

const kinds = async (run: { id: string }): Promise<string[]> =>
  (await world.rows(run)).map(({ kind, sourceKey, reasons }) => [kind, sourceKey, ...reasons.map(({ code }) => code)].join(' '))

const addPerson = async (connectorId: string, externalId: string): Promise<void> => {
  await sql`
    insert into users (tenant_id, id, connector_id, external_id, given_name, family_name, display_name, base, created_at, updated_at)
    values (${world.tenantId}, ${uuidv7()}, ${connectorId}, ${externalId}, 'Man', 'Ual', 'Man Ual', '{"active": true}', now(), now())`.execute(
    world.deps.db,
  )
}

describe('a run that cannot read its file ends with the reason and changes nothing', () => {
  it.each([
    ['a quote that is never closed', `${csvOf([HEADER, person('E1')])}E2,"Ada,x\n`, 'FILE_QUOTE_OPEN'],
    ['a row with cells too many', `${csvOf([HEADER, person('E1')])}1,2,3,4,5,6,7,8\n`, 'FILE_ROW_TOO_LONG'],
  ])('%s', async (_, content, code) => {
    const run = await world.plan(content)
    expect([run.state, run.failure?.code]).toEqual(['failed', code])
    expect(await world.rows(run)).toEqual([])
    // the file goes when the run's end is told
    await vi.waitFor(() => expect(world.files()).toEqual([]))
    expect((await sql`select from staged_records`.execute(world.deps.db)).rows).toEqual([])
  })

  it('a file that is gone when the run begins', async () => {
    const run = await world.plan([person('E1')])
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN })
    await expect(
      world.start((await sql<{ id: string }>`select id from files`.execute(world.deps.db)).rows[0]?.id ?? ''),
    ).rejects.toMatchObject({
      code: 'FILE_GONE',
    })
  })
})

describe('a plan leaves to a person', () => {
  it('two rows with one external id; neither is applied and nobody leaves', async () => {
    await world.sync([person('E1'), person('E2')])
    const run = await world.plan([person('E1', { first: 'One' }), person(' E1 ', { first: 'Two' }), person('E2')])
    expect(await kinds(run)).toEqual(['conflict E1 duplicateKey', 'conflict E1 duplicateKey'])
    await world.apply(run)
    expect((await world.people()).get('E1')).toMatchObject({ given_name: 'Ada', active: true, version: 1 })
  })

  it('a row that repeats another to the letter, also of somebody who has not changed', async () => {
    await world.sync([person('E1'), person('E2')])
    expect(await kinds(await world.plan([person('E1'), person('E1'), person('E2')]))).toEqual([
      'conflict E1 duplicateKey',
      'conflict E1 duplicateKey',
    ])
  })

  it('an external id of somebody who was made by hand in this connector', async () => {
    await addPerson(world.connectorId, 'E1')
    expect(await kinds(await world.plan([person('E1'), person('E2')]))).toEqual(['conflict E1 adopt', 'create E2'])
  })

  it('an external id of somebody of another connector, as long as there is a target they share', async () => {
    await addPerson(world.otherConnectorId, 'E1')
    const run = await world.plan([person('E1')])
    expect((await world.rows(run))[0]?.reasons).toEqual([
      { code: 'otherConnector', field: 'externalId', params: { name: 'Man Ual', connector: 'Contractors' } },
    ])
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN })
    await sql`update connectors set enabled = false where id = ${world.targetId}`.execute(world.deps.db)
    expect(await kinds(await world.plan([person('E1')]))).toEqual(['create E1'])
  })

  it('whatever would change somebody who is locked, and takes it up when the lock is lifted', async () => {
    await world.sync([person('E1'), person('E2'), person('E3')])
    await sql`update users set locked = true where external_id in ('E1', 'E3')`.execute(world.deps.db)
    const next = [person('E1', { first: 'New' }), person('E2')]
    const run = await world.plan(next)
    expect(await kinds(run)).toEqual(['conflict E3 locked', 'conflict E1 locked'])
    await world.apply(run)
    await sql`update users set locked = false`.execute(world.deps.db)
    expect(await kinds(await world.plan(next))).toEqual(['deactivate E3 missingFromFile', 'update E1'])
  })

  it('rows that are not valid, which keep their people from leaving', async () => {
    await world.sync(people(1, 30))
    const run = await world.plan([person('E00001', { start: '31/02/2024' }), ...people(2, 30)])
    expect(await kinds(run)).toEqual(['invalid E00001 date'])
    expect((await world.rows(run))[0]).toMatchObject({ rowNumber: 2, employeeId: 'E00001', displayName: 'Ada Byron E00001' })
    expect(run.counts).toMatchObject({ invalid: 1, unchanged: 29, deactivate: 0 })
  })

  it('people who are missing while a row has no external id that can be read', async () => {
    await world.sync(people(1, 30))
    const run = await world.plan([person(''), ...people(2, 30)])
    expect(await kinds(run)).toEqual(['conflict E00001 leaverUncertain', 'invalid  required'])
    expect(run.state).toBe('planned')
  })

  it('a row with characters that no text has', async () => {
    const broken = ['E\u00003', 'Ada', 'Byron', '', '', '']
    const run = await world.plan([person('E1', { first: 'A\u0000b' }), broken, person('E2')])
    expect(await kinds(run)).toEqual(['invalid E1 characters', 'invalid  characters', 'create E2'])
  })
})

describe('a run is held', () => {
  it('when too many would leave within a day, though each file alone takes few', async () => {
    const start = Date.parse('2026-03-01T08:00:00Z')
    world.setTime(new Date(start))
    await world.sync(people(1, 100))
    world.setTime(new Date(start + 1000))
    expect((await world.sync(people(8, 100))).state).toBe('succeeded')
    world.setTime(new Date(start + 3_600_000))
    const second = await world.plan(people(15, 100))
    expect(second).toMatchObject({ state: 'held', held: { code: 'massDeactivation', params: { deactivations: 7, recent: 7, active: 93 } } })
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: second.id, by: ADMIN })
    world.setTime(new Date(start + 25 * 3_600_000))
    expect((await world.plan(people(15, 100))).state).toBe('planned')
  })

  it('when the remembered mapping lost a required column: nothing is planned and it can only be rejected', async () => {
    await world.sync(people(1, 3))
    const fileId = await world.store(
      csvOf([
        ['id', 'first', 'mail'],
        ['E00001', 'Ada', 'a@example.com'],
      ]),
    )
    const run = await world.until(await world.start(fileId), ['held', 'planned'])
    expect(run).toMatchObject({ state: 'held', held: { code: 'lostColumn', params: { columns: 'last, store, start' } } })
    expect(await world.rows(run)).toEqual([])
    await expect(world.apply(run, 'go on')).rejects.toMatchObject({ code: 'RUN_STATE_WRONG' })
  })

  it('when the remembered mapping lost another column; approved, the field stays as it is', async () => {
    await world.sync([person('E1')])
    const fileId = await world.store(
      csvOf([
        ['id', 'first', 'last', 'start', 'store'],
        ['E1', 'Augusta', 'King', '01/02/2024', 'North'],
      ]),
    )
    const run = await world.until(await world.start(fileId), ['held', 'planned'])
    expect(run).toMatchObject({ state: 'held', held: { code: 'lostColumn' } })
    await expect(world.apply(run)).rejects.toMatchObject({ code: 'RUN_REASON_REQUIRED' })
    await world.apply(run, 'the column comes back next week')
    expect((await world.people()).get('E1')).toMatchObject({
      given_name: 'Augusta',
      work_email: 'E1@example.com',
      base: { accessCodeDelivery: 'email.work' },
    })
  })

  it('when a new mapping gives up a field because its column is gone', async () => {
    await world.sync([person('E1')])
    const { startDate: _, ...rest } = MAPPING.fields
    const run = await world.plan(
      csvOf([
        ['id', 'first', 'last', 'mail', 'store'],
        ['E1', 'Ada', 'Byron E1', 'E1@example.com', 'North'],
      ]),
      { fields: rest },
    )
    expect(run).toMatchObject({ state: 'held', held: { code: 'lostColumn', params: { columns: 'start' } }, counts: { unchanged: 1 } })
  })
})

describe('a run', () => {
  it('is cancelled while it is planned; nothing is left of it, and another can be started', async () => {
    const gate = Promise.withResolvers<void>()
    const gated = await syncWorld({ wrap: (handler) => async (context) => gate.promise.then(() => handler(context)) })
    worlds.push(gated)
    const id = await gated.start(await gated.store([person('E1')]), MAPPING)
    await gated.until(id, ['running'])
    await expect(gated.start(await gated.store([person('E1')]))).rejects.toMatchObject({ code: 'RUN_ACTIVE' })
    await cancelRun(gated.deps, { tenantId: gated.tenantId, runId: id, by: ADMIN })
    gate.resolve()
    const run = await gated.until(id, ['cancelled', 'planned'])
    expect(run).toMatchObject({ state: 'cancelled', decidedBy: ADMIN.name })
    expect(await gated.rows(run)).toEqual([])
    expect((await gated.plan([person('E1')])).state).toBe('planned')
  })

  it('of a plan that is waiting takes no cancellation, and rejected it changes nothing', async () => {
    const run = await world.plan([person('E1')])
    const decision = { tenantId: world.tenantId, runId: run.id, by: ADMIN }
    await expect(cancelRun(world.deps, decision)).rejects.toMatchObject({ code: 'RUN_STATE_WRONG' })
    await rejectRun(world.deps, decision)
    await expect(rejectRun(world.deps, decision)).rejects.toMatchObject({ code: 'RUN_STATE_WRONG' })
    expect((await world.people()).size).toBe(0)
    expect(world.files()).toEqual([])
  })

  it('reads every record again when the mapping has changed, remembers that, and needs not do so twice', async () => {
    await world.sync([person('E1'), person('E2')])
    const mapping = { fields: { ...MAPPING.fields, title: { column: 'first' } } }
    const changed = await world.sync([person('E1'), person('E2')], mapping)
    expect(changed.counts).toMatchObject({ update: 2, unchanged: 0 })
    const back = await world.sync([person('E1'), person('E2')], MAPPING)
    expect(back.counts).toMatchObject({ update: 0, unchanged: 2 })
    expect(back.stages.find(({ name }) => name === 'compare')?.count).toBe(2)
    const again = await world.plan([person('E1'), person('E2')])
    expect(again.stages.find(({ name }) => name === 'compare')?.count).toBe(0)
    const versions = await sql<{ version: number }>`select version from connector_versions order by version`.execute(world.deps.db)
    expect(versions.rows.map(({ version }) => version)).toEqual([1, 2, 3])
  })

  it('takes new and reordered columns for no change', async () => {
    await world.sync([person('E1')])
    const [id = '', first = '', last = '', mail = '', start = '', store = ''] = person('E1')
    const run = await world.plan(
      csvOf([
        ['store', 'new', ...HEADER.slice(0, 5)],
        [store, 'x', id, first, last, mail, start],
      ]),
    )
    expect(run).toMatchObject({ state: 'planned', counts: { unchanged: 1, update: 0 } })
  })
})
