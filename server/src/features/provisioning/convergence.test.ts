import type { Misbehaviour } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { leaseDue, readPeople } from './account.store.ts'
import { retryAccounts } from './retry-accounts.ts'
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

const normally: Misbehaviour = (response, accept) => {
  const { status, body } = accept()
  response.writeHead(status, { 'content-type': 'application/scim+json' }).end(body && JSON.stringify(body))
}
const TROUBLES: Misbehaviour[] = [
  (response) => void response.writeHead(429, { 'retry-after': '3' }).end(),
  (response) => void response.writeHead(429).end(),
  (response) => void response.writeHead(500).end(),
  (response) => void response.writeHead(503, { 'retry-after': '2' }).end(),
  (response) => void response.destroy(),
  (response, accept) => {
    accept()
    response.destroy()
  },
  (response, accept) => {
    accept()
    response.writeHead(500).end()
  },
  (response, accept) => {
    accept()
    response.writeHead(201).end('<html>')
  },
]

test.each([1, 2, 3, 4, 5, 6])(
  'story %i: whatever the target answers and whoever dies, in the end it holds exactly what it should',
  async (seed) => {
    const random = seededRandom(seed * 7919)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    await world.policy({ removals: { on: false, percent: 0, number: 0 } })
    const ids = await world.people(40)
    await world.mark(...ids)
    const provisioners = [world.provisioner({ random }), world.provisioner({ random })]
    for (let round = 0; round < 12; round++) {
      world.standIn.misbehave(...Array.from({ length: 40 }, () => (random() < 0.35 ? pick(TROUBLES) : normally)))
      await Promise.all([
        ...provisioners.map((provisioner) => provisioner.runOnce()),
        ...Array.from({ length: 4 }, () => world.change(pick(ids), { title: `Title ${Math.floor(random() * 5)}`, active: random() < 0.8 })),
      ])
      // a worker that leases, perhaps sends, and dies
      const now = world.clock.now()
      const leased = await leaseDue(database.db, world, { limit: 3, now, until: new Date(now.getTime() + 10_000) })
      const people = await readPeople(
        database.db,
        world.tenantId,
        leased.map(({ userId }) => userId),
      )
      const scim = world.scim()
      for (const { remoteId, userId } of leased) {
        const person = people.get(userId)
        if (remoteId === null && person?.active && random() < 0.5) await scim.create(scim.documentOf(person)).catch(() => {})
      }
      await scim.close()
      world.clock.advance(random() * 20)
    }
    const heal = async () => {
      for (let minute = 0; minute < 40; minute++) {
        await provisioners[minute % 2]?.runOnce()
        world.clock.advance(300)
      }
    }
    await heal()
    // whoever met trouble eight times was given up, which is a state of its own: an administrator has them tried again
    expect((await world.rows()).filter(({ state }) => state !== 'inStep' && state !== 'quarantined')).toEqual([])
    const actor = { id: world.connectorId, name: 'Tadeo Tenant' }
    await retryAccounts(database.db, world.clock, { ...world, cause: undefined, actor, correlationId: 'retried' })
    await heal()
    const people = await database.db.selectFrom('users').selectAll().where('tenant_id', '=', world.tenantId).execute()
    const accounts = [...world.standIn.accounts.values()]
    expect(new Set(accounts.map(({ userName }) => userName)).size).toBe(accounts.length)
    for (const person of people) {
      const account = accounts.find(({ userName }) => userName === person.work_email)
      if (person.active) expect(account).toMatchObject({ active: true, title: person.title, externalId: person.external_id })
      else expect(account?.active ?? false).toBe(false)
    }
    expect((await world.rows()).filter(({ state }) => state !== 'inStep')).toEqual([])
  },
)
