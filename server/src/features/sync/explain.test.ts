import type { Mapping } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { explainRecord } from './explain-record.ts'
import { explainRun, explainUser } from './explain-run.ts'
import { startTrial } from './start-trial.ts'
import { startUndo } from './start-undo.ts'
import { ADMIN, csvOf, HEADER, MAPPING, people, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'

let world: SyncWorld
beforeAll(async () => {
  world = await syncWorld()
})
afterAll(() => world.close())

const idOf = async (externalId: string): Promise<string> => (await world.people()).get(externalId)?.id ?? ''
const asked = (runId: string, about: { userId?: string; rowNumber?: number }) =>
  explainRun(world.deps, { tenantId: world.tenantId, runId, ...about })
const given = (...table: string[][]) => {
  const { deps, tenantId, connectorId } = world
  return explainRecord(deps, { tenantId, connectorId, text: csvOf(table) })
}
const record = (...cells: string[]) => given([...HEADER], cells)

const SCOPED: Mapping = { ...MAPPING, scope: { field: 'locationName', operator: 'notEquals', value: 'Closed' } }

describe('why somebody did or did not change', () => {
  it('is not told of a run, a person or a row that there is none of', async () => {
    const run = await world.sync(people(1, 9))
    for (const about of [{}, { userId: uuidv7() }, { rowNumber: 999 }])
      await expect(asked(run.id, about)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(asked(uuidv7(), { rowNumber: 2 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const userId = await idOf('E00001')
    const { tenantId, otherConnectorId } = world
    await expect(explainUser(world.deps, { tenantId, connectorId: otherConnectorId, userId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(explainUser(world.deps, { tenantId: uuidv7(), connectorId: world.connectorId, userId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('follows a change from the cell to the decision', async () => {
    const run = await world.sync([person('E00001', { last: 'Lovelace', start: '03/04/2025' }), ...people(2, 9)])
    const told = await asked(run.id, { userId: await idOf('E00001') })
    expect(told.run).toMatchObject({ id: run.id, fileName: 'people.csv', state: 'succeeded', decisionReason: 'as it should be' })
    expect(told.record).toMatchObject({ state: 'kept', rowNumber: 2, key: 'E00001', sameKey: 1 })
    expect(told.record.cells).toContainEqual({ column: 'last', text: 'Lovelace' })
    expect(told.scope.state).toBe('everybody')
    expect(told.match).toMatchObject({ state: 'linked', person: { displayName: 'Ada Lovelace', active: true } })
    expect(told.fields.find(({ field }) => field === 'startDate')).toMatchObject({
      cells: [{ column: 'start', text: '03/04/2025' }],
      outcome: 'value',
      value: '2025-04-03',
      base: '2025-04-03',
      effective: '2025-04-03',
      override: null,
    })
    expect(told.decision).toMatchObject({ kind: 'update', state: 'applied', after: { familyName: 'Lovelace', startDate: '2025-04-03' } })
  })

  it('says of somebody who was not changed that the record says the same', async () => {
    const run = await world.plan([person('E00001', { last: 'Lovelace', start: '03/04/2025' }), ...people(2, 9)])
    for (const about of [{ userId: await idOf('E00005') }, { rowNumber: 6 }]) {
      const told = await asked(run.id, about)
      expect(told.decision).toMatchObject({ kind: 'unchanged', state: null, reasons: [{ code: 'sameAsBefore' }] })
      expect(told.match.person?.displayName).toBe('Ada Byron E00005')
    }
    await world.apply(run)
    const newest = await explainUser(world.deps, { tenantId: world.tenantId, connectorId: world.connectorId, userId: await idOf('E00005') })
    expect(newest.run?.id).toBe(run.id)
  })

  it('names the override that wins over the source', async () => {
    const userId = await idOf('E00002')
    await sql`insert into user_overrides (tenant_id, user_id, field, value, by, at, reason)
      values (${world.tenantId}, ${userId}, 'locationName', '"South"', '{"kind":"admin","name":"Amara"}', now(), 'On loan')`.execute(
      world.database.db,
    )
    await sql`update users set location_name = 'South' where id = ${userId}`.execute(world.database.db)
    const told = await explainUser(world.deps, { tenantId: world.tenantId, connectorId: world.connectorId, userId })
    expect(told.fields.find(({ field }) => field === 'locationName')).toMatchObject({
      value: 'North',
      base: 'North',
      effective: 'South',
      override: { value: 'South', by: 'Amara', reason: 'On loan', until: null },
    })
  })

  it('tells a leaver from one whose records are no longer kept', async () => {
    const before = await world.plan([person('E00001', { last: 'Lovelace', start: '03/04/2025' }), ...people(2, 8)])
    const userId = await idOf('E00009')
    expect(await asked(before.id, { userId })).toMatchObject({
      record: { state: 'absent', key: 'E00009', cells: [] },
      scope: { state: 'everybody' },
      decision: { kind: 'deactivate', state: 'pending', reasons: [{ code: 'missingFromFile' }] },
    })
    await world.apply(before)
    const after = await world.sync([person('E00001', { last: 'Lovelace', start: '03/04/2025' }), ...people(2, 8)])
    expect(await asked(after.id, { userId })).toMatchObject({ decision: { kind: 'nothing', reasons: [{ code: 'absentBefore' }] } })
    await sql`delete from staged_records where run_id = ${before.id}`.execute(world.database.db)
    expect(await asked(before.id, { userId: await idOf('E00003') })).toMatchObject({
      record: { state: 'gone' },
      decision: { kind: 'nothing', reasons: [{ code: 'recordGone' }] },
    })
  })

  it('says what kept a record out: what is wrong with it, or the scope', async () => {
    const run = await world.plan(
      [...people(1, 8), person('E00020', { start: '31/02/2025' }), person('E00021', { store: 'Closed' })],
      SCOPED,
    )
    const wrong = await asked(run.id, { rowNumber: 10 })
    expect(wrong.decision).toMatchObject({ kind: 'invalid', reasons: [{ code: 'date', field: 'startDate' }] })
    expect(wrong.fields.find(({ field }) => field === 'startDate')).toMatchObject({ outcome: 'wrong', wrong: 'date', value: null })
    const out = await asked(run.id, { rowNumber: 11 })
    expect(out.scope).toEqual({ state: 'out', fields: [{ field: 'locationName', value: 'Closed' }] })
    expect(out.decision).toMatchObject({ kind: 'outOfScope', reasons: [{ code: 'neverInScope' }] })
    expect(out.match).toEqual({ state: 'new', person: null })
    await world.apply(run, 'known')
  })
})

describe('a run that is no reading of the source', () => {
  it('is explained where it takes another back, and is not taken for what the source said last', async () => {
    const own = await syncWorld()
    try {
      const { tenantId, connectorId, deps } = own
      await own.sync(people(1, 9))
      const done = await own.sync([person('E00001', { store: 'South' }), ...people(2, 9)])
      const undo = await startUndo(deps, { tenantId, runId: done.id, by: ADMIN, correlationId: uuidv7() })
      await own.until(undo.id, ['planned', 'held'])
      const ids = new Map([...(await own.people())].map(([key, { id }]) => [key, id]))
      const told = (key: string) => explainRun(deps, { tenantId, runId: undo.id, userId: ids.get(key) })
      expect(await told('E00001')).toMatchObject({
        run: { id: undo.id, configVersion: null },
        record: { state: 'none' },
        scope: { state: 'unknown', fields: [] },
        fields: [],
        decision: { kind: 'update', state: 'pending', after: { locationName: 'North' } },
      })
      expect((await told('E00002')).decision).toMatchObject({ kind: 'nothing', reasons: [{ code: 'untouchedByRun' }] })
      expect(await explainUser(deps, { tenantId, connectorId, userId: ids.get('E00002') ?? '' })).toMatchObject({
        run: { id: done.id },
        decision: { kind: 'unchanged' },
      })
    } finally {
      await own.close()
    }
  })

  it('is explained where it tried a version', async () => {
    const own = await syncWorld()
    try {
      const { tenantId, connectorId, deps } = own
      await own.sync(people(1, 9))
      const trial = await startTrial(deps, { tenantId, connectorId, version: 1, by: ADMIN, correlationId: uuidv7() })
      await own.until(trial.id, ['succeeded'])
      const userId = (await own.people()).get('E00002')?.id ?? ''
      expect(await explainRun(deps, { tenantId, runId: trial.id, userId })).toMatchObject({
        record: { state: 'gone' },
        decision: { kind: 'nothing', reasons: [{ code: 'recordGone' }] },
      })
      expect((await explainUser(deps, { tenantId, connectorId, userId })).run?.id).not.toBe(trial.id)
    } finally {
      await own.close()
    }
  })

  it('says of whom a source did not name that tells only what changed', async () => {
    const own = await syncWorld()
    try {
      const { tenantId, deps } = own
      const run = await own.sync(people(1, 9))
      const fetched = { watermark: null, extent: 'changes', modifiedAt: null }
      const input = JSON.stringify({ fetch: { began: 'hand', apply: 'approval', dryRun: false, fetched } })
      await sql`update runs set input = input || ${input}::jsonb where id = ${run.id}`.execute(deps.db)
      await sql`delete from staged_records where run_id = ${run.id} and source_key = 'E00004'`.execute(deps.db)
      await sql`delete from plan_rows where run_id = ${run.id} and source_key = 'E00004'`.execute(deps.db)
      const userId = (await own.people()).get('E00004')?.id ?? ''
      expect(await explainRun(deps, { tenantId, runId: run.id, userId })).toMatchObject({
        record: { state: 'absent' },
        decision: { kind: 'nothing', reasons: [{ code: 'notAmongChanges' }] },
      })
    } finally {
      await own.close()
    }
  })
})

describe('a record given by hand', () => {
  it('says what would happen to it, and leaves nothing behind', async () => {
    const before = await world.people()
    const fresh = await record(...person('E00100'))
    expect(fresh).toMatchObject({
      run: null,
      record: { key: 'E00100' },
      match: { state: 'new', person: null },
      decision: { kind: 'create' },
    })
    const moved = await record(...person('E00003', { store: 'South' }))
    expect(moved).toMatchObject({
      match: { state: 'linked' },
      decision: { kind: 'update', state: null, before: { locationName: 'North' }, after: { locationName: 'South' } },
    })
    expect((await record(...person('E00003'))).decision).toMatchObject({ kind: 'unchanged', reasons: [{ code: 'sameAsBefore' }] })
    expect((await record(...person('E00009'))).decision).toMatchObject({ kind: 'reactivate' })
    expect((await record(...person('E00101', { store: 'Closed' }))).decision.kind).toBe('outOfScope')
    const leaves = await record(...person('E00003', { store: 'Closed' }))
    expect(leaves).toMatchObject({ scope: { state: 'out' }, decision: { kind: 'deactivate', reasons: [{ code: 'outOfScope' }] } })
    expect(await world.people()).toEqual(before)
    const { rows } = await sql`select from staged_records s where not exists (select from runs r where r.id = s.run_id)`.execute(
      world.database.db,
    )
    expect(rows).toEqual([])
  })

  it('spares whom a run would spare, and says why', async () => {
    await sql`update users set vip = true where external_id = 'E00003'`.execute(world.database.db)
    const leaves = await record(...person('E00003', { store: 'Closed' }))
    expect(leaves.decision).toEqual({
      kind: 'conflict',
      state: null,
      reasons: [{ code: 'outOfScope' }, { code: 'protectedVip' }],
      before: {},
      after: {},
    })
    await sql`update users set vip = false where external_id = 'E00003'`.execute(world.database.db)
  })

  it('needs no more columns than it gives', async () => {
    const told = await given(['id', 'other'], ['E00003', ''])
    expect(told.fields.find(({ field }) => field === 'familyName')).toMatchObject({ outcome: 'lostColumn', base: 'Byron E00003' })
    expect(told.decision).toMatchObject({
      kind: 'invalid',
      reasons: [{ code: 'columnsMissing', params: { columns: 'first, last, mail, store, start' } }],
    })
    expect((await given(['a', 'b'], ['x', 'y'])).record.key).toBeNull()
  })

  it.each(['\0', '\ud800', 'x'.repeat(300), '<b>', "'; drop table users", '=1+1'])('takes %j as a text', async (text) => {
    const told = await record(...person('E00003', { first: text }))
    expect(['update', 'invalid']).toContain(told.decision.kind)
  })
})
