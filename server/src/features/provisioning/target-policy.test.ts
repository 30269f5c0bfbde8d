import type { Misbehaviour } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { decideRemovals } from './decide-removals.ts'
import { followGrace } from './leavers.store.ts'
import { markPending } from './mark-pending.ts'
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

const DAY = 86_400
const types = async () => (await world.events()).map(({ type }) => type)
const leave = (id: string) => world.change(id, { active: false, deactivated_at: world.clock.now().toISOString() })
const come = (id: string) => world.change(id, { active: true, deactivated_at: null })
const active = () => [...world.standIn.accounts.values()].filter((account) => account.active).length
const writes = () => world.asked().filter((line) => !line.startsWith('GET'))
const settled = async (count: number) => {
  const ids = await world.people(count)
  await world.mark(...ids)
  const provisioner = world.provisioner()
  await provisioner.runOnce()
  world.standIn.received.length = 0
  return { ids, provisioner }
}

describe('protected accounts', () => {
  test('one on the list is not made, linked, changed or removed, by its name or its id', async () => {
    const { ids, provisioner } = await settled(3)
    const [byId = '', byName = '', other = ''] = ids
    const { remote_id: remoteId } = await world.row(byId)
    await world.policy({
      leaver: { action: 'delete', graceDays: 0 },
      protectedAccounts: [
        { by: 'remoteId', value: remoteId ?? '', reason: '' },
        { by: 'userName', value: 'person.2@*', reason: 'break-glass' },
        { by: 'userName', value: 'new.*', reason: '' },
      ],
    })
    await world.change(byId, { title: 'Other' })
    await leave(byName)
    await world.change(other, { work_email: 'new.name@example.com' })
    await provisioner.runOnce()
    expect(world.asked()).toEqual([])
    for (const id of ids) expect(await world.row(id)).toMatchObject({ state: 'protected', cause: 'PROTECTED_ACCOUNT' })
  })

  test('one that is found by a search is not linked', async () => {
    const found = await world.scim().create({ schemas: [], userName: 'person.1@example.com', title: 'Root' })
    await world.policy({ protectedAccounts: [{ by: 'remoteId', value: found.remoteId, reason: '' }] })
    const [id = ''] = await world.people(1)
    await world.mark(id)
    await world.provisioner().runOnce()
    expect([...world.standIn.accounts.values()]).toMatchObject([{ title: 'Root' }])
    expect(await world.row(id)).toMatchObject({ state: 'protected', remote_id: null })
  })

  test.each([
    ['a VIP', 'PROTECTED_VIP', (id: string) => world.change(id, { vip: true })],
    [
      'a person on a source’s list',
      'PROTECTED_LISTED',
      (id: string) =>
        sql`insert into protected_people (tenant_id, connector_id, user_id, reason, created_by, created_at)
          values (${world.tenantId}, ${world.connectorId}, ${id}, 'x', '{}', now())`.execute(database.db),
    ],
  ])('the account of %s is never disabled or deleted, and follows again when that ends', async (_, cause, protect) => {
    const { ids, provisioner } = await settled(1)
    const [id = ''] = ids
    await protect(id)
    await leave(id)
    await provisioner.runOnce()
    expect(writes()).toEqual([])
    expect(await world.row(id)).toMatchObject({ state: 'protected', cause })
    await sql`delete from protected_people where tenant_id = ${world.tenantId}`.execute(database.db)
    await sql`update users set vip = false where tenant_id = ${world.tenantId}`.execute(database.db)
    world.clock.advance(DAY + 1)
    await provisioner.runOnce()
    expect(active()).toBe(0)
  })
})

