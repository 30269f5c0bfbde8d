import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/database.ts'
import { decideRemovals } from '../decide-removals.ts'
import { markPending } from '../mark-pending.ts'
import { targetHealth } from '../target-health.views.ts'
import { type GroupsWorld, groupsWorld } from './testing/groups-world.ts'
import { wantMembers } from './want-groups.ts'

let database: TestDatabase
let world: GroupsWorld
let ids: string[]
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  world = await groupsWorld(database.db)
  ids = await world.people(30)
  await world.mark(...ids)
  await world.want({ kitchen: 'Kitchen', stock: 'Stock' })
  await world.members({ kitchen: ids.slice(0, 20), stock: ids.slice(20) })
  await world.run()
  world.groups.calls.length = 0
})
afterEach(() => world.close())

const DAY = 86_400
const by = { kind: 'admin', id: null, name: 'Tadeo Tenant' } as const
const decide = (decision: 'approved' | 'rejected', kind: 'accounts' | 'members' = 'members', seen?: number) =>
  decideRemovals({ db: database.db, clock: world.clock }, { ...world, kind, decision, seen, reason: 'Seen', by, correlationId: 'decided' })
const held = async () => (await world.memberRows()).filter(({ state }) => state === 'held')
const told = async (type: string) => (await world.events()).filter((event) => event.type === type).map(({ data }) => data)
const removals = () => world.groups.calls.filter((call) => call.startsWith('remove') || call === 'delete')
const health = async () => (await targetHealth(database.db, world))?.members
const count = (name: string) => world.truth()[name]?.length
/** Takes the first so many out of the kitchen. */
const takeOut = (many: number) => world.members({ kitchen: ids.slice(many, 20), stock: ids.slice(20) })

describe('refused', () => {
  test('nothing to decide', async () => {
    await expect(decide('approved')).rejects.toMatchObject({ code: 'REMOVALS_NOT_HELD' })
  })

  test('more than may go wait for a person, all of them and all who come after; additions go on', async () => {
    await takeOut(6)
    await world.run()
    await world.members({ kitchen: ids.slice(6, 20), stock: [...ids.slice(20), ids[0] ?? ''] })
    await world.run()
    expect(removals()).toEqual([])
    expect([count('Kitchen'), count('Stock')]).toEqual([20, 11])
    expect(await held()).toHaveLength(6)
    expect(await told('target.memberRemovals.held')).toEqual([{ target: 'Workplace', wanted: 6, allowed: 5, population: 30 }])
    expect(await health()).toMatchObject({ held: 6, rejected: 0, hold: { wanted: 6, allowed: 5, population: 30 } })
    await world.members({ kitchen: ids.slice(7, 20), stock: [...ids.slice(20), ids[0] ?? ''] })
    await world.run()
    expect(await held()).toHaveLength(7)
    expect(removals()).toEqual([])
    // nothing is leased again and again
    expect(await world.run()).toBe(0)
    await expect(decide('approved', 'members', 6)).rejects.toMatchObject({ code: 'REMOVALS_GREW' })
    expect(await held()).toHaveLength(7)
  })

  test('one after the other they are counted over 24 hours, and pass again after them', async () => {
    for (let many = 1; many <= 5; many += 1) {
      await takeOut(many)
      await world.run()
    }
    expect(count('Kitchen')).toBe(15)
    await takeOut(6)
    await world.run()
    expect(count('Kitchen')).toBe(15)
    await takeOut(5)
    await world.run()
    world.clock.advance(DAY + 60)
    await takeOut(6)
    await world.run()
    expect(count('Kitchen')).toBe(14)
    expect(await health()).toEqual({ held: 0, rejected: 0, hold: null })
  })

  test('a group that is to be deleted waits with its members, and goes when somebody has agreed', async () => {
    await world.drop('stock')
    await world.run()
    expect(count('Stock')).toBe(10)
    expect((await world.groupRows()).find(({ key }) => key === 'stock')).toMatchObject({
      state: 'held',
      cause: 'REMOVALS_HELD',
      lease_owner: null,
    })
    expect(await world.run()).toBe(0)
    expect(await decide('approved')).toBe(10)
    await world.run()
    expect(world.truth()).not.toHaveProperty('Stock')
    expect((await world.groupRows()).map(({ key }) => key)).toEqual(['kitchen'])
  })

  test('rejected, they stay, also when their accounts are looked at again, until a rule wants it otherwise', async () => {
    await takeOut(6)
    await world.run()
    expect(await decide('rejected')).toBe(6)
    await sql`
      insert into moved_accounts (tenant_id, target_id, user_id)
      select tenant_id, target_id, user_id from target_accounts where tenant_id = ${world.tenantId}`.execute(database.db)
    await world.run()
    expect(removals()).toEqual([])
    expect((await held()).map(({ cause }) => cause)).toEqual(Array(6).fill('REMOVALS_REJECTED'))
    expect(await health()).toMatchObject({ held: 0, rejected: 6, hold: null })
    await takeOut(0)
    await world.run()
    expect(await held()).toEqual([])
    expect(count('Kitchen')).toBe(20)
  })
})

