import { DEFAULT_GUARDS, type GuardSettings } from '@instep/contract/guard-settings.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { rejectRun } from './decide-run.ts'
import { breakDownPlan, listPlanRows } from './plan.views.ts'
import { protectPerson } from './protect-person.ts'
import { startUndo } from './start-undo.ts'
import { ADMIN, csvOf, HEADER, people, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'
import { updateGuards } from './update-guards.ts'

let world: SyncWorld
beforeEach(async () => {
  world = await syncWorld()
})
afterEach(() => world.close())

const set = (change: Partial<GuardSettings>, reason = 'Because') => {
  const { tenantId, connectorId, deps } = world
  return updateGuards(deps, { tenantId, connectorId, settings: { ...DEFAULT_GUARDS, ...change }, reason, by: ADMIN, correlationId: 'x' })
}
const reject = (run: { id: string }) => rejectRun(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN })
const codes = ({ heldBy }: { heldBy: readonly { code: string }[] }) => heldBy.map(({ code }) => code)
const idOf = async (externalId: string) => (await world.people()).get(externalId)?.id ?? ''
const protect = async (externalId: string) =>
  protectPerson(world.deps, {
    tenantId: world.tenantId,
    connectorId: world.connectorId,
    userId: await idOf(externalId),
    reason: 'Runs the payroll',
    by: ADMIN,
    correlationId: 'x',
  })
const reasonsOf = async (run: { id: string }) =>
  (await world.rows(run)).map(({ kind, state, sourceKey, reasons }) =>
    [kind, state, sourceKey, ...reasons.map(({ code }) => code)].join(' '),
  )

describe('nobody who is protected is deactivated by a sync', () => {
  it('neither a VIP, nor an administrator, nor somebody on the list', async () => {
    await world.sync(people(1, 40))
    await sql`update users set vip = true where external_id = 'E00001'`.execute(world.deps.db)
    await sql`
      insert into admins (id, tenant_id, issuer, subject, name, email, roles)
      values (${uuidv7()}, ${world.tenantId}, 'x', 'x', 'Admin', 'e00002@EXAMPLE.com', '{admin.tenant}')`.execute(world.deps.db)
    await protect('E00003')
    const run = await world.plan(people(5, 40))
    expect(run.counts).toMatchObject({ conflict: 3, deactivate: 1 })
    expect(await reasonsOf(run)).toEqual([
      'conflict pending E00001 missingFromFile protectedVip',
      'conflict pending E00002 missingFromFile protectedAdmin',
      'conflict pending E00003 missingFromFile protectedListed',
      'deactivate pending E00004 missingFromFile',
    ])
    await world.apply(run, 'fine')
    expect([...(await world.people()).values()].filter(({ active }) => !active).map(({ external_id }) => external_id)).toEqual(['E00004'])
  })

  it('nor somebody who became protected after the plan was made, and the row says so', async () => {
    await world.sync(people(1, 40))
    const run = await world.plan(people(3, 40))
    await protect('E00001')
    const applied = await world.apply(run)
    expect(applied).toMatchObject({ state: 'partlySucceeded', applied: 1, stale: 1 })
    expect(await reasonsOf(run)).toContain('deactivate stale E00001 missingFromFile protectedListed')
    expect((await world.people()).get('E00001')?.active).toBe(true)
  })

  it('whom the guard does not count', async () => {
    await world.sync(people(1, 30))
    for (const id of ['E00001', 'E00002', 'E00003']) await protect(id)
    expect(codes(await world.plan(people(8, 30)))).toEqual(['fewerRows'])
  })
})

describe('a source is compared with', () => {
  it('the last run that stands, and not with one that was taken back', async () => {
    await world.sync(people(1, 60))
    const wrong = await world.sync([...people(1, 60), ...people(101, 140)])
    const { tenantId, deps } = world
    const undo = await startUndo(deps, { tenantId, runId: wrong.id, by: ADMIN, correlationId: 'x' })
    await world.until(undo.id, ['planned', 'held'])
    await world.apply(undo, 'The wrong file')
    expect(codes(await world.plan(people(1, 59)))).not.toContain('fewerRows')
  })
})