describe('leavers', () => {
  test('ignore touches nothing and keeps the account; nothing is sent when the person comes back', async () => {
    await world.policy({ leaver: { action: 'ignore', graceDays: 0 } })
    const { ids, provisioner } = await settled(1)
    await leave(ids[0] ?? '')
    await provisioner.runOnce()
    await come(ids[0] ?? '')
    await provisioner.runOnce()
    expect(world.asked()).toEqual([])
    expect(await world.row(ids[0] ?? '')).toMatchObject({ state: 'inStep', remote_id: expect.any(String) })
  })

  test('unlink leaves the account alone and forgets it; it is found again when the person comes back', async () => {
    await world.policy({ leaver: { action: 'unlink', graceDays: 0 } })
    const { ids, provisioner } = await settled(1)
    await leave(ids[0] ?? '')
    await provisioner.runOnce()
    expect(world.asked()).toEqual([])
    expect(await world.row(ids[0] ?? '')).toMatchObject({ state: 'inStep', remote_id: null })
    expect((await types()).at(-1)).toBe('target.account.unlinked')
    await come(ids[0] ?? '')
    await provisioner.runOnce()
    expect(world.standIn.accounts.size).toBe(1)
    expect((await types()).at(-1)).toBe('target.account.linked')
  })

  test('nobody is deleted while their source keeps them, and a source that keeps them otherwise is followed', async () => {
    const keep = async (days: number) => {
      await sql`
        insert into connector_versions (tenant_id, connector_id, version, config, created_by, created_at)
        values (${world.tenantId}, ${world.connectorId}, 1, ${JSON.stringify({ grace: { days } })}, '{}', now())
        on conflict (tenant_id, connector_id, version) do update set config = excluded.config`.execute(database.db)
      await sql`update connectors set config_version = 1 where tenant_id = ${world.tenantId} and id = ${world.connectorId}`.execute(
        database.db,
      )
      await database.db.transaction().execute((tx) => followGrace(tx, world))
    }
    await keep(60)
    await world.policy({ leaver: { action: 'delete', graceDays: 0 } })
    const { ids, provisioner } = await settled(1)
    const [id = ''] = ids
    const left = world.clock.now().getTime()
    await leave(id)
    await provisioner.runOnce()
    expect(await world.row(id)).toMatchObject({ state: 'leaving', next_try_at: new Date(left + 60 * DAY * 1000) })
    world.clock.advance(40 * DAY)
    await provisioner.runOnce()
    expect([world.standIn.accounts.size, active()]).toEqual([1, 0])
    await keep(90)
    await provisioner.runOnce()
    expect(await world.row(id)).toMatchObject({ state: 'leaving', next_try_at: new Date(left + 90 * DAY * 1000) })
    await keep(30)
    await provisioner.runOnce()
    expect(world.standIn.accounts.size).toBe(0)
  })

  test('delete disables at once, waits for the grace period, and deletes without anybody marking it', async () => {
    await world.policy({ leaver: { action: 'delete', graceDays: 30 } })
    const { ids, provisioner } = await settled(2)
    const [stays = '', returns = ''] = ids
    await leave(stays)
    await leave(returns)
    await provisioner.runOnce()
    expect(active()).toBe(0)
    expect(world.standIn.accounts.size).toBe(2)
    expect(await world.row(stays)).toMatchObject({ state: 'leaving' })
    world.clock.advance(29 * DAY)
    await come(returns)
    await provisioner.runOnce()
    expect(active()).toBe(1)
    expect(await world.row(returns)).toMatchObject({ state: 'inStep', removal: null })
    world.clock.advance(2 * DAY)
    await provisioner.runOnce()
    expect(world.standIn.accounts.size).toBe(1)
    expect(await world.row(stays)).toMatchObject({ state: 'inStep', remote_id: null })
    const before = world.asked().length
    world.clock.advance(100 * DAY)
    await provisioner.runOnce()
    expect(world.asked()).toHaveLength(before)
  })
})

