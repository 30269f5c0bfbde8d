import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { targetSummary } from './account.views.ts'
import { quantile, targetPace, targetTimes } from './target-figures.ts'
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

const key = () => ({ tenantId: world.tenantId, targetId: world.targetId })
const times = () => targetTimes(database.db, { ...key(), now: world.clock.now() })
/** As if the changes of these people had been made so long ago. */
const marked = (seconds: number, userIds: readonly string[]) =>
  sql`update target_accounts set marked_at = now() - make_interval(secs => ${seconds}) where user_id = any(${userIds}::uuid[])`.execute(
    database.db,
  )
const around = (milliseconds: number) => ({
  asymmetricMatch: (value: number) => Math.abs(value - milliseconds) <= milliseconds * 0.06 + 300,
})

test('nothing was measured, so nothing is told', async () => {
  expect(await times()).toEqual({ inStep: { count: 0, median: null, p95: null }, revoke: { count: 0, median: null, p95: null } })
  expect(await targetPace(database.db, { ...key(), now: world.clock.now() })).toBe(0)
})

test('an account that is looked at and needs nothing is not counted', async () => {
  const [id = ''] = await world.people(1)
  await world.mark(id)
  await world.provisioner().runOnce()
  await world.mark(id)
  await world.provisioner().runOnce()
  expect((await times()).inStep.count).toBe(1)
})

test('median and 95th percentile are of the time since the oldest change that was not confirmed', async () => {
  const ids = await world.people(20)
  await world.mark(...ids)
  await marked(60, ids)
  await marked(600, ids.slice(0, 2))
  // another change does not make the wait shorter
  await world.mark(...ids)
  await world.provisioner().runOnce()
  const { inStep, revoke } = await times()
  expect(inStep).toEqual({ count: 20, median: around(60_000), p95: around(600_000) })
  expect(revoke.count).toBe(0)
})

test('the wait of an account in step begins anew with the next change', async () => {
  const [id = ''] = await world.people(1)
  await world.mark(id)
  await world.provisioner().runOnce()
  await marked(9000, [id])
  await world.change(id, { title: 'Chief' })
  await world.provisioner().runOnce()
  expect((await times()).inStep.p95).toBeLessThan(60_000)
})

test('whoever leaves is counted once as revoked, not again when something else of theirs changes', async () => {
  const [id = ''] = await world.people(1)
  await world.mark(id)
  await world.provisioner().runOnce()
  await world.change(id, { active: false })
  await marked(120, [id])
  await world.provisioner().runOnce()
  expect((await times()).revoke).toEqual({ count: 1, median: around(120_000), p95: around(120_000) })
  await world.change(id, { title: 'Gone' })
  await world.provisioner().runOnce()
  expect((await times()).revoke.count).toBe(1)
})

test('after 28 days a time is no longer told, and its place is used again', async () => {
  const ids = await world.people(2)
  await world.mark(ids[0] ?? '')
  await world.provisioner().runOnce()
  world.clock.advance(27 * 86_400)
  expect((await times()).inStep.count).toBe(1)
  world.clock.advance(86_400)
  expect((await times()).inStep.count).toBe(0)
  await world.mark(ids[1] ?? '')
  await world.provisioner().runOnce()
  expect((await times()).inStep.count).toBe(1)
})

test('the backlog is told with the time that it will take at the pace of the last minutes', async () => {
  const ids = await world.people(30)
  await world.mark(...ids.slice(0, 20))
  const summary = () => targetSummary(database.db, { ...key(), now: world.clock.now() })
  expect((await summary())?.backlog).toEqual({ count: 20, perMinute: 0, seconds: null })
  await world.provisioner().runOnce()
  world.clock.advance(120)
  await world.mark(...ids.slice(20))
  expect((await summary())?.backlog).toEqual({ count: 10, perMinute: 10, seconds: 60 })
  world.clock.advance(600)
  expect((await summary())?.backlog).toEqual({ count: 10, perMinute: 0, seconds: null })
})

test('a quantile of a histogram is within a bucket of that of the times themselves', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 2_000_000_000 }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.95),
      (all, share) => {
        const sorted = [...all].sort((a, b) => a - b)
        const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? 0
        const counted = new Map<number, number>()
        for (const one of sorted) {
          const bucket = Math.floor(Math.log(one) / Math.log(1.1))
          counted.set(bucket, (counted.get(bucket) ?? 0) + 1)
        }
        const told = quantile(
          [...counted].map(([bucket, count]) => ({ bucket, count })),
          share,
        )
        expect(Math.abs((told ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.06 + 1)
      },
    ),
    { seed: 5, numRuns: 200 },
  )
})
