import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { targetAccounts, targetProgress, targetSummary, userTargets } from './account.views.ts'
import { targetGroups } from './groups/group.views.ts'
import { targetHealth } from './target-health.views.ts'
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
const summary = async () => {
  const found = await targetSummary(database.db, { ...key(), now: world.clock.now() })
  if (!found) throw new Error('no target')
  return found
}
const list = async (state: 'pending' | 'failed' | 'paused' | 'quarantined', after: string | null = null, limit = 100) =>
  (await targetAccounts(database.db, { ...key(), state, after, limit })) ?? []
const ofPerson = async (userId: string) => (await userTargets(database.db, { tenantId: world.tenantId, userId }))[0]
const progress = async (ids: readonly string[]) =>
  (await targetProgress(database.db, { tenantId: world.tenantId, users: sql`select unnest(${ids}::uuid[]) as user_id` }))[0]
const switchTo = (enabled: boolean) => database.db.updateTable('connectors').set({ enabled }).where('id', '=', world.targetId).execute()

/** Lets the target fail until administrators are told that it is paused; one person was never tried. */
const untilPaused = async (ids: readonly string[]) => {
  world.standIn.disturb(() => (response) => void response.writeHead(500).end())
  await world.mark(...ids)
  const provisioner = world.provisioner({ concurrency: 1 })
  for (let turn = 0; turn < 20 && !(await targetHealth(database.db, key()))?.pause; turn++) {
    await provisioner.runOnce()
    world.clock.advance(5)
  }
  const stored = await world.rows()
  expect(
    stored.some(({ state }) => state === 'failed'),
    'some were tried and failed',
  ).toBe(true)
  expect(
    stored.some(({ state }) => state === 'pending'),
    'some were never tried',
  ).toBe(true)
  return provisioner
}

test('whatever a paused target owes is paused: in counts, list, person, progress and health alike', async () => {
  const ids = await world.people(40)
  await untilPaused(ids)
  const until = (await targetHealth(database.db, key()))?.pause?.until ?? ''
  expect((await summary()).counts).toMatchObject({ paused: 40, failed: 0, pending: 0 })
  expect((await summary()).backlog).toEqual({ count: 40, perMinute: 0, seconds: null })
  expect((await summary()).causes, 'why it failed is still told').toMatchObject([{ cause: 'TARGET_UNCERTAIN' }])
  expect([await list('failed'), await list('pending')]).toEqual([[], []])
  const paused = await list('paused')
  expect(paused.map(({ userId }) => userId)).toEqual([...ids].sort())
  expect(
    paused.every(({ state, nextTryAt }) => state === 'paused' && (nextTryAt ?? '') >= until),
    'nobody is tried before the target is',
  ).toBe(true)
  for (const { userId, nextTryAt } of paused.slice(0, 10))
    expect(await ofPerson(userId)).toMatchObject({ state: 'paused', targetEnabled: true, nextTryAt })
  expect(await progress(ids)).toMatchObject({ enabled: true, pending: 0, paused: 40, inStep: 0, failed: 0 })
})

test('a page of paused accounts goes on where the one before ended, whatever became of them before', async () => {
  const ids = await world.people(40)
  await untilPaused(ids)
  const seen: string[] = []
  for (let page = await list('paused', null, 7); page.length > 0; page = await list('paused', seen.at(-1), 7))
    seen.push(...page.map(({ userId }) => userId))
  expect(seen).toEqual([...ids].sort())
})

test('a target that works again owes what failed as before, and brings it in step', async () => {
  const ids = await world.people(40)
  const provisioner = await untilPaused(ids)
  world.standIn.disturb(() => undefined)
  world.clock.advance(3600)
  await provisioner.runOnce()
  expect((await summary()).counts).toMatchObject({ inStep: 40, paused: 0, failed: 0, pending: 0 })
})

test('a pause is not told of a target that was switched off meanwhile, nor of one that owes nothing any more', async () => {
  await untilPaused(await world.people(40))
  const isTold = async () => (await targetHealth(database.db, key()))?.pause != null
  await switchTo(false)
  expect(await isTold()).toBe(false)
  await switchTo(true)
  expect(await isTold()).toBe(true)
  await sql`update target_accounts set state = 'inStep' where tenant_id = ${world.tenantId}`.execute(database.db)
  expect(await isTold()).toBe(false)
})

test('a target that was switched off has nothing on its way; switched on again, what failed is told as failed', async () => {
  const [failed = '', waiting = '', refused = ''] = await world.people(3)
  world.standIn.misbehave((response) => void response.writeHead(500).end())
  await world.mark(failed)
  await world.provisioner().runOnce()
  world.standIn.misbehave((response) => void response.writeHead(400).end())
  await world.mark(refused)
  world.clock.advance(0.1)
  await world.provisioner().runOnce()
  await world.mark(waiting)
  expect((await summary()).counts).toMatchObject({ failed: 1, pending: 1, quarantined: 1, paused: 0 })
  const before = await ofPerson(failed)
  await switchTo(false)
  expect((await summary()).counts).toMatchObject({ failed: 0, pending: 0, quarantined: 1, paused: 2 })
  for (const id of [failed, waiting]) expect(await ofPerson(id)).toMatchObject({ state: 'paused', targetEnabled: false, nextTryAt: null })
  expect(await progress([failed, waiting])).toMatchObject({ enabled: false, pending: 0, paused: 2, failed: 0 })
  expect(await ofPerson(refused), 'what was given up is nobody’s turn').toMatchObject({ state: 'quarantined' })
  expect((await list('quarantined')).map(({ userId }) => userId)).toEqual([refused])
  await switchTo(true)
  expect(await ofPerson(failed)).toEqual(before)
  expect((await summary()).counts).toMatchObject({ failed: 1, pending: 1, paused: 0 })
})

test('groups of a target that was switched off are paused as its accounts are', async () => {
  await sql`
    insert into target_groups (tenant_id, target_id, id, origin, key, name, state, cause, last_error)
    values
      (${world.tenantId}, ${world.targetId}, gen_random_uuid(), 'test', '1', 'Failed', 'failed', 'TARGET_UNAVAILABLE', '500'),
      (${world.tenantId}, ${world.targetId}, gen_random_uuid(), 'test', '2', 'Refused', 'quarantined', 'TARGET_REFUSED', '400')`.execute(
    database.db,
  )
  const states = async () => (await targetGroups(database.db, { ...key(), after: null, limit: 10 }))?.map(({ group }) => group.state)
  expect(await states()).toEqual(['failed', 'quarantined'])
  await switchTo(false)
  expect(await states()).toEqual(['paused', 'quarantined'])
})
