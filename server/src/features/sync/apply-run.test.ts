import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isOver } from '../../platform/runs/run.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'
import { applyRun, cancelRun, rejectRun } from './decide-run.ts'
import { sightOfRun } from './runs.views.ts'
import { startUndo } from './start-undo.ts'
import { ADMIN, MAPPING, people, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'

let world: SyncWorld
/** What comes between the worker and the handler in the test under way. */
let interfere: ((handler: RunHandler) => RunHandler) | undefined

beforeEach(async () => {
  interfere = undefined
  world = await syncWorld({ chunk: 50, wrap: (handler) => (context) => (interfere ? interfere(handler) : handler)(context) })
})
afterEach(() => world.close())

const WRITTEN = ['users', 'user_overrides', 'source_links', 'plan_rows', 'target_accounts'] as const

/** Differs as soon as any row of these tables was written, even with what it held. */
const fingerprint = async (): Promise<unknown> => {
  const sums: unknown[] = []
  for (const table of WRITTEN)
    sums.push(
      (await sql`select ${table} as name, count(*), max(xmin::text::bigint) as newest from ${sql.table(table)}`.execute(world.deps.db))
        .rows[0],
    )
  return sums
}

const eventTypes = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<{ type: string; count: number }>`
    select type, count(*)::integer as count from events where stream = 'user' group by type`.execute(world.deps.db)
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]))
}

const pending = async (): Promise<string[]> => {
  const { rows } = await sql<{ external_id: string }>`
    select u.external_id from target_accounts a join users u on u.id = a.user_id where a.state = 'pending' order by 1`.execute(
    world.deps.db,
  )
  return rows.map(({ external_id }) => external_id)
}
const restOf = async (run: { id: string }) =>
  (await sightOfRun(world.deps.db, { tenantId: world.tenantId, runId: run.id }))?.value.followedBy

const settleTargets = () => sql`update target_accounts set state = 'inStep'`.execute(world.deps.db)

describe('rows whose person moved on since the plan', () => {
  it('are left alone, and the run says how many', async () => {
    await world.sync(people(1, 30))
    const changed = people(1, 29).map(([id = '']) => person(id, { first: 'New' }))
    const run = await world.plan(changed)
    await sql`update users set title = 'By hand', version = version + 1 where external_id in ('E00001', 'E00030')`.execute(world.deps.db)
    const done = await world.apply(run)
    expect(done).toMatchObject({ state: 'partlySucceeded', applied: 28, stale: 2 })
    const now = await world.people()
    expect(now.get('E00001')).toMatchObject({ given_name: 'Ada', version: 2 })
    expect(now.get('E00030')).toMatchObject({ active: true })
    expect(
      (await world.rows(run))
        .filter(({ state }) => state === 'stale')
        .map(({ sourceKey }) => sourceKey)
        .sort(),
    ).toEqual(['E00001', 'E00030'])
  })

  it('are planned again in a run of their own, which waits to be applied like the first', async () => {
    await world.sync(people(1, 30))
    const changed = people(1, 29).map(([id = '']) => person(id, { first: 'New' }))
    const run = await world.plan(changed)
    await sql`update users set title = 'By hand', version = version + 1 where external_id in ('E00001', 'E00030')`.execute(world.deps.db)
    await world.apply(run)
    const { id } = (await restOf(run)) ?? { id: '' }
    const rest = await world.until(id, ['planned'])
    expect(rest).toMatchObject({
      follows: { id: run.id, state: 'partlySucceeded' },
      fileName: 'people.csv',
      counts: { update: 1, deactivate: 1 },
    })
    expect((await world.rows(rest)).map(({ sourceKey, kind }) => [sourceKey, kind])).toEqual([
      ['E00030', 'deactivate'],
      ['E00001', 'update'],
    ])
    expect(await world.apply(rest)).toMatchObject({ state: 'succeeded', applied: 2, stale: 0, followedBy: null })
    await vi.waitFor(() => expect(world.files()).toEqual([]))
    expect((await world.plan(changed)).counts).toMatchObject({ update: 0, deactivate: 0, unchanged: 29 })
  })

  it('are over by themselves where the change made meanwhile was the same', async () => {
    await world.sync([person('E1'), person('E2')])
    const run = await world.plan([person('E1', { first: 'New' }), person('E2')])
    const said = JSON.stringify({ givenName: 'New', displayName: 'New Byron E1' })
    await sql`update users set base = base || ${said}::jsonb, version = version + 1 where external_id = 'E1'`.execute(world.deps.db)
    await world.apply(run)
    const { id } = (await restOf(run)) ?? { id: '' }
    expect(await world.until(id, ['succeeded', 'planned'])).toMatchObject({ state: 'succeeded', applied: 0, decidedBy: ADMIN.name })
    await vi.waitFor(() => expect(world.files()).toEqual([]))
  })

  it.each(['connectorId', 'otherConnectorId'] as const)(
    'include new people whose external id somebody has taken meanwhile: %s',
    async (where) => {
      const run = await world.plan([person('E1'), person('E2')])
      await sql`
      insert into users (tenant_id, id, connector_id, external_id, given_name, family_name, display_name, created_at, updated_at)
      values (${world.tenantId}, gen_random_uuid(), ${world[where]}, 'E1', 'Man', 'Ual', 'Man Ual', now(), now())`.execute(world.deps.db)
      expect(await world.apply(run)).toMatchObject({ state: 'partlySucceeded', applied: 1, stale: 1 })
      expect((await sql`select source_key from source_links`.execute(world.deps.db)).rows).toEqual([{ source_key: 'E2' }])
      expect(await pending()).toEqual(['E2'])
      expect(await eventTypes()).toEqual({ 'user.created': 1 })
    },
  )
})

