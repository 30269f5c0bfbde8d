import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Tx } from '../../platform/db/database.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { addConnector } from '../../testing/people.ts'
import { leaseDue } from './account.store.ts'
import { targetSummary } from './account.views.ts'
import { markNextChunk } from './mark-pending.ts'
import { markPending, markTargetPending, targetProgress, userTargets } from './public.ts'
import { type ProvisioningWorld, provisioningWorld } from './testing/provisioning-world.ts'

let database: TestDatabase
let world: ProvisioningWorld
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  world = await provisioningWorld(database.db)
})
afterEach(() => world.close())

const everybody = () => sql`select user_id from provisioning_users where tenant_id = ${world.tenantId}`
const addTarget = (name: string) => addConnector(database.db, { tenantId: world.tenantId, name, kind: 'target', ingestionType: 'target' })

test('nothing is marked when the change is taken back', async () => {
  await world.people(2)
  const change = database.db.transaction().execute(async (tx) => {
    await markPending(tx, { tenantId: world.tenantId, users: everybody(), correlationId: 'c' })
    throw new Error('taken back')
  })
  await expect(change).rejects.toThrow('taken back')
  expect(await world.rows()).toEqual([])
})

test('every enabled target of the tenant is marked, no other, and a person named twice once', async () => {
  const [id = ''] = await world.people(1)
  await addTarget('Second')
  const off = await addTarget('Off')
  await sql`update connectors set enabled = false where id = ${off}`.execute(database.db)
  await world.mark(id, id)
  expect(
    (await userTargets(database.db, { tenantId: world.tenantId, userId: id })).map(({ targetName, state }) => [targetName, state]),
  ).toEqual([
    ['Second', 'pending'],
    ['Workplace', 'pending'],
  ])
})

test('a row that a worker holds stays held, and is told apart by its revision', async () => {
  const [id = ''] = await world.people(1)
  await world.mark(id)
  const now = world.clock.now()
  const [leased] = await leaseDue(database.db, world, { limit: 1, now, until: new Date(now.getTime() + 10_000) })
  await world.mark(id)
  expect(await world.row(id)).toMatchObject({ lease_owner: leased?.lease, revision: (leased?.revision ?? 0) + 1, state: 'pending' })
})

test('a target that is new gets all people of the tenant', async () => {
  const ids = await world.people(3)
  const targetId = await addTarget('New')
  await database.db.transaction().execute((tx) => markTargetPending(tx, { tenantId: world.tenantId, targetId, correlationId: 'c' }))
  expect((await world.rows()).map(({ user_id }) => user_id)).toEqual([...ids].sort())
})

describe('a target of many people', () => {
  const markAll = (tx: Tx, targetId: string, correlationId = 'c') =>
    markTargetPending(tx, { tenantId: world.tenantId, targetId, correlationId }, 2)
  const marked = async () => (await world.rows()).map(({ user_id }) => user_id)
  const progress = async (targetId: string) => {
    const summary = await targetSummary(database.db, { tenantId: world.tenantId, targetId, now: world.clock.now() })
    return [summary?.marking, summary?.counts.pending]
  }

  test('marks them in chunks behind the change, and says how many are marked', async () => {
    const ids = (await world.people(5)).sort()
    await database.db.transaction().execute((tx) => markAll(tx, world.targetId))
    expect(await marked()).toEqual(ids.slice(0, 2))
    expect(await progress(world.targetId)).toEqual([{ done: 2, total: 5 }, 2])
    expect(await markNextChunk(database.db, 2)).toBe(true)
    expect(await progress(world.targetId)).toEqual([{ done: 4, total: 5 }, 4])
    expect(await markNextChunk(database.db, 2)).toBe(true)
    expect(await progress(world.targetId)).toEqual([null, 5])
    expect(await markNextChunk(database.db, 2)).toBe(false)
    expect(new Set((await world.rows()).map((row) => (row as unknown as { correlation_id: string }).correlation_id))).toEqual(
      new Set(['c']),
    )
  })

  test('begins again with another change, and waits while the target is off', async () => {
    const ids = (await world.people(5)).sort()
    await database.db.transaction().execute((tx) => markAll(tx, world.targetId))
    await markNextChunk(database.db, 2)
    await database.db.transaction().execute((tx) => markAll(tx, world.targetId, 'd'))
    expect(await progress(world.targetId)).toEqual([{ done: 2, total: 5 }, 4])
    await sql`update connectors set enabled = false where id = ${world.targetId}`.execute(database.db)
    expect(await markNextChunk(database.db, 2)).toBe(false)
    await sql`update connectors set enabled = true where id = ${world.targetId}`.execute(database.db)
    while (await markNextChunk(database.db, 2));
    expect(await marked()).toEqual(ids)
    expect(new Set((await world.rows()).map((row) => (row as unknown as { correlation_id: string }).correlation_id))).toEqual(
      new Set(['d']),
    )
  })

  test('is brought in step whole by the worker, whoever is added or deleted meanwhile', async () => {
    const ids = (await world.people(5)).sort()
    await database.db.transaction().execute((tx) => markAll(tx, world.targetId))
    const [late = ''] = await world.people(1)
    await world.mark(late)
    await sql`delete from users where id = any(${[ids[1], ids[4]]}::uuid[])`.execute(database.db)
    await world.provisioner().runOnce()
    const rows = await world.rows()
    expect(rows.map(({ user_id, state }) => [user_id, state])).toEqual([ids[0], ids[2], ids[3], late].sort().map((id) => [id, 'inStep']))
    expect(world.standIn.accounts.size).toBe(4)
  })
})

