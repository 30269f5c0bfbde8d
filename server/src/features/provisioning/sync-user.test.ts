import type { TargetSync } from '@instep/contract/user-sync.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { silentLog } from '../../platform/log.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { leaseDue } from './account.store.ts'
import { type SyncUserDeps, syncUser } from './sync-user.ts'
import { type ProvisioningWorld, provisioningWorld } from './testing/provisioning-world.ts'

let database: TestDatabase
let world: ProvisioningWorld
let userId: string
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  world = await provisioningWorld(database.db)
  userId = (await world.people(1))[0] ?? ''
})
afterEach(() => world.close())

const by = { kind: 'admin', id: uuidv7(), name: 'Tadeo Tenant' } as const
const sync = async (preview = false, more: Partial<SyncUserDeps> = {}): Promise<TargetSync> => {
  const deps = { db: database.db, clock: world.clock, log: silentLog, openTarget: async () => world.scim(), patience: 0, ...more }
  const [one] = (await syncUser(deps, { tenantId: world.tenantId, userId, preview, by, correlationId: 'by hand' })) ?? []
  if (!one) throw new Error('no target was asked')
  return one
}

test('somebody who is not there, or is another tenant’s, is nobody', async () => {
  const deps = { db: database.db, clock: world.clock, log: silentLog, openTarget: async () => world.scim() }
  const asked = { preview: false, by, correlationId: 'x' }
  expect(await syncUser(deps, { ...asked, tenantId: world.tenantId, userId: uuidv7() })).toBeUndefined()
  expect(await syncUser(deps, { ...asked, tenantId: uuidv7(), userId })).toBeUndefined()
  expect(await world.events()).toEqual([])
})

test('a preview asks the target, changes nothing there, and leaves no trace here', async () => {
  const told = await sync(true)
  expect(told).toMatchObject({ result: 'preview', deed: 'created', cause: null, targetName: 'Workplace' })
  expect(told.changes).toContainEqual({ attribute: 'name.givenName', before: null, after: 'Given1' })
  expect(told.desired).toContainEqual({ attribute: 'name.givenName', value: 'Given1' })
  expect(world.asked()).toEqual(['GET /scim/v2/Users'])
  expect(told.requests).toMatchObject([{ method: 'GET', status: 200 }])
  expect(await world.rows()).toEqual([])
  expect(await world.events()).toEqual([])
})

test('a target that is switched off is not asked', async () => {
  await sql`update connectors set enabled = false where id = ${world.targetId}`.execute(database.db)
  await expect(sync()).rejects.toThrow('no target was asked')
  expect(world.asked()).toEqual([])
  expect(await world.events()).toEqual([])
})

test('the row is marked and leased, and who asked is recorded, before the target is asked', async () => {
  let seen: unknown
  await sync(false, {
    openTarget: async () => {
      const row = await world.row(userId)
      seen = [row.state, row.lease_owner !== null, (await world.events()).map(({ type }) => type)]
      return world.scim()
    },
  })
  expect(seen).toEqual(['pending', true, ['user.synced']])
})

test('an account is made, and the request and the reply are told without the token', async () => {
  const told = await sync()
  expect(told).toMatchObject({ result: 'done', deed: 'created' })
  const [request] = told.requests
  expect(request).toMatchObject({ method: 'POST', path: '/scim/v2/Users', status: 201 })
  expect(request?.request).toContain('person.1@example.com')
  expect(request?.reply).toContain('account/1')
  expect(JSON.stringify(told)).not.toContain(world.standIn.token)
  expect(await world.row(userId)).toMatchObject({ state: 'inStep', remote_id: 'account/1', lease_owner: null })
  const events = await world.events()
  expect(events.map(({ type, correlation_id }) => [type, correlation_id])).toEqual([
    ['user.synced', 'by hand'],
    ['target.account.created', 'by hand'],
  ])
})

