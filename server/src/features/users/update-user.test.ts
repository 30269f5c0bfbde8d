import { getClaimFields, setClaimFields } from '@instep/contract/settings.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type EditWorld, editWorld } from './testing/edit-world.ts'

let world: EditWorld
beforeAll(async () => {
  world = await editWorld()
})
afterAll(() => world.close())

describe('an edit of somebody from a source', () => {
  it('sets overrides that say who, when, why and until when; the source’s value stays beneath', async () => {
    const id = await world.sourced()
    const { status, body, headers } = await world.edit(id, {
      title: ' Head\n baker ',
      overrideReason: 'Promoted',
      overrideUntil: '31/03/2026',
    })
    expect(status).toBe(200)
    expect(headers.get('etag')).toBe('"2"')
    expect(body).toMatchObject({
      title: 'Head baker',
      version: 2,
      ingestionType: 'file',
      overrides: { title: 'Head baker', department: null },
    })
    expect(body.overridden).toEqual([
      {
        field: 'title',
        value: 'Head baker',
        base: 'Baker',
        by: 'Tadeo Tenant',
        at: '2026-03-04T10:00:00.000Z',
        reason: 'Promoted',
        until: '2026-03-31',
      },
    ])
    const { rows } = await sql<{ until: Date; base: { title: string } }>`
      select o.until, u.base from user_overrides o join users u on u.id = o.user_id where u.id = ${id}`.execute(world.db)
    // London is an hour ahead of UTC by then
    expect(rows[0]).toMatchObject({ until: new Date('2026-03-31T23:00:00Z'), base: { title: 'Baker' } })
    expect(await world.eventsOf(id)).toEqual([
      {
        type: 'user.updated',
        data: { version: 2, unconditional: true, overridden: 'title', reason: 'Promoted', until: '2026-03-31' },
        before: { title: 'Baker' },
        after: { title: 'Head baker' },
      },
    ])
    expect(await world.accountsOf(id)).toMatchObject([{ state: 'pending' }])
  })

  it('counts the last day where the person works, in the tenant’s time zone where that is nowhere', async () => {
    const id = await world.sourced({ site_id: world.app.world.one.northSite, location_name: 'North site' })
    const zone = (time_zone: string) =>
      world.db.updateTable('sites').set({ time_zone }).where('id', '=', world.app.world.one.northSite).execute()
    // 4 March is over on Kiritimati
    await zone('Pacific/Kiritimati')
    expect((await world.edit(id, { title: 'X', overrideUntil: '2026-03-04' })).body.fields).toEqual({
      overrideUntil: ['This day is over.'],
    })
    const { body } = await world.edit(id, { title: 'X', overrideUntil: '2026-03-05' })
    expect(body.overridden).toMatchObject([{ field: 'title', until: '2026-03-05' }])
    const { rows } = await sql<{ until: Date }>`select until from user_overrides where user_id = ${id}`.execute(world.db)
    expect(rows).toEqual([{ until: new Date('2026-03-05T10:00:00Z') }])
    await zone('Europe/London')
    const nowhere = await world.sourced({ site_id: null, location_name: null })
    expect((await world.edit(nowhere, { title: 'X', overrideUntil: '2026-03-04' })).body.overridden).toMatchObject([
      { until: '2026-03-04' },
    ])
  })

  it('drops the override that says what the source says, and leaves the others with who and when', async () => {
    const id = await world.sourced()
    await world.edit(id, { title: 'Head baker', enterprise: { department: 'Pastry' } })
    world.at.now = new Date('2026-05-01T00:00:00Z')
    const { body } = await world.edit(id, { title: 'Baker', enterprise: { department: 'Pastry' } }, 'site')
    expect(body.overridden).toMatchObject([{ field: 'department', by: 'Tadeo Tenant', at: '2026-03-04T10:00:00.000Z' }])
    expect(body).toMatchObject({ title: 'Baker', overrides: { title: null, department: 'Pastry' } })
  })

  it.each([
    [{ title: null }, { title: 'Baker' }],
    [{ name: null }, { displayName: 'Ada Byron', name: { givenName: 'Ada', familyName: 'Byron' } }],
    [{ 'name.familyName': null }, { displayName: 'Augusta Byron' }],
    [{ familyName: null }, { displayName: 'Augusta Byron' }],
    [{ manager: null }, { enterprise: { manager: null } }],
    [{ email: null }, { emails: [{ value: 'ada@work.example' }] }],
    [{ addresses: null }, { addresses: [{ formatted: 'South site', country: null }] }],
    [{ active: null }, { active: true }],
    [{ claimFields: null }, { extension: { claimFields: {} } }],
  ])('goes back to the source for %j', async (overrides, restored) => {
    const id = await world.sourced()
    const claim = uuidv7()
    const changed = await world.edit(id, {
      title: 'Countess',
      active: false,
      name: { givenName: 'Augusta', familyName: 'Lovelace' },
      emails: [{ value: 'augusta@home.example', type: 'personal' }],
      addresses: [{ country: 'GB' }],
      enterprise: { manager: { value: 'NW@7', referenceType: 'externalId' } },
      extension: { claimFields: { [claim]: '42' } },
    })
    expect(changed.body).toMatchObject({
      displayName: 'Augusta Lovelace',
      status: 'deactivated',
      emails: [{ value: 'augusta@home.example', primary: true }],
      enterprise: { manager: { value: 'NW@7', referenceType: 'externalId' } },
      extension: { claimFields: { [claim]: '42' } },
    })
    expect((await world.edit(id, { overrides })).body).toMatchObject(restored)
  })

  it('derives the display name until somebody says another', async () => {
    const id = await world.sourced()
    expect((await world.edit(id, { name: { familyName: 'Lovelace' } })).body.displayName).toBe('Ada Lovelace')
    expect((await world.edit(id, { displayName: 'The Countess' })).body.displayName).toBe('The Countess')
    expect((await world.edit(id, { name: { familyName: 'King' } })).body.displayName).toBe('The Countess')
    expect((await world.edit(id, { displayName: null })).body).toMatchObject({
      displayName: 'Ada King',
      overrides: { name: { displayName: null } },
    })
  })

  it('activates whom the source says is not', async () => {
    const id = await world.sourced({ active: false, deactivated_at: world.at.now })
    const { body } = await world.edit(id, { active: true })
    expect(body).toMatchObject({ active: true, status: 'awaitingInvitation', overrides: { active: true } })
    expect((await world.eventsOf(id)).map(({ type }) => type)).toEqual(['user.reactivated'])
  })

  it('that names the manager as the source does overrides nothing, though the source does not say how it is to be read', async () => {
    const id = await world.sourced({ manager: 'NW-7' })
    const named = (value: string) => world.edit(id, { enterprise: { manager: { value, referenceType: 'externalId' } } })
    expect((await named('NW-8')).body.overrides).toMatchObject({ manager: { value: 'NW-8', referenceType: 'externalId' } })
    const { body } = await named('NW-7')
    expect([body.enterprise.manager, body.overrides['manager'], body.overridden]).toEqual([
      { value: 'NW-7', referenceType: 'externalId' },
      null,
      [],
    ])
    const { body: byMail } = await world.edit(id, { enterprise: { manager: { value: 'NW-7', referenceType: 'email' } } })
    expect(byMail.overrides['manager']).toEqual({ value: null, referenceType: 'email' })
  })

  it('that sends back what was read changes nothing and leaves no trace', async () => {
    const id = await world.sourced({ manager: 'NW-7', personal_phone: '+447700900123', start_date: '2024-02-29', country: 'GB' })
    const read = await world.profile(id)
    const again = await world.edit(id, read as never)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(read)
    expect(await world.eventsOf(id)).toEqual([])
    expect(await world.accountsOf(id)).toEqual([])
    expect((await world.edit(id, {})).body.version).toBe(1)
    const byHand = await world.added()
    expect((await world.edit(byHand, { siteId: world.app.world.one.southSite.toUpperCase() })).body.version).toBe(1)
    expect(await world.eventsOf(byHand)).toEqual([])
  })

  it('that sends back what was read of somebody overridden changes nothing, not even what was emptied', async () => {
    const id = await world.sourced({ start_date: '2024-02-29' })
    const claim = uuidv7()
    await world.edit(id, {
      title: 'Head baker',
      name: { givenName: 'Augusta' },
      addresses: [{ country: 'GB' }],
      enterprise: { department: null, manager: { value: 'NW-7', referenceType: 'externalId' } },
      extension: { claimFields: { [claim]: '42' } },
      overrideReason: 'Agreed',
    })
    const read = await world.profile(id)
    expect(read.overrides).toMatchObject({ title: 'Head baker', name: { givenName: 'Augusta' }, department: null })
    const again = await world.edit(id, read as never)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(read)
    expect(await world.eventsOf(id)).toHaveLength(1)
  })

  it('that sends back what was read with another value takes it, whatever was read of the overrides', async () => {
    const id = await world.sourced()
    const read = await world.profile(id)
    const changed = await world.edit(id, { ...read, title: 'Head baker', enterprise: { ...read.enterprise, department: null } })
    expect(changed.body).toMatchObject({
      title: 'Head baker',
      enterprise: { department: null },
      overrides: { title: 'Head baker', department: null },
    })
    const again = await world.edit(id, { ...changed.body, title: 'Master baker' })
    expect(again.body).toMatchObject({ title: 'Master baker', overrides: { title: 'Master baker' } })
    expect(again.body.overridden.map(({ field }: { field: string }) => field)).toEqual(['department', 'title'])
  })

  it('that sends back what was read with an override set to null goes back to the source, also for one leaf', async () => {
    const id = await world.sourced()
    const { body: read } = await world.edit(id, { title: 'Countess', name: { givenName: 'Augusta', familyName: 'Lovelace' } })
    const overrides = { ...read.overrides, title: null, name: { ...(read.overrides['name'] as object), givenName: null } }
    expect((await world.edit(id, { ...read, overrides })).body).toMatchObject({ title: 'Baker', displayName: 'Ada Lovelace' })
  })

  it('owes the targets nothing where no effective value changes', async () => {
    const id = await world.added()
    await world.edit(id, { siteId: world.app.world.one.northSite })
    expect(await world.accountsOf(id)).toEqual([])
    await world.edit(id, { title: 'X' })
    await world.settle(id)
    await world.edit(id, { title: 'X' })
    expect(await world.accountsOf(id)).toMatchObject([{ state: 'inStep' }])
  })
})