describe('an applied plan', () => {
  it('makes people with base and effective values, a site, a link, an event and a pending account each', async () => {
    await world.sync([person('E1', { store: ' north' }), person('E2', { store: 'Atlantis', start: '' })])
    const now = await world.people()
    expect(now.get('E1')).toMatchObject({
      display_name: 'Ada Byron E1',
      work_email: 'E1@example.com',
      start_date: '2024-02-01',
      active: true,
      version: 1,
      base: { externalId: 'E1', active: true, startDate: '2024-02-01', accessCodeDelivery: 'email.work' },
    })
    expect(now.get('E1')?.site_id).not.toBeNull()
    expect(now.get('E2')).toMatchObject({ site_id: null, start_date: null })
    expect(now.get('E2')?.base).not.toHaveProperty('startDate')
    expect(await eventTypes()).toEqual({ 'user.created': 2 })
    expect(await pending()).toEqual(['E1', 'E2'])
  })

  it('writes nothing and owes nothing when the same file comes again', async () => {
    const file = people(1, 50)
    await world.sync(file)
    await settleTargets()
    const before = await fingerprint()
    const again = await world.sync(file)
    expect(again).toMatchObject({ state: 'succeeded', applied: 0, counts: { unchanged: 50 } })
    expect(await fingerprint()).toEqual(before)
    expect(await pending()).toEqual([])
  })

  it('changes, deactivates and takes back, each with its event, and owes the targets only those', async () => {
    await world.sync(people(1, 30))
    await settleTargets()
    await world.sync([person('E00001', { first: 'New', mail: '' }), ...people(2, 28)])
    expect(await eventTypes()).toEqual({ 'user.created': 30, 'user.updated': 1, 'user.deactivated': 2 })
    expect(await pending()).toEqual(['E00001', 'E00029', 'E00030'])
    const now = await world.people()
    expect(now.get('E00001')).toMatchObject({ given_name: 'New', work_email: null, version: 2 })
    expect(now.get('E00030')).toMatchObject({ active: false, version: 2, base: { active: false } })
    expect(now.get('E00030')?.deactivated_at).not.toBeNull()
    expect((await world.plan(people(1, 28))).counts).toMatchObject({ deactivate: 0 })
  })

  it('keeps what somebody had before in the event of the change, and only that', async () => {
    await world.sync([person('E1')])
    await world.sync([person('E1', { first: 'New' })])
    const { rows } = await sql`select before, after from events where type = 'user.updated'`.execute(world.deps.db)
    expect(rows).toEqual([
      { before: { givenName: 'Ada', displayName: 'Ada Byron E1' }, after: { givenName: 'New', displayName: 'New Byron E1' } },
    ])
  })

  it('takes somebody back with the same account when the file names them again', async () => {
    await world.sync(people(1, 30))
    const { id } = (await world.people()).get('E00030') ?? {}
    await world.sync(people(1, 29))
    const back = await world.sync(people(1, 30))
    expect(back.counts).toMatchObject({ reactivate: 1, create: 0, unchanged: 29 })
    expect((await world.people()).get('E00030')).toMatchObject({ id, active: true, deactivated_at: null, version: 3 })
    expect((await world.sync(people(1, 30))).counts).toMatchObject({ unchanged: 30 })
  })

  it('lets an override win, keeps the equation, and owes no target a change that nobody sees', async () => {
    await world.sync([person('E1')])
    const { id = '' } = (await world.people()).get('E1') ?? {}
    await sql`
      insert into user_overrides (tenant_id, user_id, field, value, by, at)
      values (${world.tenantId}, ${id}, 'workEmail', '"ada@lovelace.example"', '{}', now())`.execute(world.deps.db)
    await sql`update users set work_email = 'ada@lovelace.example', overridden = true, version = 2 where id = ${id}`.execute(world.deps.db)
    await settleTargets()
    await world.sync([person('E1', { mail: 'other@example.com' })])
    expect((await world.people()).get('E1')).toMatchObject({
      work_email: 'ada@lovelace.example',
      version: 2,
      base: { workEmail: 'other@example.com' },
    })
    expect(await pending()).toEqual([])
  })

  it('moves somebody to the site of a new location', async () => {
    await world.sync([person('E1')])
    const north = (await world.people()).get('E1')?.site_id
    await world.sync([person('E1', { store: 'SOUTH' })])
    const south = (await world.people()).get('E1')?.site_id
    expect(south).not.toBeNull()
    expect(south).not.toBe(north)
    await world.sync([person('E1', { store: 'Nowhere' })])
    expect((await world.people()).get('E1')?.site_id).toBeNull()
  })
})

