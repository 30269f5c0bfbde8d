import * as contract from '@instep/contract/settings.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'

let app: TestApp
let tenantId: string
beforeAll(async () => {
  app = await testApp()
  tenantId = app.world.one.id
})
afterAll(() => app.close())

const create = (admin: TestAdmin, siteId: string | null, values: contract.DefaultValues) =>
  app.call(admin, contract.createDefaults, { params: { tenantId }, body: { siteId, values } })
const update = (admin: TestAdmin, id: string, values: contract.DefaultValues) =>
  app.call(admin, contract.updateDefaults, { params: { tenantId, id }, body: { values } })
const ofSite = (admin: TestAdmin, siteId: string) =>
  app.call(admin, contract.getSiteDefaults, { params: { tenantId, siteId }, query: { effective: 'true' } })
const events = async (type: string) => {
  const { rows } = await sql<{ before: unknown; after: unknown }>`
    select before, after from events where tenant_id = ${tenantId} and type = ${type} order by id`.execute(app.database.db)
  return rows
}

describe('defaults', () => {
  it('of the tenant are set at tenant level, of a site by those who look after it', async () => {
    expect((await create('site', null, {})).status).toBe(403)
    expect((await create('gdpr', null, {})).status).toBe(403)
    for (const siteId of [app.world.one.northSite, app.world.two.site, uuidv7()]) {
      expect((await create('site', siteId, {})).status).toBe(404)
      expect((await ofSite('site', siteId)).status).toBe(404)
    }
    for (const values of [{ accessCodeDelivery: 'pigeon' }, { phoneCountry: 'gb' }, { department: 'x'.repeat(251) }] as never[])
      expect((await create('tenant', null, values)).body.code).toBe('INVALID')
  })

  it('are told with those that count where the flag stands alone, as the documents write it', async () => {
    const read = async (query: string) => {
      const response = await fetch(`${app.url}/v1/connectors/${tenantId}/defaults${query}`, {
        headers: { authorization: `Bearer ${await app.tokenOf('tenant')}` },
      })
      return [response.status, ((await response.json()) as contract.Defaults).effective?.length ?? null]
    }
    for (const query of ['?effective', '?effective=', '?effective=true'])
      expect(await read(query)).toEqual([200, contract.DEFAULT_FIELDS.length])
    for (const query of ['', '?effective=false']) expect(await read(query)).toEqual([200, null])
    expect(await read('?effective=yes')).toEqual([400, null])
  })

  it('of the nearest place that names a field count, even where it says nothing', async () => {
    const { body: tenant } = await create('tenant', null, { department: 'Sales', division: 'North', country: 'GB' })
    const { body: site } = await create('site', app.world.one.southSite, { department: 'Bakery', division: null })
    expect((await create('tenant', null, {})).body.code).toBe('DEFAULTS_EXIST')
    const { body } = await ofSite('site', app.world.one.southSite)
    const of = (field: string) => body.effective?.find((row) => row.field === field)
    expect(of('department')).toEqual({ field: 'department', value: 'Bakery', origin: 'site' })
    expect(of('division')).toEqual({ field: 'division', value: null, origin: 'site' })
    expect(of('country')).toEqual({ field: 'country', value: 'GB', origin: 'tenant' })
    expect(of('phoneCountry')).toEqual({ field: 'phoneCountry', value: 'GB', origin: 'product' })
    expect(of('accessCodeDelivery')).toEqual({ field: 'accessCodeDelivery', value: 'none', origin: 'product' })
    expect((await update('site', tenant.id ?? '', {})).status).toBe(404)
    expect((await update('siteGroup', site.id ?? '', {})).status).toBe(404)
    expect((await update('otherTenant', site.id ?? '', {})).status).toBe(404)
    expect((await update('site', site.id ?? '', { department: 'Bakery', division: null })).status).toBe(200)
    expect(await events('defaults.updated')).toHaveLength(2)
    expect((await update('site', site.id ?? '', { department: 'Café' })).body).toMatchObject({ values: { department: 'Café' } })
    expect((await events('defaults.updated')).at(-1)).toEqual({
      before: { department: 'Bakery', division: null },
      after: { department: 'Café', division: null },
    })
    expect((await ofSite('site', app.world.one.southSite)).body.effective?.find(({ field }) => field === 'division')).toMatchObject({
      value: 'North',
      origin: 'tenant',
    })
  })
})

describe('security attributes', () => {
  const get = (admin: TestAdmin) => app.call(admin, contract.getClaimFields, { params: { tenantId } })
  const set = (admin: TestAdmin, claimFields: unknown[]) =>
    app.call(admin, contract.setClaimFields, { params: { tenantId }, body: { claimFields } as never })
  const CUSTOM = { displayName: 'Shoe size', type: 'numeric', enabled: false }

  it('are there by default, switched off, with ids that stay', async () => {
    const { body } = await get('site')
    expect(body.claimFields).toHaveLength(7)
    expect(body.claimFields.every(({ isDefault, enabled }) => isDefault && !enabled)).toBe(true)
    expect((await get('tenant')).body).toEqual(body)
    expect((await get('otherTenant')).status).toBe(404)
  })

  it('are refused without a default one, with a foreign id, with a name twice, and with more than three active', async () => {
    const { claimFields } = (await get('tenant')).body
    expect((await set('site', claimFields)).status).toBe(403)
    expect((await set('tenant', claimFields.slice(1))).body.fields).toHaveProperty('claimFields')
    expect((await set('tenant', [...claimFields, { ...CUSTOM, id: uuidv7() }])).body.fields).toHaveProperty(['claimFields.7.id'])
    expect((await set('tenant', [...claimFields, CUSTOM, { ...CUSTOM, displayName: 'SHOE SIZE' }])).body.code).toBe('INVALID')
    const alike = await set('tenant', [...claimFields, { ...CUSTOM, displayName: 'Job  title' }])
    expect(alike.body.fields).toHaveProperty(['claimFields.7.displayName'])
    const active = claimFields.map((field, index) => ({ ...field, enabled: index < 4 }))
    expect((await set('tenant', active)).body.code).toBe('TOO_MANY_ACTIVE_FIELDS')
  })

  it('keep the name and type of a default one, take custom ones, and say once what changed', async () => {
    const { claimFields } = (await get('tenant')).body
    const { status, body } = await set('tenant', [
      ...claimFields.map((field, index) => ({ ...field, displayName: 'Renamed', enabled: index === 0 })),
      { ...CUSTOM, enabled: true },
    ])
    expect([status, body.claimFields.length]).toEqual([200, 8])
    expect(body.claimFields[0]).toMatchObject({ displayName: 'Location', enabled: true })
    const again = await set('tenant', body.claimFields)
    expect(again.body).toEqual(body)
    expect(await events('claimFields.updated')).toHaveLength(1)
    expect((await get('site')).body).toEqual(body)
    const described = body.claimFields.map((field, index) => (index === 7 ? { ...field, description: 'European' } : field))
    await set('tenant', described)
    expect((await events('claimFields.updated')).at(-1)).toMatchObject({
      before: { claimFields: [{ displayName: 'Shoe size', description: '' }] },
      after: { claimFields: [{ displayName: 'Shoe size', description: 'European' }] },
    })
    await set('tenant', described.toReversed())
    expect((await events('claimFields.updated')).at(-1)).toMatchObject({
      before: { claimFields: [], order: described.map(({ displayName }) => displayName) },
      after: { claimFields: [], order: described.map(({ displayName }) => displayName).toReversed() },
    })
    expect((await set('tenant', body.claimFields.slice(0, 7))).body.claimFields).toHaveLength(7)
  })
})
