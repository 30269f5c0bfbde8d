import { describeGroupTarget } from '@instep/connectors/kit/group-target-contract.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/database.ts'
import { leaseGroups } from './group.store.ts'
import { groupStandIn } from './testing/group-stand-in.ts'
import { type GroupsWorld, groupsWorld } from './testing/groups-world.ts'

let database: TestDatabase
let world: GroupsWorld
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  world = await groupsWorld(database.db)
})
afterEach(() => world.close())

describeGroupTarget('the stand-in', async () => {
  const accounts = ['a', 'b', 'c', 'd', 'e']
  const groups = groupStandIn({ isAccount: (id) => accounts.includes(id), chunk: 5 })
  return { groups, accounts, count: () => groups.held.size, close: async () => {} }
})

const first = <T>(list: readonly T[]): T => {
  const [one] = list
  if (one === undefined) throw new Error('there is none')
  return one
}
const eventTypes = async () => (await world.events()).map(({ type }) => type).filter((type) => type.startsWith('target.group'))

/** People with accounts at the target. */
const peopleWithAccounts = async (count: number) => {
  const ids = await world.people(count)
  await world.mark(...ids)
  await world.run()
  return ids
}

describe('what does not work', () => {
  test('a target without groups: they wait for a person, with the reason, and nothing goes round and round', async () => {
    await world.want({ kitchen: 'Kitchen' })
    await world.run({ openTarget: async () => ({ ...world.scim(), groups: undefined }) as never })
    expect(await world.groupRows()).toMatchObject([{ state: 'quarantined', cause: 'TARGET_REFUSED' }])
    expect(await world.run()).toBe(0)
  })

  test('two groups of one name: the second waits for a person, and the first is not touched', async () => {
    const ids = await peopleWithAccounts(2)
    await world.want({ one: 'Kitchen' })
    await world.members({ one: ids.slice(0, 1) })
    await world.run()
    await world.want({ two: 'kitchen' })
    await world.members({ one: ids.slice(0, 1), two: ids.slice(1) })
    await world.run()
    const second = (await world.groupRows()).find(({ key }) => key === 'two')
    expect(second).toMatchObject({ state: 'quarantined', cause: 'TARGET_EXISTS', remote_id: null, lease_owner: null })
    expect(world.truth()).toEqual({ Kitchen: ['person.1@example.com'] })
    expect(await eventTypes()).toContain('target.group.quarantined')
  })

  test('a member whom the target refuses is set aside alone; the others are members', async () => {
    const ids = await peopleWithAccounts(5)
    const refused = (await world.row(ids[2] ?? '')).remote_id ?? ''
    world.standIn.accounts.delete(refused)
    await world.want({ kitchen: 'Kitchen' })
    await world.members({ kitchen: ids })
    await world.run()
    expect(world.truth().Kitchen).toEqual([1, 2, 4, 5].map((n) => `person.${n}@example.com`))
    const set = (await world.memberRows()).filter(({ state }) => state !== 'inStep')
    expect(set).toMatchObject([{ user_id: ids[2], state: 'quarantined', cause: 'TARGET_REFUSED', remote_id: null }])
    expect(await world.groupRows()).toMatchObject([{ state: 'inStep' }])
  })

  test('a target that fails is asked again later, and the group says why', async () => {
    world.groups.trouble = () => ({ before: 'TARGET_UNEXPECTED' })
    await world.want({ kitchen: 'Kitchen' })
    await world.run()
    expect(await world.groupRows()).toMatchObject([{ state: 'failed', cause: 'TARGET_UNEXPECTED', attempts: 1, lease_owner: null }])
    world.groups.trouble = () => undefined
    await world.run()
    expect(world.groups.held.size).toBe(0)
    world.clock.advance(10)
    await world.run()
    expect(await world.groupRows()).toMatchObject([{ state: 'inStep', cause: null, attempts: 0 }])
  })

  test('a throttled target is paused with its accounts, and no group counts it as its own failure', async () => {
    world.groups.trouble = () => ({ before: 'TARGET_THROTTLED' })
    await world.want({ kitchen: 'Kitchen', stock: 'Stock' })
    await world.run({ concurrency: 1 })
    expect(world.groups.calls).toHaveLength(1)
    expect((await world.groupRows()).map(({ state, attempts }) => [state, attempts])).toEqual(
      expect.arrayContaining([
        ['paused', 0],
        ['pending', 0],
      ]),
    )
  })
})