describe('a source is held', () => {
  it('with all reasons, the gravest first, and goes on when approved', async () => {
    await world.sync(people(1, 100))
    const run = await world.plan(people(30, 100))
    expect(run.held?.code).toBe('massDeactivation')
    expect(codes(run)).toEqual(['massDeactivation', 'fewerRows'])
    expect(run.held?.params).toMatchObject({ deactivations: 29, active: 100, percent: 29, allowed: 10 })
    expect(await world.apply(run, 'A shop was sold')).toMatchObject({ state: 'succeeded', applied: 29 })
    // the approved source is the one that the next is compared with
    expect((await world.plan(people(30, 100))).state).toBe('planned')
  })

  it('when it ends in the middle of a record, in another encoding, or with a column nearly empty', async () => {
    const rows = people(1, 60).map(([id = '', , ...rest]) => [id, 'Zoë', ...rest])
    await world.sync(rows)
    const whole = csvOf([HEADER, ...rows])
    const cut = await world.plan(whole.slice(0, -20))
    expect(codes(cut)).toEqual(['cutRecord'])
    await reject(cut)
    const latin = await world.plan(Buffer.from(whole, 'latin1'))
    expect(codes(latin)).toEqual(['encodingChanged'])
    await reject(latin)
    const empty = await world.plan(rows.map(([id = '', first = '', last = '', , ...rest]) => [id, first, last, '', ...rest]))
    expect(empty.held).toMatchObject({ code: 'emptierColumn', params: { column: 'mail', percent: 0, before: 100 } })
  })

  it('not for columns that are new or moved: they are noted', async () => {
    await world.sync(people(1, 10))
    const table = [HEADER, ...people(1, 10)].map((row, index) => [index === 0 ? 'grade' : 'A', ...[...row].reverse()])
    const run = await world.plan(csvOf(table))
    expect([run.state, run.notes.map(({ code }) => code)]).toEqual(['planned', ['newColumns', 'movedColumns']])
  })

  it('when its manifest disagrees or it is old', async () => {
    await world.sync(people(1, 10))
    const before = await world.plan(people(1, 10))
    const { db } = world.deps
    // what a fetched source brings stands in the run's input
    await sql`
      update runs set state = 'queued', version = version + 1,
        input = input || '{"manifest": {"rows": 11, "sha256": "00"}, "modifiedAt": "2020-01-01T00:00:00Z"}' where id = ${before.id}`.execute(
      db,
    )
    world.deps.nudge()
    const run = await world.until(before.id, ['held'])
    expect(codes(run)).toEqual(['manifestRows', 'staleSource'])
  })
})

