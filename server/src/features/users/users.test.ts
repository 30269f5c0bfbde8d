import * as contract from '@instep/contract/users.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople, linkPeople } from '../../testing/people.ts'

type Search = z.input<typeof contract.searchUsers.body>

let app: TestApp
let hr: string
let manual: string
let foreign: string
let ids: Record<'zoe' | 'ann' | 'abel' | 'carl' | 'nils' | 'pia' | 'bea' | 'foreign', string>

beforeAll(async () => {
  app = await testApp()
  const { db } = app.database
  const { one, two } = app.world
  hr = await addConnector(db, { tenantId: one.id, name: 'HR' })
  manual = await addConnector(db, { tenantId: one.id, name: 'By hand', ingestionType: 'manual' })
  foreign = await addConnector(db, { tenantId: two.id, name: 'HR' })
  const [zoe = '', ann = '', abel = '', carl = '', nils = '', pia = ''] = await addPeople(db, { tenantId: one.id, connectorId: hr }, [
    {
      given_name: 'Zoé',
      family_name: 'Ängström',
      external_id: 'A_1',
      site_id: one.northSite,
      claim_state: 'claimed',
      start_date: '2024-05-01',
    },
    {
      given_name: 'Ann',
      family_name: 'O’Neil',
      external_id: 'A%2',
      site_id: one.southSite,
      claim_state: 'invited',
      start_date: '2023-01-01',
    },
    {
      given_name: 'Abel',
      family_name: 'Müller',
      external_id: 'B\\3',
      site_id: one.northSite,
      employee_number: 'ab-77',
      vip: true,
      locked: true,
    },
    { given_name: 'Carl', family_name: 'Иван', external_id: 'C-4', site_id: one.southSite, active: false, deactivated_at: new Date(0) },
    { given_name: 'Nils', family_name: 'Nowhere', external_id: 'D-5', active: false, start_date: '2030-01-01' },
    { given_name: 'Pia', family_name: 'Loose', external_id: 'E-6', site_id: one.looseSite, work_email: 'zzz.pia@one.example' },
  ])
  const [bea = ''] = await addPeople(db, { tenantId: one.id, connectorId: manual }, [
    { given_name: 'Bea', external_id: 'A_1', site_id: one.southSite },
  ])
  const [other = ''] = await addPeople(db, { tenantId: two.id, connectorId: foreign }, [{ given_name: 'Abel', site_id: two.site }])
  ids = { zoe, ann, abel, carl, nils, pia, bea, foreign: other }
})
afterAll(() => app.close())

const search = async (admin: TestAdmin, body: Search = {}, connectorId: string = app.world.one.id) => {
  const { status, body: answer } = await app.call(admin, contract.searchUsers, {
    params: { connectorId },
    body: { pageSize: 250, ...body },
  })
  return status === 200 ? answer.data.map(({ displayName }) => displayName.split(' ')[0]) : [status, answer.code]
}
const get = (admin: TestAdmin, connectorId: string, id: string) => app.call(admin, contract.getUser, { params: { connectorId, id } })

describe('who sees whom', () => {
  it('nobody without a session, nobody as data-protection admin', async () => {
    expect((await fetch(`${app.url}/v1/connectors/${hr}/users`)).status).toBe(401)
    expect(await search('gdpr')).toEqual([403, 'FORBIDDEN'])
    expect((await get('gdpr', hr, ids.zoe)).status).toBe(403)
  })

  it('another tenant’s people look like none, for lists and profiles', async () => {
    expect(await search('otherTenant', {}, hr)).toEqual([404, 'NOT_FOUND'])
    expect(await search('otherTenant', {}, app.world.one.id)).toEqual([404, 'NOT_FOUND'])
    expect((await app.call('otherTenant', contract.listUsers, { params: { connectorId: hr } })).status).toBe(404)
    expect((await get('otherTenant', hr, ids.zoe)).status).toBe(404)
    expect((await get('otherTenant', foreign, ids.zoe)).status).toBe(404)
    expect((await get('tenant', hr, ids.foreign)).status).toBe(404)
    expect(await search('otherTenant', { searchText: 'abel' }, app.world.two.id)).toEqual(['Abel'])
  })

  it('below tenant level only people of one’s own sites, never somebody without a site', async () => {
    expect(await search('siteGroup')).toEqual(['Abel', 'Zoé'])
    expect(await search('site')).toEqual(['Ann', 'Bea', 'Carl'])
    expect(await search('site', { searchText: 'abel' })).toEqual([])
    for (const siteId of [app.world.one.northSite, app.world.two.site, uuidv7()])
      expect(await search('site', { siteId })).toEqual([404, 'NOT_FOUND'])
    expect(await search('siteGroup', { siteGroupId: app.world.one.north })).toEqual(['Abel', 'Zoé'])
    for (const siteGroupId of [app.world.one.south, app.world.two.group, uuidv7()])
      expect(await search('siteGroup', { siteGroupId })).toEqual([404, 'NOT_FOUND'])
    expect((await get('site', hr, ids.zoe)).status).toBe(404)
    expect((await get('site', hr, ids.nils)).status).toBe(404)
    expect((await get('site', hr, ids.ann)).status).toBe(200)
  })

  it('an administrator without sites sees nobody', async () => {
    const { db } = app.database
    await sql`delete from admin_sites where admin_id = ${app.adminIds.site}`.execute(db)
    expect(await search('site')).toEqual([])
    await sql`insert into admin_sites values (${app.world.one.id}, ${app.adminIds.site}, ${app.world.one.southSite})`.execute(db)
  })

  it('a person is found under their own connector only', async () => {
    expect((await get('tenant', manual, ids.zoe)).status).toBe(404)
    expect((await get('tenant', hr, uuidv7())).status).toBe(404)
    expect((await get('tenant', uuidv7(), ids.zoe)).status).toBe(404)
  })

  it('tenant level sees everybody, of one connector or of all', async () => {
    expect(await search('tenant')).toEqual(['Abel', 'Ann', 'Bea', 'Carl', 'Nils', 'Pia', 'Zoé'])
    expect(await search('super', {}, hr)).toEqual(['Abel', 'Ann', 'Carl', 'Nils', 'Pia', 'Zoé'])
  })
})

