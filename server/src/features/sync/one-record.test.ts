import { writeFile } from 'node:fs/promises'
import type { FetchingSource, OneRecord, RecordKey } from '@instep/connectors/kit/fetching-source.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { Mapping } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { listCases } from './cases.views.ts'
import { explainUser } from './explain-run.ts'
import { readSourceRecord } from './read-source-record.ts'
import { viewRun } from './runs.views.ts'
import { newestStaged } from './staged.store.ts'
import { startUndo } from './start-undo.ts'
import { syncRecord } from './sync-records.ts'
import { ADMIN, csvOf, HEADER, MAPPING, people, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'

let world: SyncWorld
/** What the source answers with for one person; absent: it cannot be asked. */
let answer: ((key: RecordKey) => OneRecord | undefined | Promise<OneRecord | undefined>) | undefined
let asked: RecordKey[]
let closed: number

const source = (): FetchingSource => ({
  test: async () => ({ found: null }),
  fetch: async ({ path }) => {
    await writeFile(path, csvOf([HEADER, ...people(1, 9)]))
    return { name: 'all.csv', extent: 'full', modifiedAt: null, watermark: 7 }
  },
  ...(answer && {
    readOne: async (key, signal) => {
      signal.throwIfAborted()
      asked.push(key)
      const ended = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      ended.catch(() => undefined)
      return Promise.race([answer?.(key), ended])
    },
  }),
  close: async () => {
    closed += 1
  },
})

const says = (cells: string[], columns: readonly string[] = HEADER): OneRecord => ({ columns, cells, modifiedAt: null })
const idOf = async (externalId: string): Promise<string> => (await world.people()).get(externalId)?.id ?? ''
const about = async (externalId = 'E00001') => {
  const { tenantId, connectorId } = world
  return { tenantId, connectorId, userId: await idOf(externalId), signal: new AbortController().signal }
}
const read = async (externalId?: string) => (await readSourceRecord(world.deps, await about(externalId))).record
const bring = async ({ mayImport = true, externalId = 'E00001' } = {}) =>
  syncRecord(world.deps, { ...(await about(externalId)), bringIn: { by: ADMIN, mayImport, correlationId: uuidv7() } })
/** Everything that a run writes. */
const traces = async () => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from runs)::integer as runs, (select count(*) from plan_rows)::integer as planned, (select count(*) from events)::integer as events,
      (select count(*) from staged_records)::integer as staged, (select sum(version) from users)::integer as versions,
      (select count(*) from files where deleted_at is null)::integer as files`.execute(world.database.db)
  return { ...rows[0], onDisk: world.files().length }
}

beforeEach(async () => {
  answer = undefined
  asked = []
  closed = 0
  world = await syncWorld({ source })
  await world.sync(people(1, 9))
})
afterEach(() => world.close())

describe('what the source says of one person now', () => {
  it('is not told of another connector’s or tenant’s person, nor of a target', async () => {
    answer = () => says(person('E00001'))
    const key = await about()
    for (const wrong of [{ userId: uuidv7() }, { tenantId: uuidv7() }, { connectorId: world.otherConnectorId }])
      await expect(readSourceRecord(world.deps, { ...key, ...wrong })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const target = readSourceRecord(world.deps, { ...key, connectorId: world.targetId })
    await expect(target).rejects.toMatchObject({ code: 'CONNECTOR_KIND_WRONG' })
    expect(asked).toEqual([])
  })

  it('is read, and followed from the cell to the decision; nothing of it is kept', async () => {
    answer = () => says(person('E00001', { last: 'Lovelace' }))
    const before = await traces()
    const record = await read()
    expect(asked).toEqual([{ column: 'id', value: 'E00001' }])
    expect(record).toMatchObject({ from: 'read', cause: null, key: 'E00001', at: expect.any(String) })
    expect(record.told).toMatchObject({
      run: null,
      scope: { state: 'everybody' },
      match: { state: 'linked', person: { id: await idOf('E00001') } },
      decision: { kind: 'update', before: { familyName: 'Byron E00001' }, after: { familyName: 'Lovelace' } },
    })
    expect(record.told?.record.cells).toContainEqual({ column: 'last', text: 'Lovelace' })
    expect(await traces()).toEqual(before)
    expect(closed).toBe(1)
  })

  it('of a source of files is what the newest run saw, and that is said', async () => {
    const record = await read()
    expect(record).toMatchObject({
      from: 'run',
      cause: { code: 'file' },
      told: { run: { fileName: 'people.csv' }, record: { rowNumber: 2 } },
    })
    expect(record.at).toBe(record.told?.run?.createdAt)
  })

  it('is what the newest run saw where the source does not answer, with the reason', async () => {
    answer = () => {
      throw new ConnectorError({ code: 'SOURCE_THROTTLED', params: { host: 'hr.example' } })
    }
    expect(await read()).toMatchObject({
      from: 'run',
      cause: { code: 'SOURCE_THROTTLED', params: { host: 'hr.example' } },
      told: { run: {} },
    })
    expect(closed).toBe(1)
  })

  it('is not waited for longer than somebody at a screen waits', async () => {
    answer = () => new Promise(() => undefined)
    const { record } = await readSourceRecord(world.deps, { ...(await about()), longest: 20 })
    expect(record).toMatchObject({ from: 'run', cause: { code: 'SOURCE_TIMEOUT', params: { host: 'HR' } } })
    const gone = readSourceRecord(world.deps, { ...(await about()), signal: AbortSignal.abort(new Error('gone')) })
    await expect(gone).rejects.toThrow('gone')
    expect(closed).toBe(2)
  })

  it('is not asked for while the connector is disabled', async () => {
    answer = () => says(person('E00001'))
    await sql`update connectors set enabled = false where id = ${world.connectorId}`.execute(world.database.db)
    expect(await read()).toMatchObject({ from: 'run', cause: { code: 'disabled' } })
    expect(asked).toEqual([])
  })

  it('is nothing of somebody who was made in the console', async () => {
    answer = () => says(person('E00001'))
    await sql`delete from source_links where user_id = ${await idOf('E00001')}`.execute(world.database.db)
    expect(await read()).toEqual({ from: 'directory', at: null, cause: null, key: null, told: null })
    expect(asked).toEqual([])
  })

  it('is that nobody is there any more, which changes nobody: who has left is decided over all', async () => {
    answer = () => undefined
    expect(await read()).toMatchObject({ from: 'read', key: 'E00001', told: null })
    const before = await traces()
    expect(await bring()).toMatchObject({ brought: null })
    expect(await traces()).toEqual(before)
  })

  it('is asked for by the cell as the source writes it, not by what the mapping made of it', async () => {
    const fields = { ...MAPPING.fields, externalId: { column: 'id', transforms: [{ kind: 'case', to: 'lower' }] } } as Mapping['fields']
    await world.sync(people(1, 9), { fields })
    answer = () => says(person('E00001'))
    expect(await read('e00001')).toMatchObject({ from: 'read', key: 'e00001' })
    expect(asked).toEqual([{ column: 'id', value: 'E00001' }])
    await sql`delete from staged_records`.execute(world.database.db)
    expect(await read('e00001')).toMatchObject({ from: 'run', cause: { code: 'keyMade' } })
    expect(asked).toHaveLength(1)
  })
})

describe('a record that differs', () => {
  beforeEach(() => {
    answer = () => says(person('E00001', { last: 'Lovelace' }))
  })

  it('is not brought in by whoever may not bring people in, nor for a connector that may not, nor beside another run', async () => {
    const before = await traces()
    expect(await bring({ mayImport: false })).toMatchObject({ brought: { outcome: 'refused', runId: null } })
    await sql`update connectors set permissions = 1022 where id = ${world.connectorId}`.execute(world.database.db)
    expect(await bring()).toMatchObject({ brought: { outcome: 'refused', runId: null } })
    await sql`update connectors set permissions = 1023 where id = ${world.connectorId}`.execute(world.database.db)
    expect(await traces()).toEqual(before)
    await world.plan(people(1, 9))
    const waiting = await traces()
    expect(await bring()).toMatchObject({ brought: { outcome: 'otherRun', runId: null } })
    expect(await traces()).toEqual(waiting)
    expect((await world.people()).get('E00001')?.family_name).toBe('Byron E00001')
  })

  it('is brought in by a run of its own, which is a run like any other: planned, applied, seen, and taken back', async () => {
    const { brought } = await bring()
    expect(brought).toMatchObject({ outcome: 'applied' })
    expect((await world.people()).get('E00001')?.family_name).toBe('Lovelace')
    const { tenantId, deps } = world
    const key = { tenantId, runId: brought?.runId ?? '' }
    expect(await viewRun(deps.db, key)).toMatchObject({
      began: 'person',
      state: 'succeeded',
      fileName: 'E00001.csv',
      createdBy: 'Tadeo Tenant',
      decidedBy: 'Tadeo Tenant',
      counts: { update: 1, deactivate: 0 },
    })
    expect(world.files()).toEqual([])
    const undo = await startUndo(deps, { ...key, by: ADMIN, correlationId: uuidv7() })
    await world.apply(await world.until(undo.id, ['planned']), 'back')
    expect((await world.people()).get('E00001')?.family_name).toBe('Byron E00001')
  })

  it('says nothing about anybody else: nobody leaves, and what is known of the source stays that of the run over all', async () => {
    const { tenantId, connectorId, deps } = world
    const all = await newestStaged(deps.db, { tenantId, connectorId })
    await bring()
    expect([...(await world.people()).values()].filter(({ active }) => active)).toHaveLength(9)
    expect(await newestStaged(deps.db, { tenantId, connectorId })).toEqual(all)
    const explained = async (externalId: string) => (await explainUser(deps, await about(externalId))).run?.fileName
    expect([await explained('E00001'), await explained('E00002')]).toEqual(['E00001.csv', 'people.csv'])
    const next = await world.sync([person('E00001', { last: 'Lovelace' }), ...people(2, 9)])
    expect(next).toMatchObject({ state: 'succeeded', heldBy: [], applied: 0 })
    expect((await explainUser(deps, await about())).run?.id).toBe(next.id)
  })

  it('leaves open what is asked about somebody else', async () => {
    const { tenantId, connectorId, database } = world
    await sql`
      insert into users (tenant_id, id, connector_id, external_id, given_name, family_name, display_name, base, created_at, updated_at)
      values (${tenantId}, ${uuidv7()}, ${connectorId}, 'E00010', 'Man', 'Ual', 'Man Ual', '{"active": true}', now(), now())`.execute(
      database.db,
    )
    await world.sync(people(1, 10))
    expect(await bring()).toMatchObject({ brought: { outcome: 'applied' } })
    expect(await listCases(database.db, { tenantId, state: 'open', limit: 9 })).toMatchObject([{ sourceKey: 'E00010' }])
  })

  it('waits with its run where a guard holds it', async () => {
    const scope = { field: 'locationName', operator: 'notEquals', value: 'Closed' } as const
    await world.sync([person('E00001'), person('E00002')], { ...MAPPING, scope })
    answer = ({ value }) => says(person(value, { store: 'Closed' }))
    expect(await bring()).toMatchObject({ told: { decision: { kind: 'deactivate' } }, brought: { outcome: 'held' } })
    expect((await world.people()).get('E00001')?.active).toBe(true)
  })

  it('leaves alone what it has no column for, rather than emptying it', async () => {
    answer = () => says(['E00001', 'Ada', 'Lovelace'], ['id', 'first', 'last'])
    expect(await bring()).toMatchObject({ brought: { outcome: 'applied' } })
    expect((await world.people()).get('E00001')).toMatchObject({
      family_name: 'Lovelace',
      work_email: 'E00001@example.com',
      location_name: 'North',
    })
  })

  it('is not brought in while nothing can be said about a person: a required column is missing, or a cell is wrong', async () => {
    answer = () => says(['E00001', 'Ada'], ['id', 'first'])
    expect(await bring()).toMatchObject({ told: { decision: { kind: 'invalid' } }, brought: null })
    answer = () => says(person('E00001', { start: 'soon' }))
    expect(await bring()).toMatchObject({ told: { decision: { kind: 'invalid' } }, brought: null })
  })

  it('that says what the directory knows starts no run', async () => {
    answer = () => says(person('E00001'))
    const before = await traces()
    expect(await bring()).toMatchObject({ told: { decision: { kind: 'unchanged' } }, brought: null })
    expect(await traces()).toEqual(before)
  })
})
