import { setTimeout } from 'node:timers/promises'
import type { GroupTarget } from '@instep/connectors/kit/group-target.ts'
import { ConnectorError, type TargetCode } from '@instep/connectors/kit/problem.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/database.ts'
import { targetHealth } from '../target-health.views.ts'
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

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
const wantMany = (count: number) => world.want(Object.fromEntries(LETTERS.slice(0, count).map((key) => [key, `Group ${key}`])))

/** The stand-in's groups, with something around each request. */
const around = (act: <T>(request: () => Promise<T>) => Promise<T>): GroupTarget => {
  const { groups } = world
  return {
    ...groups,
    find: (...given) => act(() => groups.find(...given)),
    create: (...given) => act(() => groups.create(...given)),
    update: (...given) => act(() => groups.update(...given)),
    addMembers: (...given) => act(() => groups.addMembers(...given)),
    removeMembers: (...given) => act(() => groups.removeMembers(...given)),
    members: (...given) => act(() => groups.members(...given)),
  }
}
const failing = (code: TargetCode, retryAfterSeconds?: number) =>
  around(async () => {
    world.groups.calls.push('failed')
    throw new ConnectorError({ code, detail: code, retryable: true, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) })
  })
const withGroups = (groups: GroupTarget) => world.provisioner({ openTarget: async () => ({ ...world.scim(), groups }) as never })

test('what the target asks to wait is waited for, group by group and not once for each', async () => {
  await wantMany(10)
  const provisioner = withGroups(failing('TARGET_THROTTLED', 120))
  await provisioner.runOnce()
  const asked = world.groups.calls.length
  expect(asked).toBeLessThanOrEqual(8)
  world.clock.advance(110)
  await provisioner.runOnce()
  expect(world.groups.calls).toHaveLength(asked)
  world.clock.advance(11)
  await provisioner.runOnce()
  // one goes first, as after any pause
  expect(world.groups.calls).toHaveLength(asked + 1)
})

test('groups that fail one after the other pause the target, also for its accounts, and nobody is given up for it', async () => {
  await wantMany(10)
  const provisioner = withGroups(failing('TARGET_UNEXPECTED'))
  for (let round = 0; round < 12; round += 1) {
    world.clock.advance(61)
    await provisioner.runOnce()
  }
  expect((await targetHealth(database.db, world))?.pause).toMatchObject({ cause: 'TARGET_UNEXPECTED' })
  expect((await world.groupRows()).filter(({ state }) => state === 'quarantined')).toEqual([])
  const [id = ''] = await world.people(1)
  await world.mark(id)
  expect(await provisioner.runOnce()).toBe(0)
  expect(world.asked()).toEqual([])
})

test('a request that waited for its turn into a pause is not sent', async () => {
  await world.policy({ pace: { concurrency: 4, perSecond: 1 } })
  await wantMany(4)
  let sent = 0
  const groups = around(async () => {
    sent += 1
    throw new ConnectorError({ code: 'TARGET_THROTTLED', detail: 'slow', retryable: true, retryAfterSeconds: 60 })
  })
  const sleep = () => setTimeout(20)
  await world.provisioner({ openTarget: async () => ({ ...world.scim(), groups }) as never, sleep }).runOnce()
  expect(sent).toBe(1)
})

test('requests about groups and members keep the rate', async () => {
  const ids = await world.people(6)
  await world.mark(...ids)
  await world.run()
  await world.policy({ pace: { concurrency: 1, perSecond: 10 } })
  await wantMany(4)
  await world.members({ a: ids, b: ids })
  world.groups.calls.length = 0
  const begun = world.clock.now().getTime()
  await world.run({ sleep: async (milliseconds) => world.clock.advance(milliseconds / 1000) })
  // a find and a create for each group, two chunks of members for two of them
  expect(world.groups.calls).toHaveLength(12)
  expect(world.clock.now().getTime() - begun).toBeGreaterThanOrEqual(1000)
})

test('no more are under way at one time than the policy says', async () => {
  await world.policy({ pace: { concurrency: 2, perSecond: null } })
  await wantMany(10)
  let [now, most] = [0, 0]
  const groups = around(async (request) => {
    now += 1
    most = Math.max(most, now)
    await setTimeout(2)
    const answer = await request()
    now -= 1
    return answer
  })
  await withGroups(groups).runOnce()
  expect(most).toBe(2)
  expect(world.groups.held.size).toBe(10)
})
