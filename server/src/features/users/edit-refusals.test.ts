import * as contract from '@instep/contract/user-edits.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { type EditWorld, editWorld } from './testing/edit-world.ts'

let world: EditWorld
beforeAll(async () => {
  world = await editWorld()
})
afterAll(() => world.close())

describe('an edit is refused', () => {
  it('for people of other tenants and sites as for nobody', async () => {
    const id = await world.sourced({ site_id: world.app.world.one.northSite })
    const absent = await world.app.call('site', contract.updateUser, {
      params: { connectorId: world.hr, id: uuidv7() },
      body: { title: 'X' },
    })
    const invisible = await world.edit(id, { title: 'X' }, 'site')
    const foreign = await world.edit(id, { title: 'X' }, 'otherTenant')
    for (const answer of [absent, invisible, foreign]) {
      expect({ ...answer.body, correlationId: '' }).toEqual({ ...absent.body, correlationId: '' })
      expect(answer.status).toBe(404)
    }
    const wrongConnector = await world.app.call('tenant', contract.updateUser, {
      params: { connectorId: world.manual, id },
      body: { title: 'X' },
    })
    expect(wrongConnector.status).toBe(404)
  })

  it('where somebody would leave before they come, whichever of the days is changed', async () => {
    const id = await world.sourced({ start_date: '2026-03-01' })
    expect((await world.edit(id, { endDate: '2026-02-28' })).body.fields).toEqual({ endDate: ['The end date is before the start date.'] })
    expect((await world.edit(id, { endDate: '2026-03-01' })).status).toBe(200)
    expect((await world.edit(id, { startDate: '02/03/2026' })).body.fields).toHaveProperty('startDate')
    expect((await world.edit(id, { startDate: '2026-03-02', endDate: null })).status).toBe(200)
    expect((await world.create({ startDate: '2026-03-02', endDate: '2026-03-01' })).body.fields).toHaveProperty('endDate')
  })

  it('while the person is locked, with the reason', async () => {
    const id = await world.sourced({ locked: true, lock_reason: 'Under review' })
    const { status, body } = await world.edit(id, { title: 'X' })
    expect([status, body.code, body.message]).toEqual([423, 'USER_LOCKED', 'This user is currently locked for editing: Under review'])
    expect((await world.profile(id)).can).toEqual({
      edit: { allowed: false, code: 'USER_LOCKED' },
      lock: { allowed: true, code: null },
      vip: { allowed: false, code: 'USER_LOCKED' },
    })
  })

  it('in a connector that takes no changes, and without the bit of the connector or the administrator', async () => {
    const { db } = world.app.database
    const readOnly = await addConnector(db, { tenantId: world.tenantId, name: 'Read only', ingestionType: 'ldap', definitionId: 'none' })
    const [id = ''] = await addPeople(db, { tenantId: world.tenantId, connectorId: readOnly }, [{}])
    const refused = { status: 403, body: { code: 'USER_NOT_MODIFIABLE', message: 'User cannot be modified in this Connector' } }
    expect(await world.edit(id, { title: 'X' })).toMatchObject(refused)
    expect((await world.profile(id)).can.edit).toEqual({ allowed: false, code: 'USER_NOT_MODIFIABLE' })
    expect(await world.create({}, { connectorId: readOnly })).toMatchObject(refused)

    const mine = await world.added()
    await db
      .updateTable('connectors')
      .set({ permissions: 1023 - 128 })
      .where('id', '=', world.manual)
      .execute()
    expect(await world.edit(mine, { title: 'X' })).toMatchObject(refused)
    expect((await world.profile(mine)).can.edit).toEqual({ allowed: false, code: 'USER_NOT_MODIFIABLE' })
    expect(await world.create({}, { connectorId: world.tenantId })).toMatchObject(refused)
    await db.updateTable('connectors').set({ permissions: 1023 }).where('id', '=', world.manual).execute()

    await db
      .updateTable('admins')
      .set({ permissions: 1023 - 128 })
      .where('id', '=', world.app.adminIds.tenant)
      .execute()
    expect(await world.edit(mine, { title: 'X' })).toMatchObject(refused)
    expect((await world.profile(mine)).can.lock).toEqual({ allowed: false, code: 'USER_NOT_MODIFIABLE' })
    await db.updateTable('admins').set({ permissions: 1023 }).where('id', '=', world.app.adminIds.tenant).execute()
  })

  it.each([
    [{ userType: 'Frontline' }, 'userType'],
    [{ enterprise: { employeeNumber: '7' } }, 'enterprise.employeeNumber'],
    [{ userName: 'ada' }, 'userName'],
    [{ extension: { gender: 'x' } }, 'extension.gender'],
    [{ extension: { externalIdPrefix: 'NW-' } }, 'extension.externalIdPrefix'],
    [{ enterprise: { leader: { value: 'boss@x.example', referenceType: 'email' } } }, 'enterprise.leader'],
    [{ siteId: null }, 'siteId'],
  ])('on what only the source may say: %j', async (body, field) => {
    const id = await world.sourced()
    const { status, body: answer } = await world.edit(id, body)
    expect([status, answer.code, answer.fields]).toEqual([400, 'INVALID', { [field]: ['Comes from HR and cannot be changed here.'] }])
    expect(await world.eventsOf(id)).toEqual([])
  })

  it.each([
    [{ externalId: ' \r\n' }, 'externalId', 'Please enter a value'],
    [{ name: { givenName: null } }, 'name.givenName', 'Please enter a value'],
    [{ title: 'x'.repeat(251) }, 'title', 'This is too long. Shorten it.'],
    [{ emails: [{ value: 'no address', type: 'work' }] }, 'emails.work', 'This is not an email address.'],
    [{ phoneNumbers: [{ value: 'call me', type: 'mobile' }] }, 'phoneNumbers.personal', 'This is not a phone number.'],
    [{ preferredLanguage: 'English, please' }, 'preferredLanguage', 'This is not a language code such as en or fr-FR.'],
    [
      {
        emails: [
          { value: 'a@x.example', type: 'work' },
          { value: 'b@x.example', type: 'work' },
        ],
      },
      'emails',
      'Only one of a kind can be kept.',
    ],
    [{ overrides: { salary: null } }, 'overrides.salary', 'There is no such field.'],
    [{ overrides: { constructor: null } }, 'overrides.constructor', 'There is no such field.'],
    [{ extension: { claimFields: { shoe: '42' } } }, 'extension.claimFields.shoe', 'There is no such field.'],
    [{ title: 'X', overrideUntil: '2026-03-03' }, 'overrideUntil', 'This day is over.'],
    [{ startDate: '31/02/2026' }, 'startDate', 'Write the date as YYYY-MM-DD or DD/MM/YYYY.'],
    [
      { enterprise: { leader: { value: 'NW-7', referenceType: 'externalId' } } },
      'enterprise.leader.referenceType',
      'Choose one of these: email',
    ],
    [{ title: 'a\0b' }, 'title', 'Holds a character that is no text. Remove it.'],
    [{ title: 'a\ud800b' }, 'title', 'Holds a character that is no text. Remove it.'],
  ])('on the field: %j', async (body, field, words) => {
    const id = await world.sourced()
    const { status, body: answer } = await world.edit(id, body)
    expect([status, answer.code, answer.fields]).toEqual([400, 'INVALID', { [field]: [words] }])
  })

  it('on a location that would take the person out of the caller’s sites', async () => {
    const id = await world.sourced()
    for (const formatted of ['North site', 'Nowhere', null]) {
      const { status, body } = await world.edit(id, { addresses: [{ formatted }] }, 'site')
      expect([status, body.fields]).toEqual([400, { 'addresses.formatted': ['This location does not belong to any of your sites.'] }])
    }
    expect((await world.profile(id, 'site')).addresses[0]?.formatted).toBe('South site')
    expect((await world.edit(id, { addresses: [{ formatted: 'North site' }] })).body.siteId).toBe(world.app.world.one.northSite)
  })
})