describe('a run that is stopped', () => {
  const stop = (run: { id: string }) =>
    cancelRun(world.deps, { tenantId: world.tenantId, runId: run.id, by: { ...ADMIN, name: 'Stella Stop' } })

  it('cannot be once it is over', async () => {
    await expect(stop(await world.sync(people(1, 3)))).rejects.toMatchObject({ code: 'RUN_STATE_WRONG' })
  })

  it('while it applies keeps what its chunks have done, says so, can be undone, and the next run brings the rest', async () => {
    const run = await world.plan(people(1, 120), MAPPING)
    let chunks = 0
    interfere = (handler) => async (context) =>
      handler({
        ...context,
        commit: async (tx, patch) => {
          if (chunks === 1) await stop(run)
          chunks += 1
          await context.commit(tx, patch)
        },
      })
    await applyRun(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN })
    expect(await world.until(run.id, ['cancelled', 'succeeded'])).toMatchObject({ state: 'cancelled', applied: 50, decidedBy: ADMIN.name })
    interfere = undefined
    expect((await world.people()).size).toBe(50)
    const { rows } =
      await sql`select type, actor ->> 'name' as by, data ->> 'applied' as applied from events where type like 'run.%' order by id desc limit 1`.execute(
        world.deps.db,
      )
    expect(rows).toEqual([{ type: 'run.stopped', by: 'Stella Stop', applied: '50' }])
    await vi.waitFor(() => expect(world.files()).toEqual([]))
    const undo = await startUndo(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN, correlationId: 'x' })
    expect((await world.until(undo.id, ['planned', 'held'])).counts).toMatchObject({ deactivate: 50 })
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: undo.id, by: ADMIN })
    expect((await world.sync(people(1, 120))).counts).toMatchObject({ create: 70, unchanged: 50 })
  })

  it('after it was approved and before anybody took it changes nothing, and says still who had approved it', async () => {
    const run = await world.plan(people(1, 3))
    const gate = Promise.withResolvers<void>()
    interfere = (handler) => async (context) => gate.promise.then(() => handler(context))
    await applyRun(world.deps, { tenantId: world.tenantId, runId: run.id, by: ADMIN })
    await stop(run)
    gate.resolve()
    expect(await world.until(run.id, ['cancelled', 'succeeded'])).toMatchObject({ state: 'cancelled', applied: 0, decidedBy: ADMIN.name })
    expect((await world.people()).size).toBe(0)
  })
})

describe('a run that is broken off', () => {
  const trouble = (code: string) => Object.assign(new Error('the connection is gone'), { code })

  it('while it applies goes on with the next chunk, and does nothing twice', async () => {
    const run = await world.plan(people(1, 120), MAPPING)
    let chunks = 0
    // the connection breaks in the middle of the second chunk, and of the third
    interfere = (handler) => async (context) =>
      handler({
        ...context,
        commit: async (tx, patch) => {
          await context.commit(tx, patch)
          chunks += 1
          if (chunks === 2 || chunks === 4) throw trouble('08006')
        },
      })
    expect(await world.apply(run)).toMatchObject({ state: 'succeeded', applied: 120, stale: 0 })
    expect((await world.people()).size).toBe(120)
    expect(await eventTypes()).toEqual({ 'user.created': 120 })
    expect(world.files()).toEqual([])
  })

  it('while it plans starts afresh and leaves one plan', async () => {
    let attempts = 0
    interfere = (handler) => async (context) => {
      attempts += 1
      if (attempts > 1) return handler(context)
      return handler({ ...context, commit: () => Promise.reject(trouble('57P01')) })
    }
    const run = await world.plan(people(1, 40))
    expect(attempts).toBe(2)
    expect(run.counts.create).toBe(40)
    expect(await world.rows(run)).toHaveLength(40)
  })

  it('by an error that is nobody’s fault but ours has failed, changes nothing and keeps no file', async () => {
    interfere = (handler) => (context) => handler({ ...context, commit: () => Promise.reject(new Error('a bug')) })
    const run = await world.plan(people(1, 3))
    expect(run).toMatchObject({ state: 'failed', failure: { code: 'INTERNAL' } })
    expect(isOver(run.state)).toBe(true)
    expect(await world.rows(run)).toEqual([])
    // the file goes when the run's end is told
    await vi.waitFor(() => expect(world.files()).toEqual([]))
  })
})