describe('passes', () => {
  test('what a person approved is carried out', async () => {
    await takeOut(6)
    await world.run()
    expect(await decide('approved')).toBe(6)
    await world.run()
    expect(count('Kitchen')).toBe(14)
    expect(await told('target.memberRemovals.approved')).toEqual([{ target: 'Workplace', by: 'Tadeo Tenant', count: 6, reason: 'Seen' }])
  })

  test('a removal that fails and is tried again counts once', async () => {
    world.groups.trouble = (call) => (call.startsWith('remove') ? { before: 'TARGET_UNEXPECTED' } : undefined)
    await takeOut(5)
    for (let round = 0; round < 4; round += 1) {
      await world.run()
      world.clock.advance(60)
    }
    world.groups.trouble = () => undefined
    world.clock.advance(600)
    await world.run()
    expect(count('Kitchen')).toBe(15)
    expect(await told('target.memberRemovals.held')).toEqual([])
  })

  test('a change that a person approved in its run is not asked about again', async () => {
    const rule = { tenantId: world.tenantId, targetId: world.targetId, origin: 'rule', correlationId: 'run' }
    const nobody = sql`select ''::text as key, null::uuid as user_id where false`
    await database.db.transaction().execute((tx) => wantMembers(tx, { ...rule, members: nobody, removalsApproved: true }))
    await world.run()
    expect([count('Kitchen'), count('Stock')]).toEqual([0, 0])
  })

  test('with the guard off any number goes', async () => {
    await world.policy({ memberRemovals: { on: false, percent: 10, number: 5 } })
    await takeOut(20)
    await world.run()
    expect(count('Kitchen')).toBe(0)
  })
})

describe('whoever leaves', () => {
  const leave = async (many: number, removalsApproved = false) => {
    const leavers = ids.slice(0, many)
    await database.db.transaction().execute(async (tx) => {
      await sql`
        update users set active = false, deactivated_at = ${world.clock.now()}
        where tenant_id = ${world.tenantId} and id = any(${leavers}::uuid[])`.execute(tx)
      const users = sql`select unnest(${leavers}::uuid[]) as user_id`
      await markPending(tx, { tenantId: world.tenantId, users, correlationId: 'left', removalsApproved })
    })
    await takeOut(many)
  }

  test('waits in the group while the account waits, under one decision, and goes with it', async () => {
    await leave(8)
    await world.run()
    expect((await held()).map(({ cause }) => cause)).toEqual(Array(8).fill('ACCOUNT_REMOVAL_HELD'))
    expect(await told('target.memberRemovals.held')).toEqual([])
    expect(await health()).toEqual({ held: 0, rejected: 0, hold: null })
    expect(await decide('approved', 'accounts')).toBe(8)
    await world.run()
    expect(count('Kitchen')).toBe(12)
    // a count that was spent on their accounts is not spent again: others may still be taken out
    await takeOut(13)
    await world.run()
    expect(count('Kitchen')).toBe(7)
  })

  test('was counted with the account, and is not counted again', async () => {
    await leave(5)
    await world.run()
    expect(count('Kitchen')).toBe(15)
    await world.members({ kitchen: ids.slice(5, 15), stock: ids.slice(20) })
    await world.run()
    expect(count('Kitchen')).toBe(10)
  })
})
