import * as contract from '@instep/contract/sites.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { createSite, createSiteGroup } from './public.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  const { db } = app.database
  const { id: tenantId, north } = app.world.one
  const by = { at: new Date(), correlationId: uuidv7(), actor: { kind: 'system' as const, id: null, name: 'Test' } }
  await db.transaction().execute(async (tx) => {
    await createSite(tx, { tenantId, groupId: north, name: 'Closed site', active: false }, by)
    await createSite(tx, { tenantId, groupId: north, name: 'Guarded site', restricted: true }, by)
    await createSiteGroup(tx, { tenantId, name: 'Empty' }, by)
  })
})
afterAll(() => app.close())

const names = async (admin: TestAdmin, endpoint: typeof contract.listSites | typeof contract.listSiteGroups, groupId?: string) => {
  const { status, body } = await app.call(admin, endpoint, {
    params: { tenantId: app.world.one.id },
    ...(groupId ? { query: { groupId } } : {}),
  })
  return status === 200 ? (body.data as { name: string }[]).map(({ name }) => name) : [status, body.code]
}

describe('sites', () => {
  it('are refused to the data-protection admin, and to another tenant', async () => {
    expect(await names('gdpr', contract.listSites)).toEqual([403, 'FORBIDDEN'])
    expect(await names('otherTenant', contract.listSites)).toEqual([404, 'NOT_FOUND'])
    expect(await names('otherTenant', contract.listSiteGroups)).toEqual([404, 'NOT_FOUND'])
  })

  it('are those of the caller below tenant level; a restricted one does not come with its group', async () => {
    expect(await names('siteGroup', contract.listSites)).toEqual(['North site'])
    expect(await names('site', contract.listSites)).toEqual(['South site'])
  })

  it('are all active ones at tenant level, by name', async () => {
    const all = ['Guarded site', 'Loose site', 'North site', 'South site']
    expect(await names('tenant', contract.listSites)).toEqual(all)
    expect(await names('super', contract.listSites)).toEqual(all)
  })

  it('can be asked for by group', async () => {
    expect(await names('tenant', contract.listSites, app.world.one.south)).toEqual(['South site'])
    // what the caller does not see looks like what there is none of
    for (const [admin, group] of [
      ['site', app.world.one.north],
      ['tenant', app.world.two.group],
      ['tenant', uuidv7()],
    ] as const)
      expect(await names(admin, contract.listSites, group)).toEqual([404, 'NOT_FOUND'])
  })
})

describe('site groups', () => {
  it('are those with sites of the caller below tenant level', async () => {
    expect(await names('siteGroup', contract.listSiteGroups)).toEqual(['North'])
    expect(await names('site', contract.listSiteGroups)).toEqual(['South'])
  })

  it('are all at tenant level, the empty ones too', async () => {
    expect(await names('tenant', contract.listSiteGroups)).toEqual(['Empty', 'North', 'South'])
  })
})

describe('a search', () => {
  it('finds a site or a group by its name as it looks, however much white space stands in it', async () => {
    const params = { tenantId: app.world.one.id }
    const body = { name: 'Wide  site', employeeIdPrefix: 'W-' }
    expect((await app.call('tenant', contract.createSite, { params, body })).status).toBe(201)
    expect((await app.call('tenant', contract.createSiteGroup, { params, body: { name: 'Wide  group' } })).status).toBe(201)
    for (const between of [' ', '  ', '\u00a0 ']) {
      const sites = await app.call('tenant', contract.listSites, { params, query: { searchText: `wide${between}site` } })
      expect(sites.body.data.map(({ name }) => name)).toEqual(['Wide  site'])
      const groups = await app.call('tenant', contract.listSiteGroups, { params, query: { searchText: `wide${between}group` } })
      expect(groups.body.data.map(({ name }) => name)).toEqual(['Wide  group'])
    }
  })
})