describe('an edit of somebody who was added by hand', () => {
  it('changes the base, whatever field it is', async () => {
    const id = await world.added()
    const { status, body } = await world.edit(id, {
      userType: 'Frontline',
      userName: 'ada',
      startDate: '29/02/2024',
      enterprise: { employeeNumber: '7', leader: { value: 'boss@x.example', referenceType: 'email' } },
      extension: { gender: 'f', dateOfBirth: '1815-12-10', customField1: 'c'.repeat(1000) },
      siteId: world.app.world.one.northSite,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ingestionType: 'manual',
      userType: 'Frontline',
      startDate: '2024-02-29',
      siteId: world.app.world.one.northSite,
    })
    expect(body.overridden).toEqual([])
    expect(body.editable).toContain('siteId')
    const { rows } = await sql<{ base: object }>`select base from users where id = ${id}`.execute(world.db)
    expect(rows[0]?.base).toMatchObject({ userType: 'Frontline', employeeNumber: '7', dateOfBirth: '1815-12-10', leader: 'boss@x.example' })
    expect((await world.edit(id, { userType: null, extension: { gender: null } })).body).toMatchObject({
      userType: null,
      extension: { gender: null },
    })
  })

  it.each([
    ['foreign', 'There is no such site.'],
    ['absent', 'There is no such site.'],
    ['north', 'There is no such site.'],
    [null, 'Please select a site'],
  ])('keeps them within the caller’s sites: %s', async (site, words) => {
    const siteId = { foreign: world.app.world.two.site, absent: uuidv7(), north: world.app.world.one.northSite }[String(site)] ?? null
    const { status, body } = await world.edit(await world.added(), { siteId }, 'site')
    expect([status, body.fields]).toEqual([400, { siteId: [words] }])
  })

  it('keeps the site when the location changes', async () => {
    const id = await world.added({ location_name: 'South site' })
    expect((await world.edit(id, { addresses: [{ formatted: 'North site' }] }, 'site')).body.siteId).toBe(world.app.world.one.southSite)
  })
})