/** Resolves once somebody waits for an advisory lock, or at once when the work is over without having waited. */
const waitsOrEnds = (work: Promise<unknown>): Promise<void> => {
  let over = false
  void work.finally(() => {
    over = true
  })
  return vi.waitFor(
    async () => {
      const { rows } = await sql`
        select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(database.db)
      expect(over || rows.length > 0).toBe(true)
    },
    { timeout: 5000, interval: 10 },
  )
}

test('somebody who is added while a target is being added gets an account there, whichever is first', async () => {
  const { tenantId } = world
  const addPerson = async (tx: Tx, externalId: string): Promise<string> => {
    const id = randomUUID()
    await sql`
      insert into users (tenant_id, id, connector_id, external_id, given_name, family_name, display_name, created_at, updated_at)
      values (${tenantId}, ${id}, ${world.connectorId}, ${externalId}, 'G', 'F', 'G F', now(), now())`.execute(tx)
    await markPending(tx, { tenantId, users: sql`select ${id}::uuid as user_id`, correlationId: 'c' })
    return id
  }
  const addTargetIn = async (tx: Tx, name: string): Promise<string> => {
    const targetId = await addConnector(tx, { tenantId, name, kind: 'target', ingestionType: 'target' })
    await markTargetPending(tx, { tenantId, targetId, correlationId: 'c' })
    return targetId
  }
  const both = async <A, B>(first: (tx: Tx) => Promise<A>, second: (tx: Tx) => Promise<B>): Promise<[A, B]> => {
    let late: Promise<B> | undefined
    const early = await database.db.transaction().execute(async (tx) => {
      const done = await first(tx)
      late = database.db.transaction().execute(second)
      await waitsOrEnds(late)
      return done
    })
    return [early, (await late) as B]
  }
  const pairs = [
    await both(
      (tx) => addPerson(tx, 'early'),
      (tx) => addTargetIn(tx, 'Late'),
    ),
    (
      await both(
        (tx) => addTargetIn(tx, 'Early'),
        (tx) => addPerson(tx, 'late'),
      )
    ).reverse(),
  ]
  for (const [userId, targetId] of pairs) {
    const { rows } =
      await sql`select from target_accounts where tenant_id = ${tenantId} and user_id = ${userId} and target_id = ${targetId}`.execute(
        database.db,
      )
    expect(rows).toHaveLength(1)
  }
})

test('progress tells of the given people only, at each target', async () => {
  const ids = await world.people(6)
  await world.mark(...ids)
  await world.provisioner().runOnce()
  await world.change(ids[0] ?? '', { title: 'Manager' })
  world.standIn.misbehave((response) => void response.writeHead(400).end())
  await world.change(ids[1] ?? '', { title: 'Manager' })
  await world.provisioner({ concurrency: 1 }).runOnce()
  await world.mark(ids[2] ?? '')
  const users = sql`select unnest(${ids.slice(0, 4)}::uuid[]) as user_id`
  expect(await targetProgress(database.db, { tenantId: world.tenantId, users })).toEqual([
    { targetId: world.targetId, name: 'Workplace', enabled: true, pending: 1, paused: 0, inStep: 2, failed: 1 },
  ])
})

test('twenty thousand people are marked in one statement, and a second marking adds no row', async () => {
  await sql`
    insert into users (tenant_id, id, connector_id, external_id, given_name, family_name, display_name, created_at, updated_at)
    select ${world.tenantId}, gen_random_uuid(), ${world.connectorId}, 'L-' || n, 'G', 'F', 'G F', now(), now()
    from generate_series(1, 20000) n`.execute(database.db)
  // as whatever adds so many people does
  await sql`analyze users`.execute(database.db)
  for (let n = 0; n < 2; n++)
    await database.db.transaction().execute((tx) => markPending(tx, { tenantId: world.tenantId, users: everybody(), correlationId: 'c' }))
  expect(await world.rows()).toHaveLength(20_000)
}, 90_000)