test('what was changed there by hand is seen by the preview and put right, although the account counted as in step', async () => {
  await sync()
  const account = world.standIn.accounts.get('account/1')
  if (account) account.title = 'Usurper'
  const preview = await sync(true)
  expect(preview).toMatchObject({ deed: 'updated', changes: [{ attribute: 'title', before: 'Usurper', after: 'Clerk' }] })
  expect(world.standIn.accounts.get('account/1')?.title).toBe('Usurper')
  const told = await sync()
  expect(told).toMatchObject({ result: 'done', deed: 'updated' })
  expect(told.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH'])
  expect(world.standIn.accounts.get('account/1')?.title).toBe('Clerk')
})

test('an account that is what it should be is read and not written, and no change of it is recorded', async () => {
  await sync()
  const before = (await world.events()).length
  const told = await sync()
  expect(told).toMatchObject({ result: 'done', deed: 'none', changes: [] })
  expect(told.desired).toContainEqual({ attribute: 'title', value: 'Clerk' })
  expect(told.requests.map(({ method }) => method)).toEqual(['GET'])
  expect((await world.events()).slice(before).map(({ type }) => type)).toEqual(['user.synced'])
  expect(await world.row(userId)).toMatchObject({ state: 'inStep', uncertain: false })
})

test('an account that a worker holds is left to the worker, and done again after it', async () => {
  await world.mark(userId)
  const now = world.clock.now()
  const until = new Date(now.getTime() + 10_000)
  await leaseDue(database.db, { tenantId: world.tenantId, targetId: world.targetId }, { limit: 1, now, until })
  expect(await sync()).toMatchObject({ result: 'busy', deed: null, requests: [] })
  expect(world.asked()).toEqual([])
  world.clock.advance(11)
  await world.provisioner().runOnce()
  expect(world.standIn.accounts.size).toBe(1)
})

test('an account that a worker holds is waited for, and read back after it', async () => {
  await world.mark(userId)
  const now = world.clock.now()
  const due = { limit: 1, now, until: new Date(now.getTime() + 10_000) }
  await leaseDue(database.db, { tenantId: world.tenantId, targetId: world.targetId }, due)
  const syncing = sync(false, { patience: 10_000 })
  await new Promise((resolve) => setTimeout(resolve, 250))
  expect(world.asked()).toEqual([])
  await sql`update target_accounts set lease_owner = null, leased_until = null`.execute(database.db)
  expect(await syncing).toMatchObject({ result: 'done', deed: 'created' })
  expect(world.standIn.accounts.size).toBe(1)
})

test('a worker that comes by meanwhile finds nothing to do: one account is never two people’s work at once', async () => {
  await sync(false, {
    openTarget: async () => {
      expect(await world.provisioner().runOnce()).toBe(0)
      return world.scim()
    },
  })
  expect(world.asked()).toEqual(['POST /scim/v2/Users'])
})

test('a refusal is told with its cause and the target’s own words, and stands in the row as after any try', async () => {
  world.standIn.misbehave((response) =>
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ detail: 'title is not allowed', password: 'hunter2' })),
  )
  const told = await sync()
  expect(told).toMatchObject({ result: 'failed', deed: null, cause: 'TARGET_REFUSED' })
  expect(told.detail).toContain('title is not allowed')
  expect(told.requests[0]).toMatchObject({ status: 400 })
  expect(JSON.stringify(told)).not.toContain('hunter2')
  expect(await world.row(userId)).toMatchObject({ state: 'quarantined', cause: 'TARGET_REFUSED', lease_owner: null })
})

test('a reply that never comes is told as none, and a worker looks the account up later', async () => {
  world.standIn.misbehave((response, accept) => {
    accept()
    response.destroy()
  })
  const told = await sync()
  expect(told).toMatchObject({ result: 'failed', cause: 'TARGET_UNCERTAIN' })
  expect(told.requests).toMatchObject([{ method: 'POST', status: null, reply: null }])
  world.clock.advance(60)
  await world.provisioner().runOnce()
  expect(world.standIn.accounts.size).toBe(1)
  expect(await world.row(userId)).toMatchObject({ state: 'inStep' })
})

test('settings that cannot be used fail the one account and give its row back', async () => {
  const told = await sync(false, {
    openTarget: async () => {
      throw new Error('no settings')
    },
  })
  expect(told).toMatchObject({ result: 'failed', cause: 'TARGET_FAULT', requests: [] })
  expect(await world.row(userId)).toMatchObject({ state: 'failed', lease_owner: null, uncertain: false })
})

test('whoever dies after the row was marked is replaced by a worker, who makes no second account', async () => {
  const gone = sync(false, {
    openTarget: () => new Promise<never>(() => {}),
  })
  void gone
  while ((await world.rows())[0]?.lease_owner == null) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await world.provisioner().runOnce()).toBe(0)
  world.clock.advance(11)
  await world.provisioner().runOnce()
  expect(world.standIn.accounts.size).toBe(1)
  expect(await world.row(userId)).toMatchObject({ state: 'inStep' })
})