describe('search', () => {
  it.each([
    ['a', ['Abel', 'Ann', 'Bea', 'Zoé']],
    ['AB', ['Abel']],
    ['zz', []],
    ['ne', []],
    ['ä', ['Zoé']],
    ['и', ['Carl']],
    ['%', []],
    ['_', []],
    ['\\', []],
    ['a%', ['Ann']],
    ['a_', ['Bea', 'Zoé']],
    ['b\\', ['Abel']],
    ['zzz', ['Pia']],
    ['neil', ['Ann']],
    ['ivan', []],
    ['иван', ['Carl']],
    ['ÄNGST', ['Zoé']],
    ['a%2', ['Ann']],
    ['a_1', ['Bea', 'Zoé']],
    ['b\\3', ['Abel']],
    ['%%%', []],
    ['ann o’neil', ['Ann']],
    ["'; drop table users; --", []],
  ])('%j finds %j', async (searchText, found) => expect(await search('tenant', { searchText })).toEqual(found))
})

describe('filters', () => {
  it.each<[Search, (string | undefined)[]]>([
    [{ accountStatus: 'claimed' }, ['Zoé']],
    [{ accountStatus: 'notClaimed' }, ['Ann']],
    [{ accountStatus: 'notInvited' }, ['Abel', 'Bea', 'Pia']],
    [{ accountStatus: 'inactive' }, ['Carl', 'Nils']],
    [{ accountStatus: 'active' }, ['Abel', 'Ann', 'Bea', 'Pia', 'Zoé']],
    [{ isActive: false }, ['Carl', 'Nils']],
    [{ isActive: true, accountStatus: 'inactive' }, []],
    [{ accountStatus: 'active', searchText: 'müller' }, ['Abel']],
  ])('%j', async (body, found) => expect(await search('tenant', body)).toEqual(found))

  it('take a site of the tenant; one of another looks like none', async () => {
    expect(await search('tenant', { siteId: app.world.one.looseSite })).toEqual(['Pia'])
    expect(await search('tenant', { siteId: app.world.two.site })).toEqual([404, 'NOT_FOUND'])
  })

  it('are the same in the list of a connector', async () => {
    const list = async (query: object) => {
      const { body } = await app.call('tenant', contract.listUsers, { params: { connectorId: hr }, query })
      return body.data.map(({ name }) => name.givenName)
    }
    expect(await list({ accountStatus: 'inactive' })).toEqual(['Carl', 'Nils'])
    expect(await list({ isActive: 'true', searchText: 'ab' })).toEqual(['Abel'])
    expect(await list({ siteId: app.world.one.southSite })).toEqual(['Ann', 'Carl'])
  })
})