describe('groups', () => {
  test('are made once, renamed with their members in place, and asked for nothing when nothing has changed', async () => {
    const ids = await peopleWithAccounts(2)
    await world.want({ kitchen: 'Kitchen' })
    await world.members({ kitchen: ids })
    await world.run()
    await world.want({ kitchen: 'Canteen' })
    await world.run()
    expect(world.truth()).toEqual({ Canteen: ['person.1@example.com', 'person.2@example.com'] })
    expect(world.groups.calls).toEqual(['find', 'create', 'add 2', 'update'])
    const before = await world.events()
    await world.want({ kitchen: 'Canteen' })
    await world.members({ kitchen: ids })
    expect(await world.run()).toBe(0)
    expect([world.groups.calls.length, await world.events()]).toEqual([4, before])
    expect(await eventTypes()).toEqual(['target.group.created', 'target.group.members', 'target.group.updated'])
  })

  test('that are there already are linked, and keep the members that they had', async () => {
    const ids = await peopleWithAccounts(2)
    const there = (await world.row(ids[1] ?? '')).remote_id ?? ''
    world.groups.held.set('old', { document: { name: 'KITCHEN' }, members: new Set([there]) })
    await world.want({ kitchen: 'Kitchen' })
    await world.members({ kitchen: ids.slice(0, 1) })
    await world.run()
    expect(world.truth()).toEqual({ Kitchen: ['person.1@example.com', 'person.2@example.com'] })
    expect(world.groups.calls).not.toContain('create')
    expect(await eventTypes()).toContain('target.group.linked')
  })

  test('that are wanted no longer are deleted and forgotten; wanted again meanwhile they are made anew', async () => {
    await world.want({ kitchen: 'Kitchen', stock: 'Stock' })
    await world.run()
    await world.drop('kitchen', 'stock')
    await world.want({ stock: 'Stock' })
    await world.run()
    expect(Object.keys(world.truth())).toEqual(['Stock'])
    expect(await world.groupRows()).toMatchObject([{ key: 'stock', state: 'inStep' }])
    expect(await eventTypes()).toContain('target.group.deleted')
  })

  test('that vanish at the target are made anew with everybody in them', async () => {
    const ids = await peopleWithAccounts(4)
    await world.want({ kitchen: 'Kitchen' })
    await world.members({ kitchen: ids.slice(0, 3) })
    await world.run()
    world.groups.held.clear()
    await world.members({ kitchen: ids })
    await world.run()
    world.clock.advance(10)
    await world.run()
    expect(world.truth().Kitchen).toHaveLength(4)
  })

  test('have the accounts of the people who look after them, also when those come later', async () => {
    const [late = ''] = await world.people(1)
    await world.want({ kitchen: 'Kitchen' }, { admins: [late] })
    await world.run()
    expect(first([...world.groups.held.values()]).document).toMatchObject({ admins: [] })
    await world.mark(late)
    await world.run()
    const account = (await world.row(late)).remote_id
    expect(first([...world.groups.held.values()]).document).toMatchObject({ admins: [account] })
  })
})

