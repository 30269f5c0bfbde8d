import { type Fault, startWebhookReceiver, type WebhookReceiver } from '@instep/connectors/webhook/testing/webhook-receiver.ts'
import { createWebhookTarget } from '@instep/connectors/webhook/webhook-target.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { leaseDue } from './account.store.ts'
import { retryAccounts } from './retry-accounts.ts'
import { type ProvisioningWorld, provisioningWorld } from './testing/provisioning-world.ts'
import { webhookJournal } from './webhook-journal.ts'

let database: TestDatabase
let world: ProvisioningWorld
let receiver: WebhookReceiver
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  world = await provisioningWorld(database.db)
  receiver = await startWebhookReceiver()
})
afterEach(async () => {
  await database.db.deleteFrom('webhook_deliveries').execute()
  await world.close()
  await receiver.close()
})

const open = () => {
  const options = { journal: webhookJournal(database.db, world), allowPrivate: true, now: world.clock.now, timeoutMs: 1000 }
  return createWebhookTarget({ endpoint: receiver.url }, { secret: receiver.secret }, options)
}
const worker = (random = () => 0.5) => world.provisioner({ random, openTarget: async () => open() })
const stored = async (userId: string) => webhookJournal(database.db, world).read(userId)

test('the engine tells of a person from the first event to the last, and an unchanged person costs no request', async () => {
  const [id = ''] = await world.people(1)
  await world.mark(id)
  await world.policy({ leaver: { action: 'delete', graceDays: 0 } })
  const engine = worker()
  await engine.runOnce()
  await world.mark(id)
  await engine.runOnce()
  await world.change(id, { title: 'Baker' })
  await engine.runOnce()
  await world.change(id, { active: false })
  await engine.runOnce()
  await world.change(id, { active: true })
  await engine.runOnce()
  expect(receiver.attempts.map(({ body, valid }) => [body.type, body.data.sequence, valid])).toEqual([
    ['account.created', 1, 1],
    ['account.updated', 2, 1],
    ['account.deleted', 3, 1],
    ['account.created', 4, 1],
  ])
  expect(await world.row(id)).toMatchObject({ state: 'inStep', remote_id: id })
  expect((await world.events()).map(({ type }) => type)).toEqual([
    'target.account.created',
    'target.account.updated',
    'target.account.deleted',
    'target.account.created',
  ])
})

test('whoever dies after the receiver took an event repeats it under the same id', async () => {
  const [id = ''] = await world.people(1)
  await world.mark(id)
  const now = world.clock.now()
  await leaseDue(database.db, world, { limit: 1, now, until: new Date(now.getTime() + 10_000) })
  const journal = webhookJournal(database.db, world)
  const dying = createWebhookTarget(
    { endpoint: receiver.url },
    { secret: receiver.secret },
    {
      journal: {
        ...journal,
        acknowledge: async () => {
          throw new Error('killed')
        },
      },
      allowPrivate: true,
      now: world.clock.now,
    },
  )
  const { rows } = await sql<{ fields: Record<string, string> }>`
    select jsonb_build_object('externalId', external_id, 'givenName', given_name, 'familyName', family_name, 'displayName', display_name,
      'workEmail', work_email, 'title', title) as fields from users where id = ${id}`.execute(database.db)
  await expect(dying.create(dying.documentOf({ userId: id, active: true, fields: rows[0]?.fields ?? {} }))).rejects.toThrow('killed')
  await dying.close()
  world.clock.advance(11)
  await worker().runOnce()
  const [first, second] = receiver.attempts
  expect(receiver.attempts).toHaveLength(2)
  expect(second?.id).toBe(first?.id)
  expect(await stored(id)).toMatchObject({ sequence: 1, acknowledged: 1, underWay: null })
  expect((await world.row(id)).state).toBe('inStep')
})

test('a receiver that is gone pauses the target for an hour, and nobody is given up', async () => {
  const ids = await world.people(3)
  await world.mark(...ids)
  receiver.misbehave(...Array.from({ length: 3 }, (): Fault => (response) => void response.writeHead(410).end()))
  const engine = worker()
  await engine.runOnce()
  expect(new Set((await world.rows()).map(({ state }) => state))).not.toContain('quarantined')
  const before = receiver.attempts.length
  world.clock.advance(3000)
  await engine.runOnce()
  expect(receiver.attempts).toHaveLength(before)
  world.clock.advance(700)
  await engine.runOnce()
  expect(receiver.accounts.size).toBe(3)
})

const status =
  (code: number, headers: Record<string, string> = {}, acts = false): Fault =>
  (response, take) => {
    if (acts) take()
    response.writeHead(code, headers).end()
  }
const normally = status(200, {}, true)
const TROUBLES: Fault[] = [
  status(429, { 'retry-after': '2' }),
  status(500),
  status(500, {}, true),
  status(502),
  status(503, { 'retry-after': '2' }),
  status(400),
  status(302, { location: 'http://127.0.0.1:1/' }),
  (response) => void response.destroy(),
  (response, take) => {
    take()
    response.destroy()
  },
]

test.each([1, 2, 3, 4, 5, 6])(
  'story %i: whatever the receiver answers, it is told in order and ends up knowing everybody as they are',
  async (seed) => {
    const random = seededRandom(seed * 6007)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    await world.policy({ removals: { on: false, percent: 0, number: 0 } })
    const ids = await world.people(25)
    await world.mark(...ids)
    const workers = [worker(random), worker(random)]
    for (let round = 0; round < 10; round++) {
      receiver.misbehave(...Array.from({ length: 25 }, () => (random() < 0.4 ? pick(TROUBLES) : normally)))
      await Promise.all([
        ...workers.map((one) => one.runOnce()),
        ...Array.from({ length: 5 }, () => world.change(pick(ids), { title: `Title ${Math.floor(random() * 4)}`, active: random() < 0.8 })),
      ])
      // a worker that leases and dies
      const now = world.clock.now()
      await leaseDue(database.db, world, { limit: 2, now, until: new Date(now.getTime() + 10_000) })
      world.clock.advance(random() * 20)
    }
    const heal = async () => {
      for (let minute = 0; minute < 40; minute++) {
        await workers[minute % 2]?.runOnce()
        world.clock.advance(300)
      }
    }
    await heal()
    const actor = { id: world.connectorId, name: 'Tadeo Tenant' }
    await retryAccounts(database.db, world.clock, { ...world, cause: undefined, actor, correlationId: 'retried' })
    await heal()
    expect((await world.rows()).filter(({ state }) => state !== 'inStep')).toEqual([])
    expect(receiver.outOfOrder).toEqual([])
    expect(receiver.attempts.every(({ valid }) => valid === 1)).toBe(true)
    const bodies = new Map<string, string>()
    const last = new Map<string, number>()
    for (const { id, body } of receiver.attempts) {
      const { userId, sequence, previousSequence } = body.data
      // one id is one event, to the letter; within a person numbers only grow
      expect(bodies.get(id) ?? JSON.stringify(body)).toBe(JSON.stringify(body))
      bodies.set(id, JSON.stringify(body))
      expect(sequence).toBeGreaterThanOrEqual(last.get(userId) ?? 1)
      expect(previousSequence).toBeLessThan(sequence)
      last.set(userId, sequence)
    }
    const people = await database.db.selectFrom('users').selectAll().where('tenant_id', '=', world.tenantId).execute()
    for (const person of people) {
      const account = receiver.accounts.get(person.id)
      if (person.active) expect(account).toMatchObject({ active: true, title: person.title, externalId: person.external_id })
      else expect(account?.['active'] ?? false).toBe(false)
    }
  },
)