it('a security attribute is held to its type: days are kept as others are, and what is no number is refused', async () => {
  const params = { tenantId: world.tenantId }
  const { body: before } = await world.app.call('tenant', getClaimFields, { params })
  const own = (['date', 'numeric'] as const).map((type) => ({ displayName: `A ${type}`, description: '', type, enabled: true }))
  const defaults = before.claimFields.map(({ id, displayName, description, type, enabled }) => ({
    id,
    displayName,
    description,
    type,
    enabled,
  }))
  const { body } = await world.app.call('tenant', setClaimFields, { params, body: { claimFields: [...defaults, ...own] } })
  const [day = '', number = ''] = own.map(({ displayName }) => body.claimFields.find((field) => field.displayName === displayName)?.id)
  const id = await world.added()
  const put = (claimFields: Record<string, string>) => world.edit(id, { extension: { claimFields } })
  expect((await put({ [day]: '31/02/2024', [number]: '4a' })).body.fields).toEqual({
    [`extension.claimFields.${day}`]: ['Write the date as YYYY-MM-DD or DD/MM/YYYY.'],
    [`extension.claimFields.${number}`]: ['Please enter a number'],
  })
  expect((await put({ [day]: ' 29/02/2024 ', [number]: '-4,5' })).body.extension.claimFields).toEqual({
    [day]: '2024-02-29',
    [number]: '-4,5',
  })
  expect((await put({ [day]: '29/02/2024' })).body.version).toBe(2)
  expect((await world.create({ extension: { claimFields: { [day]: 'soon' } } })).status).toBe(400)
})