describe('members', () => {
  test('are added and taken out by the delta, in chunks', async () => {
    const ids = await peopleWithAccounts(8)
    await world.want({ kitchen: 'Kitchen' })
    await world.members({ kitchen: ids })
    await world.run()
    expect(world.groups.calls).toEqual(['find', 'create', 'add 3', 'add 3', 'add 2'])
    await world.members({ kitchen: ids.slice(2) })
    await world.run()
    expect(world.groups.calls.slice(5)).toEqual(['remove 2'])
    expect(world.truth().Kitchen).toHaveLength(6)
    expect(await world.memberRows()).toHaveLength(6)
  })

  test('without an account wait, and are added when it is there', async () => {
    const ids = await world.people(2)
    await world.want({ kitchen: 'Kitchen' })
    await world.members({ kitchen: ids })
    await world.run()
    expect(await world.memberRows()).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
    expect(await world.run()).toBe(0)
    await world.mark(first(ids))
    await world.run()
    expect(world.truth().Kitchen).toEqual(['person.1@example.com'])
    expect((await world.memberRows()).map(({ state }) => state).toSorted()).toEqual(['inStep', 'waiting'])
  })

  test('whose account is made anew are added with the new one', async () => {
    await world.policy({ leaver: { action: 'delete', graceDays: 0 } })
    const [id = ''] = await peopleWithAccounts(1)
    await world.want({ kitchen: 'Kitchen' })
    await world.members({ kitchen: [id] })
    await world.run()
    await world.change(id, { active: false })
    await world.run()
    expect(await world.memberRows()).toMatchObject([{ state: 'waiting', remote_id: null }])
    await world.change(id, { active: true })
    await world.run()
    expect(world.truth().Kitchen).toEqual(['person.1@example.com'])
  })

  test('of some people are said without a word about the others, and of another rule or tenant not at all', async () => {
    const ids = await peopleWithAccounts(3)
    const other = await groupsWorld(database.db)
    await other.want({ kitchen: 'Kitchen' })
    await world.want({ kitchen: 'Kitchen', stock: 'Stock' })
    await world.members({ kitchen: ids })
    await world.members({ stock: ids.slice(0, 1) }, ids.slice(0, 1))
    await world.run()
    expect(world.truth()).toEqual({ Kitchen: ['person.2@example.com', 'person.3@example.com'], Stock: ['person.1@example.com'] })
    expect(await other.memberRows()).toEqual([])
    await other.close()
  })
})

describe('whoever dies', () => {
  test('after a create whose answer never came, leaves a group that is found and not made twice, though it was renamed', async () => {
    world.groups.trouble = (call) => (call === 'create' ? { after: 'TARGET_UNCERTAIN' } : undefined)
    await world.want({ kitchen: 'Kitchen' })
    await world.run()
    world.groups.trouble = () => undefined
    await world.want({ kitchen: 'Canteen' })
    world.clock.advance(60)
    await world.run()
    expect(Object.keys(world.truth())).toEqual(['Canteen'])
  })

  test('after adding members, leaves no member behind who is wanted no longer', async () => {
    const ids = await peopleWithAccounts(3)
    await world.want({ kitchen: 'Kitchen' })
    await world.run()
    world.groups.trouble = (call) => (call.startsWith('add') ? { after: 'TARGET_UNCERTAIN' } : undefined)
    await world.members({ kitchen: ids })
    await world.run()
    expect(world.truth().Kitchen).toHaveLength(3)
    world.groups.trouble = () => undefined
    await world.members({ kitchen: ids.slice(0, 1) })
    world.clock.advance(60)
    await world.run()
    expect(world.truth().Kitchen).toEqual(['person.1@example.com'])
    expect(world.groups.calls).toContain('members')
  })

  test('with a group in hand leaves it to the next when the lease ends, and what comes late is not recorded', async () => {
    await world.want({ kitchen: 'Kitchen' })
    const now = world.clock.now()
    const taken = await leaseGroups(database.db, world, { limit: 5, now, until: new Date(now.getTime() + 10_000) })
    expect(taken).toHaveLength(1)
    expect(await world.run()).toBe(0)
    world.clock.advance(11)
    await world.run()
    expect(await world.groupRows()).toMatchObject([{ state: 'inStep', lease_owner: null }])
    expect(Object.keys(world.truth())).toEqual(['Kitchen'])
  })

  test('or slept past the end of its leases, begins no other group with them', async () => {
    await world.want({ kitchen: 'Kitchen', stock: 'Stock' })
    world.groups.trouble = (call) => {
      if (call === 'create') world.clock.advance(11)
      return undefined
    }
    expect(await world.run({ concurrency: 1 })).toBe(2)
    expect(await world.groupRows()).toMatchObject([{ state: 'inStep' }, { state: 'inStep' }])
    expect(world.groups.calls.filter((call) => call === 'create')).toHaveLength(2)
  })
})