describe('the guards of the configuration', () => {
  it('hold too many of any kind, and of one site', async () => {
    const limit = { on: true, percent: 10, number: 5 }
    const off = { ...limit, on: false }
    await set({
      limits: { ...DEFAULT_GUARDS.limits, create: { run: limit, day: off } },
      sites: [{ siteId: null, kind: 'update', run: limit, day: off }],
    })
    const first = await world.plan(people(1, 40))
    expect(first.held).toMatchObject({ code: 'overLimit', params: { kind: 'create', count: 40, allowed: 5 } })
    await world.apply(first, 'first import')
    const changed = people(1, 40).map((row, index) => (index < 6 ? [...row.slice(0, 2), 'Changed', ...row.slice(3)] : row))
    const run = await world.plan(changed)
    expect(run.heldBy).toMatchObject([{ code: 'overLimit', params: { kind: 'update', site: 'North', count: 6, active: 40 } }])
  })

  it('of a site hold those whose location is written with other white space than its name', async () => {
    await world.sync(people(1, 1))
    await sql`update sites set name = 'North East' where name = 'North'`.execute(world.deps.db)
    const limit = { on: true, percent: 0, number: 1 }
    const off = { ...limit, on: false }
    await set({ sites: [{ siteId: null, kind: 'create', run: limit, day: off }] })
    const spaced = ['N1', 'N2', 'N3'].map((id) => person(id, { store: 'North  East' }))
    const run = await world.plan([...people(1, 1), ...spaced])
    expect(run.heldBy).toMatchObject([{ code: 'overLimit', params: { kind: 'create', site: 'North East', count: 3, allowed: 1 } }])
    const { sites } = await breakDownPlan(world.deps.db, { tenantId: world.tenantId, runId: run.id })
    expect(sites.map(({ name, rows }) => [name, rows])).toEqual([['North East', 3]])
  })

  it('that are off let pass, and the run says who turned them off and why', async () => {
    await world.sync(people(1, 40))
    const off = { on: false, percent: 10, number: 5 }
    const gone = { run: off, day: off }
    await set(
      { limits: { ...DEFAULT_GUARDS.limits, deactivate: gone }, source: { ...DEFAULT_GUARDS.source, fewerRows: off } },
      'Seasonal closure',
    )
    const run = await world.plan(people(20, 40))
    expect(run).toMatchObject({ state: 'planned', counts: { deactivate: 19 } })
    expect(run.notes).toContainEqual({
      code: 'guardOff',
      params: { guard: 'limits.deactivate.run', by: ADMIN.name, reason: 'Seasonal closure' },
    })
  })

  it('of a site that are off or gone are told with the name of the site', async () => {
    const { rows } = await sql<{ id: string }>`select id from sites where name = 'South'`.execute(world.deps.db)
    const siteId = rows[0]?.id ?? ''
    const limit = { on: true, percent: 10, number: 5 }
    await set({ sites: [siteId, null].map((id) => ({ siteId: id, kind: 'create' as const, run: limit, day: { ...limit, on: false } })) })
    await set({ sites: [] }, 'Opening weeks')
    const { notes } = await world.plan(people(1, 3))
    const said = { by: ADMIN.name, reason: 'Opening weeks' }
    expect(notes.map(({ params }) => params)).toEqual([
      { guard: `sites.${siteId}.create.run`, ...said, site: 'South' },
      { guard: 'sites.each.create.run', ...said },
    ])
  })

  it('bleed slowly over a day for any kind', async () => {
    const limit = { on: true, percent: 10, number: 5 }
    await world.sync(people(1, 20))
    await set({ limits: { ...DEFAULT_GUARDS.limits, update: { run: limit, day: limit } } })
    const change = (from: number, to: number, last: string) =>
      people(1, 20).map((row, index) => (index >= from && index < to ? [...row.slice(0, 2), last, ...row.slice(3)] : row))
    expect((await world.sync(change(0, 4, 'One'))).heldBy).toEqual([])
    expect((await world.plan(change(0, 8, 'One'))).held).toMatchObject({
      code: 'overLimit',
      params: { kind: 'update', window: 'day', now: 4, recent: 4 },
    })
  })
})

describe('a plan by place', () => {
  it('counts its rows by site, department and kind, and is read and searched by them', async () => {
    await world.sync(people(1, 10))
    const next = [...people(2, 10), person('N1', { store: 'South' }), person('N2', { store: 'Nowhere' })]
    const run = await world.plan(next)
    const { tenantId, deps } = world
    const { sites, departments, totals } = await breakDownPlan(deps.db, { tenantId, runId: run.id })
    expect(sites.map(({ name, rows, counts }) => [name, rows, counts]).sort()).toEqual([
      [null, 1, { create: 1 }],
      ['North', 1, { deactivate: 1 }],
      ['South', 1, { create: 1 }],
    ])
    expect([departments, totals]).toEqual([
      [{ department: null, rows: 3, counts: { create: 2, deactivate: 1 } }],
      { sites: 3, departments: 1 },
    ])
    const rows = async (part: { siteId?: string; department?: string }) =>
      (await listPlanRows(deps.db, { tenantId, runId: run.id, ...part, after: 0, limit: 10 })).map(({ sourceKey }) => sourceKey)
    expect(await rows({ siteId: sites.find(({ name }) => name === 'South')?.siteId ?? '' })).toEqual(['N1'])
    expect(await rows({ siteId: 'none' })).toEqual(['N2'])
    expect(await rows({ department: '' })).toEqual(['E00001', 'N1', 'N2'])
    expect(await rows({ department: 'Bakery' })).toEqual([])
    expect((await breakDownPlan(deps.db, { tenantId, runId: run.id, kind: 'create' })).totals.sites).toBe(2)
  })
})