describe('the guard on removals', () => {
  const by = { kind: 'admin', id: null, name: 'Tadeo Tenant' } as const
  const decide = (decision: 'approved' | 'rejected', seen?: number) =>
    decideRemovals(
      { db: database.db, clock: world.clock },
      { ...world, kind: 'accounts', decision, seen, reason: 'Seen', by, correlationId: 'decided' },
    )

  test('nothing to decide is refused', async () => {
    await expect(decide('approved')).rejects.toMatchObject({ code: 'REMOVALS_NOT_HELD' })
  })

  test('too many removals wait for a person, all of them; creates and changes go on; approved, they are carried out', async () => {
    const { ids, provisioner } = await settled(30)
    for (const id of ids.slice(0, 6)) await leave(id)
    await world.change(ids[29] ?? '', { title: 'Other' })
    await world.mark(...(await world.people(1)))
    await provisioner.runOnce()
    expect(active()).toBe(31)
    expect(world.asked()).toEqual(expect.arrayContaining(['POST /scim/v2/Users', 'PATCH /scim/v2/Users/…']))
    expect(world.asked()).toHaveLength(2)
    for (const id of ids.slice(0, 6)) expect(await world.row(id)).toMatchObject({ state: 'held', cause: 'REMOVALS_HELD' })
    const told = (await world.events()).filter(({ type }) => type === 'target.removals.held')
    expect(told.map(({ data }) => data)).toEqual([{ target: 'Workplace', wanted: 6, allowed: 5, population: 30 }])
    await leave(ids[6] ?? '')
    await provisioner.runOnce()
    expect(await world.row(ids[6] ?? '')).toMatchObject({ state: 'held' })
    await expect(decide('approved', 6)).rejects.toMatchObject({ code: 'REMOVALS_GREW', details: { params: { seen: 6, waiting: 7 } } })
    expect(await world.row(ids[6] ?? '')).toMatchObject({ state: 'held' })
    expect(await decide('approved', 7)).toBe(7)
    await provisioner.runOnce()
    expect(active()).toBe(24)
    await leave(ids[7] ?? '')
    await provisioner.runOnce()
    expect(active()).toBe(23)
  })

  test('one after the other they are counted over 24 hours, and pass again after them', async () => {
    const { ids, provisioner } = await settled(20)
    for (const id of ids.slice(0, 5)) {
      await leave(id)
      await provisioner.runOnce()
    }
    expect(active()).toBe(15)
    await leave(ids[5] ?? '')
    await provisioner.runOnce()
    expect(active()).toBe(15)
    await come(ids[5] ?? '')
    await provisioner.runOnce()
    world.clock.advance(DAY + 60)
    await leave(ids[6] ?? '')
    await provisioner.runOnce()
    expect(active()).toBe(14)
  })

  test('rejected, the accounts stay as they are, also when they are looked at again, until the person comes back', async () => {
    const { ids, provisioner } = await settled(10)
    for (const id of ids.slice(0, 6)) await leave(id)
    await provisioner.runOnce()
    expect(await decide('rejected')).toBe(6)
    await world.mark(...ids)
    await provisioner.runOnce()
    expect(world.asked()).toEqual([])
    expect(await world.row(ids[0] ?? '')).toMatchObject({ state: 'held', cause: 'REMOVALS_REJECTED' })
    await come(ids[0] ?? '')
    await provisioner.runOnce()
    expect(await world.row(ids[0] ?? '')).toMatchObject({ state: 'inStep', removal: null })
  })

  test('a run that a person approved is not asked about again', async () => {
    const { ids, provisioner } = await settled(10)
    await database.db.transaction().execute(async (tx) => {
      await sql`update users set active = false, deactivated_at = ${world.clock.now()} where tenant_id = ${world.tenantId}`.execute(tx)
      const users = sql`select unnest(${ids}::uuid[]) as user_id`
      await markPending(tx, { tenantId: world.tenantId, users, correlationId: 'run', removalsApproved: true })
    })
    await provisioner.runOnce()
    expect(active()).toBe(0)
    // what was approved was disabling: a policy that deletes from now on asks again
    expect(await world.row(ids[0] ?? '')).toMatchObject({ removal: 'disable' })
    await world.policy({ leaver: { action: 'delete', graceDays: 0 } })
    await world.mark(...ids)
    await provisioner.runOnce()
    expect(world.standIn.accounts.size).toBe(10)
    expect(await world.row(ids[0] ?? '')).toMatchObject({ state: 'held' })
  })

  test('a removal that fails and is tried again counts once, and who is protected does not count', async () => {
    const { ids, provisioner } = await settled(20)
    await world.change(ids[9] ?? '', { vip: true })
    for (const id of [...ids.slice(0, 5), ids[9] ?? '']) await leave(id)
    const broken: Misbehaviour = (response) => {
      response.writeHead(500).end()
    }
    world.standIn.misbehave(broken, broken, broken)
    for (let round = 0; round < 5; round++) {
      await provisioner.runOnce()
      world.clock.advance(60)
    }
    expect((await types()).filter((type) => type === 'target.removals.held')).toEqual([])
  })
})

