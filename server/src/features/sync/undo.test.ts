import type { Run } from '@instep/contract/sync.ts'
import { columnOf, type UserFieldName, userFieldNames } from '@instep/contract/user-fields.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import type { RunHandler } from '../../platform/runs/run-worker.ts'
import { updateUser } from '../users/update-user.ts'
import { rejectRun } from './decide-run.ts'
import { viewRun } from './runs.views.ts'
import { startUndo } from './start-undo.ts'
import { ADMIN, people, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'

let world: SyncWorld
/** What comes between the worker and the handler in the test under way. */
let interfere: ((handler: RunHandler) => RunHandler) | undefined

beforeEach(async () => {
  interfere = undefined
  world = await syncWorld({ chunk: 50, wrap: (handler) => (context) => (interfere ? interfere(handler) : handler)(context) })
})
afterEach(() => world.close())

const start = (runId: string, tenantId = world.tenantId) => startUndo(world.deps, { tenantId, runId, by: ADMIN, correlationId: uuidv7() })
const planUndo = async (run: Pick<Run, 'id'>): Promise<Run> => world.until((await start(run.id)).id, ['planned', 'held', 'failed'])
const undo = async (run: Pick<Run, 'id'>): Promise<Run> => world.apply(await planUndo(run), 'the file was wrong')
const idOf = async (externalId: string): Promise<string> => (await world.people()).get(externalId)?.id ?? ''

const edit = async (externalId: string, input: Record<string, unknown>): Promise<void> => {
  const { tenantId, connectorId, deps } = world
  const actor = { id: uuidv7(), name: 'Ines Admin', email: 'i@x.example', roles: ['admin.tenant' as const], permissions: 1023, tenantId }
  await updateUser(
    {
      db: deps.db,
      definitionOf: () => ({ kind: 'source', supportedOperations: ['update'] }) as never,
      manualConnector: () => Promise.reject(new Error('nobody is created here')),
    },
    {
      key: { tenantId, connectorId, sites: 'all', id: await idOf(externalId) },
      input: input as never,
      ifMatch: { given: false, versions: 'any' },
      change: { actor: { ...actor, sites: 'all' }, at: new Date(), correlationId: uuidv7() },
    },
  )
}

interface Seen {
  readonly active: boolean
  readonly base: Record<string, unknown>
  /** Every effective value, the site, and the overrides. */
  readonly shown: Record<string, unknown>
}

/** Everybody as they are, but for what only counts or dates changes. */
const look = async (): Promise<Map<string, Seen>> => {
  const { rows } = await sql<{ user: Record<string, unknown>; overrides: Record<string, unknown> }>`
    select to_jsonb(u) as "user",
      coalesce((select jsonb_object_agg(o.field, o.value) from user_overrides o where o.user_id = u.id), '{}') as overrides
    from users u where u.connector_id = ${world.connectorId}`.execute(world.deps.db)
  return new Map(
    rows.map(({ user, overrides }) => {
      const { version, updated_at, created_at, deactivated_at, list_status, employment_state, base, active, ...shown } = user
      return [String(user['external_id']), { active: Boolean(active), base: base as Seen['base'], shown: { ...shown, overrides } }]
    }),
  )
}

describe('undoing is refused', () => {
  it('for a run that waits, was rejected, has changed nobody, or is another tenant’s', async () => {
    const waiting = await world.plan([person('E1')])
    await expect(start(waiting.id)).rejects.toMatchObject({ code: 'RUN_NOT_UNDOABLE' })
    await expect(start(waiting.id, uuidv7())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await rejectRun(world.deps, { tenantId: world.tenantId, runId: waiting.id, by: ADMIN })
    await expect(start(waiting.id)).rejects.toMatchObject({ code: 'RUN_NOT_UNDOABLE' })
    await world.sync([person('E1')])
    await expect(start((await world.sync([person('E1')])).id)).rejects.toMatchObject({ code: 'RUN_NOT_UNDOABLE' })
  })

  it('while another run of the connector is not over, and without the permission to import', async () => {
    const done = await world.sync([person('E1')])
    await world.plan([person('E1'), person('E2')])
    await expect(start(done.id)).rejects.toMatchObject({ code: 'RUN_ACTIVE' })
    await sql`update connectors set permissions = 0`.execute(world.deps.db)
    await expect(start(done.id)).rejects.toMatchObject({ code: 'PERMISSION_MISSING' })
  })
})

describe('the plan of an undoing', () => {
  it('deactivates who was created, gives back what was changed, and takes back who left or came back; it waits and changes nothing', async () => {
    await world.sync([...people(1, 20), person('LEFT'), person('BACK')])
    await world.sync([...people(1, 20), person('LEFT')])
    const run = await world.sync([...people(2, 20), person('E00001', { first: 'Eve' }), person('BACK'), person('NEW')])
    const before = await look()
    const plan = await planUndo(run)
    expect(plan).toMatchObject({
      state: 'planned',
      undoes: { id: run.id, fileName: 'people.csv', state: 'succeeded' },
      counts: { create: 0, update: 1, deactivate: 2, reactivate: 1, conflict: 0 },
    })
    const rows = new Map((await world.rows(plan)).map((row) => [row.sourceKey, row]))
    expect(rows.get('E00001')).toMatchObject({
      kind: 'update',
      before: { givenName: 'Eve', displayName: 'Eve Byron E00001' },
      after: { givenName: 'Ada', displayName: 'Ada Byron E00001' },
      reasons: [{ code: 'changedByRun' }],
    })
    expect(rows.get('NEW')).toMatchObject({ kind: 'deactivate', after: { active: false }, reasons: [{ code: 'createdByRun' }] })
    expect(rows.get('LEFT')).toMatchObject({ kind: 'reactivate', after: { active: true }, reasons: [{ code: 'deactivatedByRun' }] })
    expect(rows.get('BACK')).toMatchObject({ kind: 'deactivate', after: { active: false }, reasons: [{ code: 'reactivatedByRun' }] })
    expect(await look()).toEqual(before)

    expect(await world.apply(plan)).toMatchObject({ state: 'succeeded', applied: 4, stale: 0 })
    expect(await viewRun(world.deps.db, { tenantId: world.tenantId, runId: run.id })).toMatchObject({ undoneBy: { id: plan.id } })
    const { rows: events } = await sql<{ type: string }>`
      select type from events where data ->> 'undoes' = ${run.id} order by type, id`.execute(world.deps.db)
    expect(events.map(({ type }) => type)).toEqual([
      'run.approved',
      'run.planned',
      'run.undo.started',
      'run.undone',
      'user.deactivated',
      'user.deactivated',
      'user.reactivated',
      'user.updated',
    ])
  })

  it('leaves alone what was changed since, and says by whom; the rest returns', async () => {
    await world.sync([person('E1'), person('E2')])
    const run = await world.sync([person('E1', { first: 'Eve', store: 'South' }), person('E2', { store: 'South' })])
    await world.sync([person('E1', { first: 'Eve', store: 'East' }), person('E2', { store: 'West' })])
    const [one, two] = (await world.rows(await planUndo(run))).sort((a, b) => (a.sourceKey ?? '').localeCompare(b.sourceKey ?? ''))
    expect(one).toMatchObject({
      kind: 'update',
      after: { givenName: 'Ada' },
      reasons: [{ code: 'changedByRun' }, { code: 'changedSince', field: 'locationName', params: { name: ADMIN.name } }],
    })
    expect(Object.keys(one?.after ?? {})).not.toContain('locationName')
    expect(two).toMatchObject({ kind: 'conflict', after: {}, reasons: [{ code: 'changedSince', field: 'locationName' }] })
  })

  it('refuses who is locked, gone, or as before already', async () => {
    await world.sync(['L', 'G', 'A'].map((id) => person(id)))
    const run = await world.sync(['L', 'G', 'A'].map((id) => person(id, { first: 'Eve' })))
    await sql`update users set locked = true where external_id = 'L'`.execute(world.deps.db)
    await sql`delete from users where external_id = 'G'`.execute(world.deps.db)
    await sql`update users set base = base || '{"givenName": "Ada", "displayName": "Ada Byron A"}' where external_id = 'A'`.execute(
      world.deps.db,
    )
    const rows = await world.rows(await planUndo(run))
    expect(rows.map(({ kind, sourceKey, reasons }) => [kind, sourceKey, reasons[0]?.code]).sort()).toEqual([
      ['conflict', 'A', 'alreadyUndone'],
      ['conflict', 'G', 'personGone'],
      ['conflict', 'L', 'locked'],
    ])
  })

  it('is held by the guard when too many would be deactivated', async () => {
    const plan = await planUndo(await world.sync(people(1, 30)))
    expect(plan).toMatchObject({ state: 'held', held: { code: 'massDeactivation' }, counts: { deactivate: 30 } })
  })

  it('is made for a source that is disabled: who stopped it must be able to mend what it did', async () => {
    const run = await world.sync([person('E1')])
    await sql`update connectors set enabled = false where id = ${world.connectorId}`.execute(world.deps.db)
    expect(await undo(run)).toMatchObject({ state: 'succeeded', applied: 1 })
  })
})

describe('what an undoing leaves', () => {
  it('overrides stay on top, and one that the source had caught up with returns', async () => {
    await world.sync([person('E1')])
    await edit('E1', { emails: [{ value: 'set@example.com', type: 'work' }] })
    const before = await look()
    const run = await world.sync([person('E1', { mail: 'set@example.com', first: 'Eve' })])
    expect((await look()).get('E1')?.shown['overrides']).toEqual({})
    await edit('E1', { name: { givenName: 'Grace' } })
    const plan = await planUndo(run)
    expect((await world.rows(plan))[0]?.reasons).toEqual([
      { code: 'changedByRun' },
      { code: 'overrideStays', field: 'givenName' },
      { code: 'overrideReturns', field: 'workEmail' },
    ])
    await world.apply(plan, 'wrong')
    const now = (await look()).get('E1')
    expect(now?.base).toEqual(before.get('E1')?.base)
    expect(now?.shown).toMatchObject({
      work_email: 'set@example.com',
      given_name: 'Grace',
      overrides: { workEmail: 'set@example.com', givenName: 'Grace' },
    })
  })

  it('puts people back where they worked, also where no location said so', async () => {
    await world.sync([person('E1', { store: 'Nowhere' }), person('E2')])
    await sql`update users set site_id = (select id from sites where name = 'South')`.execute(world.deps.db)
    const before = await look()
    await undo(await world.sync([person('E1'), person('E2', { store: 'Nowhere' })]))
    expect(await look()).toEqual(before)
  })

  it('the next run of the source plans the same again, for everybody', async () => {
    const first = [...people(1, 20), person('LEFT'), person('BACK')]
    await world.sync(first)
    await world.sync(first.slice(0, -1))
    const changed = [...people(2, 20), person('E00001', { first: 'Eve' }), person('BACK'), person('NEW')]
    const run = await world.sync(changed)
    await undo(run)
    const again = await world.plan(changed)
    expect(again.counts).toMatchObject({ update: 1, deactivate: 1, reactivate: 2, create: 0, unchanged: 19 })
  })
})

describe('an undoing that is broken off', () => {
  it('goes on with the next chunk, and does nothing twice', async () => {
    const run = await world.sync(people(1, 60))
    const plan = await planUndo(run)
    let chunks = 0
    interfere = (handler) => async (context) =>
      handler({
        ...context,
        commit: async (tx, patch) => {
          await context.commit(tx, patch)
          chunks += 1
          if (chunks === 2) throw Object.assign(new Error('the connection is gone'), { code: '08006' })
        },
      })
    expect(await world.apply(plan, 'wrong file')).toMatchObject({ state: 'succeeded', applied: 60, stale: 0 })
    const { rows } = await sql`
      select count(*)::integer as count from events where type = 'user.deactivated'`.execute(world.deps.db)
    expect(rows).toEqual([{ count: 60 }])
  }, 60_000)
})

const KEYS = ['A', 'B', 'C', 'D', 'E', 'F']
const somebody = fc.record({
  first: fc.constantFrom('Ada', 'Eve'),
  mail: fc.constantFrom('', 'one@example.com', 'two@example.com'),
  store: fc.constantFrom('', 'North', 'South', 'Nowhere'),
  start: fc.constantFrom('', '01/02/2024'),
})
const file = fc
  .tuple(...KEYS.map(() => fc.option(somebody)))
  .map((rows) => rows.flatMap((row, index) => (row ? [person(KEYS[index] ?? '', row)] : [])))
const edits = fc.array(
  fc.tuple(
    fc.constantFrom(...KEYS),
    fc.oneof(
      fc.constantFrom('one@example.com', 'two@example.com').map((value) => ({ emails: [{ value, type: 'work' }] })),
      fc.constantFrom('Ada', 'Eve', 'Ida').map((givenName) => ({ name: { givenName } })),
      fc.boolean().map((active) => ({ active })),
    ),
  ),
  { maxLength: 4 },
)
const editAll = async (given: readonly (readonly [string, Record<string, unknown>])[]) => {
  const there = await world.people()
  for (const [key, input] of given) if (there.has(key)) await edit(key, input)
}

/** Whoever a run created stays, deactivated, with every value; everybody else is as before. */
const takenBack = (before: Map<string, Seen>, after: Map<string, Seen>): Map<string, Seen> =>
  new Map([...after].map(([key, seen]) => [key, before.get(key) ?? { ...seen, active: false, base: { ...seen.base, active: false } }]))

describe('whatever a run did', () => {
  it('apply then undo gives the directory as before, and undoing that gives it as after', async () => {
    let undoings = 0
    await fc.assert(
      fc.asyncProperty(file, edits, file, async (first, overrides, second) => {
        await world.sync(first)
        await editAll(overrides)
        const before = await look()
        const run = await world.sync(second)
        const after = await look()
        if (run.applied === 0) return
        const undone = await undo(run)
        expect(await look()).toEqual(takenBack(before, after))
        await undo(undone)
        expect(await look()).toEqual(after)
        undoings += 1
      }),
      { seed: 4, numRuns: 25 },
    )
    expect(undoings).toBeGreaterThan(10)
  }, 120_000)

  it('with a later run and edits between, exactly what nobody touched returns', async () => {
    let undoings = 0
    await fc.assert(
      fc.asyncProperty(fc.tuple(file, file, file), edits, async ([first, second, third], overrides) => {
        await world.sync(first)
        const before = await look()
        const run = await world.sync(second)
        const after = await look()
        await world.sync(third)
        await editAll(overrides)
        const touched = await look()
        if (run.applied === 0) return
        await undo(run)
        undoings += 1
        const now = await look()
        const value = (seen: Seen | undefined, field: UserFieldName | 'active') => seen?.base[field] ?? null
        for (const [key, { base }] of now)
          for (const field of [...userFieldNames, 'active'] as const) {
            const [was, wrote, stands] = [before, after, touched].map((one) => value(one.get(key), field))
            const isNew = after.has(key) && !before.has(key)
            if (isNew && field === 'active') expect(base[field]).toBe(false)
            else expect(base[field] ?? null).toBe(!isNew && was !== wrote && stands === wrote ? was : stands)
          }
        for (const [key, seen] of touched)
          for (const field of Object.keys(seen.shown['overrides'] as object)) {
            const column = field === 'active' ? 'active' : columnOf(field as UserFieldName)
            expect({ ...now.get(key)?.shown, active: now.get(key)?.active }[column]).toEqual({ ...seen.shown, active: seen.active }[column])
          }
      }),
      { seed: 5, numRuns: 25 },
    )
    expect(undoings).toBeGreaterThan(10)
  }, 120_000)
})

describe('whoever starts later', () => {
  it('is gone for good when the run that brought them is undone, and no date brings them back', async () => {
    const run = await world.sync([person('E900', { start: '01/02/2099' }), ...people(901, 909)])
    expect((await look()).get('E900')?.base).toMatchObject({ active: false, employment: 'notStarted' })
    await undo(run)
    const undone = (await look()).get('E900')
    expect(undone?.base['active']).toBe(false)
    expect(undone?.base['employment'] ?? null).toBeNull()
  })
})