describe('order', () => {
  it.each<[Search['sort'], (string | undefined)[]]>([
    ['displayName', ['Abel', 'Ann', 'Bea', 'Carl', 'Nils', 'Pia', 'Zoé']],
    ['-displayName', ['Zoé', 'Pia', 'Nils', 'Carl', 'Bea', 'Ann', 'Abel']],
    ['externalId', ['Ann', 'Zoé', 'Bea', 'Abel', 'Carl', 'Nils', 'Pia']],
    ['startDate', ['Ann', 'Zoé', 'Nils', 'Abel', 'Carl', 'Pia', 'Bea']],
    ['-startDate', ['Bea', 'Pia', 'Carl', 'Abel', 'Nils', 'Zoé', 'Ann']],
  ])('by %s is the same page by page', async (sort, names) => {
    expect(await search('tenant', { sort })).toEqual(names)
    const paged: (string | undefined)[] = []
    let continuationToken: string | null | undefined
    do {
      const { body } = await app.call('tenant', contract.searchUsers, {
        params: { connectorId: app.world.one.id },
        body: { sort, pageSize: 2, continuationToken },
      })
      paged.push(...body.data.map(({ displayName }) => displayName.split(' ')[0]))
      continuationToken = body.continuationToken
    } while (continuationToken)
    expect(paged).toEqual(names)
  })
})

describe('continuation tokens', () => {
  const page = (admin: TestAdmin, body: Search, connectorId = app.world.one.id) =>
    app.call(admin, contract.searchUsers, { params: { connectorId }, body: { pageSize: 1, ...body } })

  it('are refused when malformed or issued for another query', async () => {
    const { continuationToken } = (await page('super', {})).body
    const changed = `${continuationToken?.slice(0, -2)}xx`
    for (const [body, connectorId] of [
      [{ continuationToken: 'rubbish' }, app.world.one.id],
      [{ continuationToken: changed }, app.world.one.id],
      [{ continuationToken, sort: '-displayName' }, app.world.one.id],
      [{ continuationToken, searchText: 'a' }, app.world.one.id],
      [{ continuationToken }, hr],
      [{ continuationToken }, app.world.two.id],
    ] as const) {
      const { status, body: answer } = await page('super', body, connectorId)
      expect([status, answer.code]).toEqual([400, 'TOKEN_FOREIGN'])
    }
    // it holds the count of what its caller sees
    expect((await page('tenant', { continuationToken })).body.code).toBe('TOKEN_FOREIGN')
  })

  it('go on with another page size', async () => {
    const { continuationToken } = (await page('tenant', {})).body
    const { body } = await page('tenant', { continuationToken, pageSize: 50 })
    expect(body.data).toHaveLength(6)
    expect(body.continuationToken).toBeNull()
  })
})

it('a list tells what it holds, and how many', async () => {
  const { body } = await app.call('tenant', contract.searchUsers, { params: { connectorId: hr }, body: { searchText: 'abel' } })
  expect(body.count).toEqual({ value: 1, exact: true })
  expect(body.data).toEqual([
    {
      id: ids.abel,
      connectorId: hr,
      displayName: 'Abel Müller',
      siteId: app.world.one.northSite,
      employeeId: 'ab-77',
      externalId: 'B\\3',
      title: null,
      department: null,
      division: null,
      organization: null,
      costCenter: null,
      locationName: null,
      country: null,
      workEmail: null,
      personalEmail: null,
      personalPhone: null,
      manager: null,
      userType: null,
      employmentType: null,
      preferredLanguage: null,
      status: 'awaitingInvitation',
      accessCodeDelivery: 'none',
      startDate: null,
      endDate: null,
      updatedAt: '2026-01-02T03:04:05.000Z',
      locked: true,
      vip: true,
      overridden: false,
    },
  ])
})

it('a profile names connector and site, overrides and accounts at targets', async () => {
  const { db } = app.database
  const tenantId = app.world.one.id
  const targetId = await addConnector(db, { tenantId, name: 'Workplace', kind: 'target', ingestionType: 'target' })
  await sql`insert into user_overrides (tenant_id, user_id, field, value, by, at) values (${tenantId}, ${ids.zoe}, 'title', '"Baker"', '{}', now())`.execute(
    db,
  )
  await sql`update users set overridden = true, title = 'Baker' where tenant_id = ${tenantId} and id = ${ids.zoe}`.execute(db)
  await sql`insert into target_accounts (tenant_id, target_id, user_id) values (${tenantId}, ${targetId}, ${ids.zoe})`.execute(db)
  await linkPeople(db, { tenantId, connectorId: hr }, [ids.zoe])
  const { body } = await get('siteGroup', hr, ids.zoe)
  expect(body).toMatchObject({
    displayName: 'Zoé Ängström',
    connectorName: 'HR',
    siteName: 'North site',
    ingestionType: 'file',
    status: 'claimed',
    overrides: { title: 'Baker', department: null },
    targets: [{ targetId, targetName: 'Workplace', state: 'pending', attempts: 0 }],
  })
})