describe('managers', () => {
  const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  const report = async (userId: string, managerId: string) => {
    await sql`
      insert into manager_references (tenant_id, user_id, connector_id, value, manager_id)
      values (${world.tenantId}, ${userId}, ${world.connectorId}, 'x', ${managerId})
      on conflict (tenant_id, user_id) do update set manager_id = excluded.manager_id`.execute(database.db)
  }
  const managerOf = async (userId: string) => {
    const account = world.standIn.accounts.get((await world.row(userId)).remote_id ?? '')
    return (account?.[ENTERPRISE] as { manager?: { value: string } } | undefined)?.manager?.value
  }

  test('two who manage each other do not wait for ever', async () => {
    const [one = '', two = ''] = await world.people(2)
    await report(one, two)
    await report(two, one)
    await world.mark(one, two)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    world.clock.advance(31)
    await provisioner.runOnce()
    expect(await managerOf(one)).toBe((await world.row(two)).remote_id)
    expect(await managerOf(two)).toBe((await world.row(one)).remote_id)
  })

  test('a chain is made from the top with one request each, and an unchanged population costs none', async () => {
    const ids = await world.people(6)
    for (const [index, id] of ids.entries()) if (ids[index + 1]) await report(id, ids[index + 1] ?? '')
    await world.mark(...ids)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    expect(world.asked()).toEqual(Array(6).fill('POST /scim/v2/Users'))
    for (const [index, id] of ids.entries()) {
      const above = ids[index + 1]
      if (above) expect(await managerOf(id)).toBe((await world.row(above)).remote_id)
    }
    await world.mark(...ids)
    await provisioner.runOnce()
    expect(world.asked()).toHaveLength(6)
  })

  test('reports follow when the manager gets another account', async () => {
    const [boss = '', one = ''] = await world.people(2)
    await report(one, boss)
    await world.mark(boss, one)
    const provisioner = world.provisioner()
    await provisioner.runOnce()
    world.standIn.accounts.delete((await world.row(boss)).remote_id ?? '')
    await world.change(boss, { title: 'Chief' })
    await provisioner.runOnce()
    expect(await managerOf(one)).toBe((await world.row(boss)).remote_id)
  })
})

describe('pace', () => {
  test('a rate is kept by waiting, and fewer requests than the installation allows are under way at one time', async () => {
    await world.policy({ pace: { concurrency: 1, perSecond: 10 } })
    await world.mark(...(await world.people(12)))
    const begun = world.clock.now().getTime()
    const sleep = async (milliseconds: number) => world.clock.advance(milliseconds / 1000)
    await world.provisioner({ sleep }).runOnce()
    expect(world.standIn.accounts.size).toBe(12)
    expect(world.clock.now().getTime() - begun).toBeGreaterThanOrEqual(1000)
  })
})
