import type { FetchingSource, OneRecord, RecordKey } from '@instep/connectors/kit/fetching-source.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { explainUser } from './explain-run.ts'
import { viewRun } from './runs.views.ts'
import { syncRecords } from './sync-records.ts'
import { ADMIN, HEADER, people, person, type SyncWorld, syncWorld } from './testing/sync-world.ts'

let world: SyncWorld
let answer: (key: RecordKey) => OneRecord | undefined
let asked: string[]
let open: number
/** How long a record waits at most for others beside it, in milliseconds. */
let patience: number
let mostOpen: number

const source = (): FetchingSource => {
  open += 1
  mostOpen = Math.max(mostOpen, open)
  return {
    test: async () => ({ found: null }),
    fetch: async () => undefined,
    readOne: async (key) => {
      asked.push(key.value)
      // as long as it takes for others to be asked beside it
      for (let waited = 0; waited < patience && open < 4; waited += 5) await new Promise((resolve) => setTimeout(resolve, 5))
      return answer(key)
    },
    close: async () => {
      open -= 1
    },
  }
}

const says = (cells: string[], columns: readonly string[] = HEADER): OneRecord => ({ columns, cells, modifiedAt: null })
/** What the source says of everybody else: what the directory knows. */
const renamed = (...ids: string[]) => {
  answer = ({ value }) => says(person(value, ids.includes(value) ? { last: 'Lovelace' } : {}))
}
const sync = async (bringIn?: { mayImport: boolean }, more: { userId: string; connectorId: string }[] = []) => {
  const { tenantId, connectorId, deps } = world
  const known = [...(await world.people()).values()].map(({ id }) => ({ userId: id, connectorId }))
  const { signal } = new AbortController()
  const by = { by: ADMIN, correlationId: 'together' }
  const synced = await syncRecords(deps, {
    tenantId,
    people: [...more, ...known],
    signal,
    bringIn: bringIn && { ...by, ...bringIn },
  })
  const ids = new Map([...(await world.people()).values()].map(({ id, external_id: key }) => [id, key]))
  return new Map([...synced].map(([userId, record]) => [ids.get(userId) ?? userId, record]))
}
const runs = async () => {
  const { rows } = await sql<{ id: string; correlation: string }>`
    select id, correlation_id as correlation from runs where tenant_id = ${world.tenantId} and input -> 'only' is not null order by id`.execute(
    world.database.db,
  )
  return rows
}
/** Whether somebody waits for the connector to be free. */
const waits = async () => {
  const { rows } = await sql<{ waiting: boolean }>`
    select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waiting`.execute(
    world.database.db,
  )
  return rows[0]?.waiting
}
const namesOf = async () => [...(await world.people()).values()].filter(({ family_name: name }) => name === 'Lovelace').length

beforeEach(async () => {
  asked = []
  open = 0
  mostOpen = 0
  patience = 0
  renamed()
  world = await syncWorld({ source })
  await world.sync(people(1, 9))
})
afterEach(() => world.close())

