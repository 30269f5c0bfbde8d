import { listDirectoryLog } from '@instep/contract/logs.ts'
import * as contract from '@instep/contract/user-edits.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestAdmin } from '../../testing/app.ts'
import { type EditWorld, editWorld } from './testing/edit-world.ts'

let world: EditWorld
beforeAll(async () => {
  world = await editWorld()
})
afterAll(() => world.close())

describe('locks and marks', () => {
  const at = (id: string) => ({ params: { connectorId: world.hr, id } })
  const lock = (id: string, reason = 'Under review', admin: TestAdmin = 'tenant') =>
    world.app.call(admin, contract.lockUser, { ...at(id), body: { reason } })
  const unlock = (id: string, admin: TestAdmin = 'tenant') => world.app.call(admin, contract.unlockUser, at(id))
  const vip = (id: string, mark: boolean, admin: TestAdmin = 'tenant') =>
    world.app.call(admin, contract.markVip, { ...at(id), body: { vip: mark } })

  it('are refused to whom they are not given, and for people who are not seen', async () => {
    const id = await world.sourced({ site_id: world.app.world.one.northSite })
    expect((await lock(id, 'x', 'site')).status).toBe(404)
    expect((await unlock(id, 'otherTenant')).status).toBe(404)
    expect((await vip(id, true, 'siteGroup')).body.code).toBe('FORBIDDEN')
    expect((await world.profile(id, 'siteGroup')).can.vip).toEqual({ allowed: false, code: 'FORBIDDEN' })
    expect((await lock(id, ' ')).body.code).toBe('INVALID')
  })

  it('hold until lifted, with who, when and why', async () => {
    const id = await world.sourced()
    const { body, headers } = await lock(id, 'Under review', 'site')
    expect(headers.get('etag')).toBe('"2"')
    expect(body).toMatchObject({
      locked: true,
      version: 2,
      lock: { kind: 'admin', reason: 'Under review', by: 'Sami Site', at: '2026-03-04T10:00:00.000Z' },
      can: { edit: { allowed: false, code: 'USER_LOCKED' } },
    })
    expect((await lock(id)).body.version).toBe(2)
    expect((await lock(id, 'Other')).body).toMatchObject({ code: 'USER_LOCKED', params: { reason: 'Under review' } })
    expect((await vip(id, true)).body.code).toBe('USER_LOCKED')
    expect((await unlock(id)).body).toMatchObject({ locked: false, lock: null, version: 3 })
    expect((await unlock(id)).body.version).toBe(3)
    expect((await world.eventsOf(id)).map(({ type, data }) => [type, data])).toEqual([
      ['user.locked', { reason: 'Under review', version: 2 }],
      ['user.unlocked', { version: 3 }],
    ])
    const log = await world.app.call('tenant', listDirectoryLog, { params: { tenantId: world.tenantId }, query: { pageSize: 250 } })
    expect(log.body.data.map(({ message }) => message)).toContain('Ada Byron was locked for editing: Under review')
  })

  it.each(['erasure', 'move'] as const)('of an engine (%s) are not lifted by hand', async (lock_kind) => {
    const id = await world.sourced({ locked: true, lock_kind, lock_reason: 'Moving' })
    expect((await unlock(id)).body).toMatchObject({ code: 'USER_LOCKED', params: { reason: 'Moving' } })
    expect((await world.profile(id)).can.lock).toEqual({ allowed: false, code: 'USER_LOCKED' })
  })

  it('mark a VIP once', async () => {
    const id = await world.sourced()
    expect((await vip(id, true)).body).toMatchObject({ vip: true, version: 2 })
    expect((await vip(id, true)).body.version).toBe(2)
    expect((await vip(id, false)).body).toMatchObject({ vip: false, version: 3 })
    expect((await world.eventsOf(id)).map(({ type }) => type)).toEqual(['user.vip.marked', 'user.vip.unmarked'])
  })
})
