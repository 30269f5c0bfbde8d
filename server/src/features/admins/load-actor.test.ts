import { ROLES, type Role } from '@instep/contract/roles.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { createSite, createSiteGroup } from '../sites/public.ts'
import { createTenant } from '../tenants/public.ts'
import { visibleSites } from './load-actor.ts'
import { adminRoles, assignSite, assignSiteGroup, createAdmin, loadActor, type NewAdmin } from './public.ts'

describe('the sites an administrator sees', () => {
  const assigned = ['a', 'b']
  const throughGroups = ['b', 'c']

  it.each<[Role[], 'all' | string[]]>([
    [['admin.super'], 'all'],
    [['admin.tenant'], 'all'],
    [['admin.sitegroup'], ['b', 'c', 'a']],
    [['admin.site'], ['a', 'b']],
    [['admin.gdpr'], []],
    [
      ['admin.gdpr', 'admin.site'],
      ['a', 'b'],
    ],
    [
      ['admin.site', 'admin.sitegroup'],
      ['b', 'c', 'a'],
    ],
    [['admin.site', 'admin.tenant'], 'all'],
  ])('%j → %j', (roles, sites) => expect(visibleSites({ roles, assigned, throughGroups })).toEqual(sites))

  it('are never more than what was given below tenant level', () => {
    const below = fc.subarray(ROLES.filter((role) => role !== 'admin.super' && role !== 'admin.tenant'))
    fc.assert(
      fc.property(below, fc.array(fc.string()), fc.array(fc.string()), (roles, assigned, throughGroups) => {
        const sites = visibleSites({ roles, assigned, throughGroups })
        expect(sites).not.toBe('all')
        for (const site of sites) expect([...assigned, ...throughGroups]).toContain(site)
      }),
      { seed: 7, numRuns: 200 },
    )
  })
})

describe('an administrator behind an identity', () => {
  let database: TestDatabase
  let tenantId: string
  const by = { at: new Date('2026-02-03T04:05:06Z'), correlationId: 'seed', actor: { kind: 'system' as const, id: null, name: 'Test' } }
  const identity = (subject: string) => ({ issuer: 'https://id.example', subject })
  const write = <T>(work: (tx: Parameters<typeof createAdmin>[0]) => Promise<T>) => database.db.transaction().execute(work)
  const add = (subject: string, roles: Role[], more: Partial<NewAdmin> = {}) =>
    write((tx) => createAdmin(tx, { tenantId, ...identity(subject), name: subject, email: `${subject}@one.example`, roles, ...more }, by))

  beforeAll(async () => {
    database = await testDatabase()
    tenantId = await write((tx) => createTenant(tx, { name: 'One' }, by))
  })
  afterAll(() => database.close())

  it('is nobody when unknown, when another issuer says the name, and when disabled', async () => {
    const { db } = database
    const id = await add('dora', ['admin.tenant'])
    expect(await loadActor(database.pool, identity('nobody'))).toBeUndefined()
    expect(await loadActor(database.pool, { issuer: 'https://other.example', subject: 'dora' })).toBeUndefined()
    expect(await loadActor(database.pool, identity('dora'))).toMatchObject({ id, sites: 'all' })
    await db.updateTable('admins').set({ disabled_at: by.at }).where('id', '=', id).execute()
    expect(await loadActor(database.pool, identity('dora'))).toBeUndefined()
    expect(await adminRoles(db, identity('dora'))).toEqual({ roles: ['admin.tenant'], disabled: true })
    expect(await adminRoles(db, identity('nobody'))).toBeUndefined()
  })

  it('is nobody while the tenant is disabled; a super admin stays', async () => {
    const { db } = database
    const other = await write((tx) => createTenant(tx, { name: 'Closed' }, by))
    await add('tom', ['admin.tenant'], { tenantId: other })
    await add('sue', ['admin.super'], { tenantId: other })
    await add('sam', ['admin.super'], { tenantId: null })
    await db.updateTable('tenants').set({ status: 'disabled' }).where('id', '=', other).execute()
    expect(await loadActor(database.pool, identity('tom'))).toBeUndefined()
    expect(await adminRoles(db, identity('tom'))).toMatchObject({ disabled: true })
    expect(await loadActor(database.pool, identity('sue'))).toMatchObject({ sites: 'all' })
    expect(await loadActor(database.pool, identity('sam'))).toMatchObject({ tenantId: null, sites: 'all', permissions: 1023 })
    expect(await adminRoles(db, identity('sam'))).toEqual({ roles: ['admin.super'], disabled: false })
  })

  it('reaches a restricted site by assignment, never through its group', async () => {
    const { open, guarded, assigned } = await write(async (tx) => {
      const groupId = await createSiteGroup(tx, { tenantId, name: 'Group' }, by)
      const open = await createSite(tx, { tenantId, groupId, name: 'Open' }, by)
      const guarded = await createSite(tx, { tenantId, groupId, name: 'Guarded', restricted: true }, by)
      const through = { tenantId, ...identity('gus'), name: 'Gus', email: 'gus@one.example', roles: ['admin.sitegroup' as const] }
      await assignSiteGroup(tx, { tenantId, adminId: await createAdmin(tx, through, by), groupId }, by)
      const direct = { tenantId, ...identity('ann'), name: 'Ann', email: 'ann@one.example', roles: ['admin.site' as const] }
      const assigned = await createAdmin(tx, direct, by)
      await assignSite(tx, { tenantId, adminId: assigned, siteId: guarded }, by)
      await assignSiteGroup(tx, { tenantId, adminId: assigned, groupId }, by)
      return { open, guarded, assigned }
    })
    expect((await loadActor(database.pool, identity('gus')))?.sites).toEqual([open])
    expect((await loadActor(database.pool, identity('ann')))?.sites).toEqual([guarded])
    expect((await loadActor(database.pool, identity('ann')))?.id).toBe(assigned)
  })

  it('is told of once, however often a site is assigned', async () => {
    const { db } = database
    const adminId = await add('una', ['admin.site'])
    const siteId = await write((tx) => createSite(tx, { tenantId, name: 'Once' }, by))
    await write((tx) => assignSite(tx, { tenantId, adminId, siteId }, by))
    await write((tx) => assignSite(tx, { tenantId, adminId, siteId }, by))
    const { rows } = await sql<{ type: string }>`
      select type from events where tenant_id = ${tenantId} and subject_id = ${adminId} and stream = 'admin' order by type`.execute(db)
    expect(rows.map(({ type }) => type)).toEqual(['admin.created', 'admin.site.assigned'])
  })

  it('cannot stand twice under one identity', async () => {
    await add('max', ['admin.site'])
    await expect(add('max', ['admin.tenant'])).rejects.toMatchObject({ constraint: 'admins_subject_unique' })
    await expect(add(uuidv7(), ['admin.tenant'], { tenantId: null })).rejects.toMatchObject({ constraint: 'admins_tenant_needed' })
  })
})