describe('the records of several people', () => {
  it('leave out whoever is not there, or is of another connector or tenant, and read the rest', async () => {
    const strangers = [
      { userId: uuidv7(), connectorId: world.connectorId },
      { userId: (await world.people()).get('E00001')?.id ?? '', connectorId: world.otherConnectorId },
    ]
    const synced = await sync({ mayImport: true }, strangers.slice(0, 1))
    expect([...synced.keys()].sort()).toEqual(people(1, 9).map(([id]) => id))
    expect([...synced.values()].every(({ from, brought }) => from === 'read' && brought === null)).toBe(true)
    const { tenantId, deps } = world
    const { signal } = new AbortController()
    expect((await syncRecords(deps, { tenantId, people: strangers, signal })).size).toBe(0)
    expect((await syncRecords(deps, { tenantId: uuidv7(), people: strangers, signal })).size).toBe(0)
    expect(await runs()).toEqual([])
  })

  it('are asked for a few at a time, and every connection is closed', async () => {
    patience = 2000
    await sync()
    expect(asked).toHaveLength(9)
    expect([open, mostOpen]).toEqual([0, 4])
  })

  it('are only looked at in a preview, and by whoever may not bring people in', async () => {
    renamed('E00001', 'E00002')
    const seen = await sync()
    expect(seen.get('E00002')).toMatchObject({ told: { decision: { kind: 'update' } }, brought: null })
    expect((await sync({ mayImport: false })).get('E00002')).toMatchObject({ brought: { outcome: 'refused', runId: null } })
    expect(await runs()).toEqual([])
    expect(await namesOf()).toBe(0)
  })

  it('that differ are brought in by one run together, under the id of what was asked for; it counts for each of them', async () => {
    renamed('E00002', 'E00005', 'E00007')
    const synced = await sync({ mayImport: true })
    const [run, ...others] = await runs()
    expect(others).toEqual([])
    expect(run?.correlation).toBe('together')
    for (const id of ['E00002', 'E00005', 'E00007'])
      expect(synced.get(id)).toMatchObject({ brought: { outcome: 'applied', runId: run?.id } })
    expect(synced.get('E00001')).toMatchObject({ told: { decision: { kind: 'unchanged' } }, brought: null })
    expect(await namesOf()).toBe(3)
    const { tenantId, connectorId, deps } = world
    const shown = await viewRun(deps.db, { tenantId, runId: run?.id ?? '' })
    expect(shown).toMatchObject({ began: 'person', fileName: 'E00002 +2.csv', counts: { update: 3, deactivate: 0 } })
    const explained = async (id: string) => {
      const userId = (await world.people()).get(id)?.id ?? ''
      return (await explainUser(deps, { tenantId, connectorId, userId })).run?.fileName
    }
    expect([await explained('E00007'), await explained('E00001')]).toEqual(['E00002 +2.csv', 'people.csv'])
  })

  it('with other columns are brought in apart, so that nothing is cleared that nothing was said about', async () => {
    answer = ({ value }) => {
      if (value === 'E00001') return says(['E00001', 'Ada', 'Lovelace'], ['id', 'first', 'last'])
      return says(person(value, value === 'E00002' ? { last: 'Lovelace' } : {}))
    }
    const synced = await sync({ mayImport: true })
    expect(await runs()).toHaveLength(2)
    expect([synced.get('E00001')?.brought?.outcome, synced.get('E00002')?.brought?.outcome]).toEqual(['applied', 'applied'])
    expect((await world.people()).get('E00001')).toMatchObject({ family_name: 'Lovelace', work_email: 'E00001@example.com' })
  })

  it('of a source that does not answer are asked for no more than the first few, and each is told why', async () => {
    answer = () => {
      throw new ConnectorError({ code: 'SOURCE_UNREACHABLE', params: { host: 'hr.example', reason: 'refused' } })
    }
    const synced = await sync({ mayImport: true })
    expect(asked.length).toBeLessThanOrEqual(4)
    for (const record of synced.values())
      expect(record).toMatchObject({ from: 'run', cause: { code: 'SOURCE_UNREACHABLE', params: { host: 'hr.example' } }, brought: null })
    expect(synced.size).toBe(9)
  })

  it('of a source where one takes too long are asked for all the same, and no more after the second', async () => {
    const slow = (...ids: string[]) => {
      answer = ({ value }) => {
        if (ids.includes(value)) throw new ConnectorError({ code: 'SOURCE_TIMEOUT', params: { host: 'hr.example', page: 1 } })
        return says(person(value))
      }
    }
    slow('E00001')
    expect([...(await sync()).values()].filter(({ from }) => from === 'read')).toHaveLength(8)
    asked = []
    slow('E00001', 'E00002')
    await sync()
    expect(asked.length).toBeLessThan(9)
  })

  it('of a connector that is switched off meanwhile are not brought in, which fails nobody else', async () => {
    renamed('E00003')
    let synced: Awaited<ReturnType<typeof sync>> = new Map()
    await world.database.db
      .transaction()
      .execute(async (tx) => {
        await sql`update connectors set enabled = false where id = ${world.connectorId}`.execute(tx)
        const syncing = sync({ mayImport: true })
        await vi.waitFor(async () => expect(await waits()).toBe(true), { timeout: 10_000 })
        return { syncing }
      })
      .then(async ({ syncing }) => {
        synced = await syncing
      })
    expect(synced.get('E00003')).toMatchObject({ from: 'read', brought: { outcome: 'failed', runId: null } })
    expect(synced.size).toBe(9)
    expect(await runs()).toEqual([])
  })

  it('of which one is unclear are asked for all the same', async () => {
    answer = ({ value }) => {
      if (value === 'E00001') throw new ConnectorError({ code: 'SOURCE_RECORD_UNCLEAR', params: { host: 'hr', column: 'id', count: 2 } })
      return says(person(value))
    }
    const synced = await sync()
    expect(asked).toHaveLength(9)
    expect(synced.get('E00001')).toMatchObject({ from: 'run', cause: { code: 'SOURCE_RECORD_UNCLEAR' } })
    expect(synced.get('E00009')).toMatchObject({ from: 'read', cause: null })
  })

  it('wait together where a guard holds their run', async () => {
    answer = ({ value }) => says(person(value, { start: '01/02/2099' }))
    const synced = await sync({ mayImport: true })
    const [run] = await runs()
    expect([...synced.values()].map(({ brought }) => brought)).toEqual(people(1, 9).map(() => ({ outcome: 'held', runId: run?.id })))
    expect([...(await world.people()).values()].every(({ active }) => active)).toBe(true)
  })

  it('end with the signal of who asked', async () => {
    const { tenantId, deps } = world
    const people = [{ userId: uuidv7(), connectorId: world.connectorId }]
    const gone = syncRecords(deps, { tenantId, people, signal: AbortSignal.abort(new Error('gone')) })
    await expect(gone).rejects.toThrow('gone')
    expect(asked).toEqual([])
  })
})
