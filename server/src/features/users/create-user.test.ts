import * as contract from '@instep/contract/user-edits.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addConnector } from '../../testing/people.ts'
import { type EditWorld, editWorld } from './testing/edit-world.ts'

let world: EditWorld
beforeAll(async () => {
  world = await editWorld()
})
afterAll(() => world.close())

describe('an external id', () => {
  it('belongs to one person of a connector, and of all connectors that feed the same targets', async () => {
    await world.sourced({ external_id: 'TAKEN' })
    const taken = {
      status: 409,
      body: { code: 'EMFB013', message: 'external id not unique', fields: { externalId: ['external id not unique'] } },
    }
    expect(await world.create({ externalId: 'TAKEN' })).toMatchObject(taken)
    expect(await world.create({ externalId: 'TAKEN' }, { connectorId: world.manual })).toMatchObject(taken)
    expect(await world.edit(await world.sourced(), { externalId: 'TAKEN' })).toMatchObject(taken)
    expect(await world.edit(await world.added(), { externalId: 'TAKEN' })).toMatchObject(taken)
    const elsewhere = await addConnector(world.db, { tenantId: world.app.world.two.id, name: 'HR' })
    expect((await world.create({ externalId: 'TAKEN' }, { admin: 'otherTenant', connectorId: elsewhere })).status).toBe(201)
    await world.db.updateTable('connectors').set({ enabled: false }).where('name', '=', 'Workplace').execute()
    expect((await world.create({ externalId: 'TAKEN' }, { connectorId: world.manual })).status).toBe(201)
    await world.db.updateTable('connectors').set({ enabled: true }).where('name', '=', 'Workplace').execute()
  })

  it('goes to exactly one of many who are added with it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => world.create({ externalId: 'RACE' }, { connectorId: turn % 2 ? world.hr : world.manual })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  })
})

describe('a creation', () => {
  it('is refused without what everybody has', async () => {
    const { status, body } = await world.app.call('tenant', contract.createUser, { params: { connectorId: world.hr }, body: {} })
    expect([status, body.fields]).toEqual([
      400,
      { externalId: ['Please enter a value'], 'name.givenName': ['Please enter a value'], 'name.familyName': ['Please enter a value'] },
    ])
  })

  it.each([
    ['x'.repeat(30), 'Prefix value should be less than 30 characters.'],
    ['NW #', 'Prefix value should not contain special characters.'],
  ])('is refused with the prefix %s', async (externalIdPrefix, words) => {
    const { status, body } = await world.create({ extension: { externalIdPrefix } })
    expect([status, body.fields]).toEqual([400, { 'extension.externalIdPrefix': [words] }])
  })

  it('is refused to those who look after no site, and outside the sites of the others', async () => {
    expect((await world.create({}, { admin: 'gdpr' })).status).toBe(403)
    expect((await world.create({}, { admin: 'otherTenant' })).status).toBe(404)
    expect((await world.create({}, { admin: 'site' })).body.fields).toEqual({ siteId: ['Please select a site'] })
    expect((await world.create({ siteId: world.app.world.one.northSite }, { admin: 'site' })).body.fields).toEqual({
      siteId: ['There is no such site.'],
    })
    expect((await world.create({ siteId: world.app.world.two.site })).body.fields).toEqual({ siteId: ['There is no such site.'] })
    expect((await world.create({ siteId: world.app.world.one.southSite }, { admin: 'site' })).status).toBe(201)
  })

  it('makes an active person without a source, who is owed an account', async () => {
    const { status, body, headers } = await world.create({ preferredLanguage: 'fr_fr', addresses: [{ formatted: 'South site' }] })
    expect(status).toBe(201)
    expect(headers.get('etag')).toBe('"1"')
    expect(body).toMatchObject({
      displayName: 'Grace Hopper',
      ingestionType: 'manual',
      connectorId: world.hr,
      siteId: world.app.world.one.southSite,
      active: true,
      preferredLanguage: 'fr-FR',
      can: { edit: { allowed: true, code: null } },
      targets: [{ state: 'pending' }],
      version: 1,
    })
    expect(await world.eventsOf(body.id)).toMatchObject([
      { type: 'user.created', data: { version: 1 }, before: null, after: { givenName: 'Grace' } },
    ])
  })

  it('with a tenant id goes to the world.manual connector, which is made once', async () => {
    const { id } = world.app.world.two
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.create({}, { admin: 'otherTenant', connectorId: id })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.connectorId)).size).toBe(1)
    expect((await world.create({}, { connectorId: world.tenantId })).body.connectorId).toBe(world.manual)
  })
})
