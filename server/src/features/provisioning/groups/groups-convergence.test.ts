import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/database.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { leaseGroups } from './group.store.ts'
import type { Trouble } from './testing/group-stand-in.ts'
import { type GroupsWorld, groupsWorld } from './testing/groups-world.ts'

let database: TestDatabase
let world: GroupsWorld
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  world = await groupsWorld(database.db, { chunk: 4 })
  // the guard would wait for a person, sooner or later as the workers happen to meet
  await world.policy({ memberRemovals: { on: false, percent: 0, number: 0 } })
})
afterEach(() => world.close())

const TROUBLES: Trouble[] = [
  { before: 'TARGET_THROTTLED' },
  { before: 'TARGET_UNAVAILABLE' },
  { before: 'TARGET_UNCERTAIN' },
  { before: 'TARGET_UNEXPECTED' },
  { before: 'TARGET_UNREACHABLE' },
  { after: 'TARGET_UNCERTAIN' },
]
const KEYS = ['a', 'b', 'c', 'd', 'e']

test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
  'story %i: whatever goes wrong and whoever dies, in the end the target has exactly the groups and members that are wanted',
  async (seed) => {
    const random = seededRandom(seed * 7919)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const ids = await world.people(15)
    const late = ids.slice(10)
    await world.mark(...ids.slice(0, 10))
    const names = new Map<string, string>()
    const members = new Map<string, Set<string>>()
    const change = async () => {
      const key = pick(KEYS)
      const dice = random()
      if (dice < 0.2 && names.has(key)) {
        names.delete(key)
        members.delete(key)
        await world.drop(key)
      } else if (dice < 0.5) {
        names.set(key, `${key} ${Math.floor(random() * 3)}`)
        await world.want(Object.fromEntries(names))
      } else if (names.has(key)) {
        const person = pick(ids)
        const place = pick([...names.keys()])
        for (const [each, people] of members) if (each !== place) people.delete(person)
        members.set(place, (members.get(place) ?? new Set()).add(person))
        await world.members({ [place]: [person] }, [person])
      }
    }
    world.groups.trouble = () => (random() < 0.25 ? pick(TROUBLES) : undefined)
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([world.run({ random }), world.run({ random }), change().then(change).then(change)])
      if (round === 6) await world.mark(...late)
      // a worker that takes groups, perhaps acts, and dies
      const now = world.clock.now()
      for (const group of await leaseGroups(database.db, world, { limit: 2, now, until: new Date(now.getTime() + 10_000) })) {
        const account = (await world.row(pick(ids.slice(0, 10)))).remote_id
        if (group.remoteId && account && members.get(KEYS.find((key) => group.name.startsWith(key)) ?? '')?.size)
          await world.groups.addMembers(group.remoteId, []).catch(() => {})
      }
      world.clock.advance(random() * 20)
    }
    world.groups.trouble = () => undefined
    const heal = async () => {
      for (let minute = 0; minute < 12; minute += 1) {
        await world.run()
        world.clock.advance(300)
      }
    }
    await heal()
    // whoever met trouble eight times was given up, which is a state of its own: somebody has them tried again
    await sql`update target_groups set state = 'pending', attempts = 0 where state = 'quarantined'`.execute(database.db)
    await heal()
    const nameOf = async (id: string) => `person.${ids.indexOf(id) + 1}@example.com`
    const wanted: Record<string, string[]> = {}
    for (const [key, name] of names) wanted[name] = (await Promise.all([...(members.get(key) ?? [])].map(nameOf))).toSorted()
    expect(world.truth()).toEqual(wanted)
    expect((await world.groupRows()).filter(({ state }) => state !== 'inStep')).toEqual([])
    expect((await world.memberRows()).filter(({ state, wanted: kept }) => state !== 'inStep' || !kept)).toEqual([])
  },
)
