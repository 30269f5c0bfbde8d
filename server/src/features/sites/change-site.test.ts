import * as contract from '@instep/contract/sites.ts'
import { createUser } from '@instep/contract/user-edits.ts'
import { getUser } from '@instep/contract/users.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepSitesOpen } from '../../platform/db/site-locks.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
let tenantId: string
let hr: string
beforeAll(async () => {
  app = await testApp()
  tenantId = app.world.one.id
  hr = await addConnector(app.database.db, { tenantId, name: 'HR' })
})
afterAll(() => app.close())

let number = 0
beforeEach(() => {
  number++
})

const NEW = { name: 'Harbour', employeeIdPrefix: 'HB' }
const create = (admin: TestAdmin, body: Record<string, unknown> = {}) =>
  app.call(admin, contract.createSite, { params: { tenantId }, body: { ...NEW, name: `Harbour ${number}`, ...body } as typeof NEW })
const update = (admin: TestAdmin, id: string, body: Record<string, unknown>) =>
  app.call(admin, contract.updateSite, { params: { tenantId, id }, body })
const get = (admin: TestAdmin, id: string) => app.call(admin, contract.getSite, { params: { tenantId, id } })
const told = async (id: string) => {
  const { rows } = await sql<{
    type: string
  }>`select type from events where tenant_id = ${tenantId} and subject_id = ${id} order by id`.execute(app.database.db)
  return rows.map(({ type }) => type)
}
const settle = (people: number, site: string, more: Record<string, unknown> = {}) =>
  addPeople(
    app.database.db,
    { tenantId, connectorId: hr },
    Array.from({ length: people }, () => ({ site_id: site, ...more })),
  )

describe('a site cannot be added', () => {
  it('by those who look after sites or the law only, nor without the bit', async () => {
    expect((await create('site')).status).toBe(403)
    expect((await create('gdpr')).status).toBe(403)
    expect((await create('otherTenant')).status).toBe(404)
    await sql`update admins set permissions = 1023 & ~256 where id = ${app.adminIds.tenant}`.execute(app.database.db)
    expect((await create('tenant')).body.code).toBe('PERMISSION_MISSING')
    await sql`update admins set permissions = 1023 where id = ${app.adminIds.tenant}`.execute(app.database.db)
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: ' \n ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'nul\0' }, 'name'],
    [{ name: 'lone \ud800' }, 'name'],
    [{ employeeIdPrefix: '' }, 'employeeIdPrefix'],
    [{ employeeIdPrefix: 'x'.repeat(30) }, 'employeeIdPrefix'],
    [{ employeeIdPrefix: 'A B' }, 'employeeIdPrefix'],
    [{ employeeIdPrefix: 'A/B' }, 'employeeIdPrefix'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ timeZone: '+02:00' }, 'timeZone'],
    [{ timeZone: 'SystemV/AST4' }, 'timeZone'],
    [{ groupId: '0198c0de-0000-7000-8000-000000000000' }, 'groupId'],
  ])('with %j', async (body, field) => {
    const { status, body: refused } = await create('tenant', body)
    expect([status, refused.code, Object.keys(refused.fields ?? {})]).toEqual([400, 'INVALID', [field]])
  })

  it('without a name, and says so in words', async () => {
    expect((await create('tenant', { name: ' ' })).body.fields).toEqual({ name: ['Please enter a name'] })
  })

  it('into another tenant’s group, nor under a name that is taken however it is written', async () => {
    expect((await create('tenant', { groupId: app.world.two.group })).body.fields).toHaveProperty('groupId')
    for (const name of ['NORTH SITE', 'North  Site', '\tnorth \u00a0\u3000site ']) {
      const { status, body } = await create('tenant', { name })
      expect([name, status, body.code]).toEqual([name, 409, 'SITE_NAME_TAKEN'])
    }
  })

  it('by a site-group administrator outside their groups, or restricted', async () => {
    for (const body of [{}, { groupId: app.world.one.south }])
      expect((await create('siteGroup', body)).body.fields).toHaveProperty('groupId')
    expect((await create('siteGroup', { groupId: app.world.one.north, restricted: true })).body.fields).toHaveProperty('restricted')
  })
})

describe('a site', () => {
  it('is added with the tenant’s time zone, and told with its counts and what the caller may do', async () => {
    const { status, body } = await create('siteGroup', { groupId: app.world.one.north, name: '  Quay\n side ' })
    expect([status, body]).toMatchObject([201, { name: 'Quay side', active: true, members: 0, adminCount: 1, timeZone: 'Europe/London' }])
    expect(await told(body.id)).toEqual(['site.created'])
    expect((await get('siteGroup', body.id)).body.can).toEqual({
      edit: { allowed: true, code: null },
      restrict: { allowed: false, code: 'FORBIDDEN' },
    })
    expect((await get('site', body.id)).status).toBe(404)
  })

  it('counts its people and administrators', async () => {
    const { body } = await create('tenant', { groupId: app.world.one.north })
    await settle(2, body.id, { claim_state: 'claimed' })
    await settle(3, body.id, { claim_state: 'invited' })
    await settle(4, body.id)
    await settle(1, body.id, { active: false })
    expect((await get('tenant', body.id)).body).toMatchObject({ members: 10, claimed: 2, unclaimed: 7, adminCount: 1 })
    const { body: list } = await app.call('tenant', contract.listSites, { params: { tenantId }, query: { calculated: 'true' } })
    expect(list.data.find(({ id }) => id === body.id)).toMatchObject({ members: 10, claimed: 2, unclaimed: 7, adminCount: 1 })
    const { body: groups } = await app.call('tenant', contract.listSiteGroups, { params: { tenantId }, query: { calculated: 'true' } })
    expect(groups.data.find(({ id }) => id === app.world.one.north)).toMatchObject({ claimed: 2, unclaimed: 7, adminCount: 1 })
  })

  it('keeps its time zone under the name that the database knows', async () => {
    expect((await create('tenant', { timeZone: 'PST' })).body.timeZone).toBe('America/Los_Angeles')
  })

  it('is changed where something changes, and says so once', async () => {
    const { body } = await create('tenant', { groupId: app.world.one.south })
    const same = { name: body.name, restricted: false, groupId: app.world.one.south.toUpperCase() }
    expect((await update('tenant', body.id, same)).status).toBe(200)
    expect(await told(body.id)).toEqual(['site.created'])
    const { body: changed } = await update('tenant', body.id, { name: `Dock ${number}`, shiftsEnabled: true })
    expect(changed).toMatchObject({ name: `Dock ${number}`, shiftsEnabled: true, employeeIdPrefix: 'HB' })
    expect(await told(body.id)).toEqual(['site.created', 'site.updated'])
    expect((await update('tenant', body.id, { name: 'south SITE' })).body.code).toBe('SITE_NAME_TAKEN')
    expect((await update('otherTenant', body.id, { name: 'x' })).status).toBe(404)
    expect((await update('siteGroup', body.id, { name: 'x' })).status).toBe(404)
    expect((await update('tenant', uuidv7(), { name: 'x' })).status).toBe(404)
  })

  it('can be restricted at tenant level only, and leaves the sight of those who came through its group', async () => {
    const { body } = await create('siteGroup', { groupId: app.world.one.north })
    expect((await update('siteGroup', body.id, { restricted: true })).body.fields).toHaveProperty('restricted')
    expect((await update('tenant', body.id, { restricted: true })).body.restricted).toBe(true)
    expect((await get('siteGroup', body.id)).status).toBe(404)
  })

  it('is listed page by page, each once', async () => {
    const seen: string[] = []
    let continuationToken: string | null | undefined
    do {
      const query = { pageSize: 2, ...(continuationToken && { continuationToken }) }
      const { body } = await app.call('tenant', contract.listSites, { params: { tenantId }, query })
      seen.push(...body.data.map(({ name }) => name))
      continuationToken = body.continuationToken
    } while (continuationToken)
    expect(seen).toEqual([...new Set(seen)])
    expect(seen.length).toBeGreaterThan(4)
    const search = await app.call('tenant', contract.listSites, { params: { tenantId }, query: { searchText: 'NORTH' } })
    expect(search.body.data.map(({ name }) => name)).toEqual(['North site'])
  })

  it('is listed by the administrator who looks after it, for oneself or at tenant level', async () => {
    const of = (admin: TestAdmin, userId: string, more = {}) =>
      app.call(admin, contract.listSites, { params: { tenantId }, query: { userId, ...more } })
    expect((await of('site', app.adminIds.site)).body.data.map(({ name }) => name)).toEqual(['South site'])
    expect((await of('tenant', app.adminIds.siteGroup)).body.data).toEqual([])
    expect((await of('tenant', app.adminIds.siteGroup, { inherit: 'true' })).body.data.map(({ name }) => name)).toContain('North site')
    for (const [admin, id] of [
      ['site', app.adminIds.siteGroup],
      ['tenant', app.adminIds.otherTenant],
      ['tenant', uuidv7()],
    ] as const)
      expect((await of(admin, id)).status).toBe(404)
  })
})

describe('closing a site', () => {
  const siteOf = async (id: string) =>
    (await app.database.db.selectFrom('users').select('site_id').where('id', '=', id).executeTakeFirstOrThrow()).site_id

  it('that has people asks where they go, having shown what it means', async () => {
    const { body } = await create('tenant', { groupId: app.world.one.north })
    await settle(2, body.id)
    await settle(1, body.id, { locked: true, claim_state: 'claimed' })
    const impact = await app.call('tenant', contract.getClosingImpact, { params: { tenantId, id: body.id } })
    expect(impact.body).toEqual({
      members: 3,
      active: 3,
      claimed: 1,
      locked: 1,
      connectors: [{ name: 'HR', people: 3 }],
      administrators: [{ name: expect.any(String), lastSite: false }],
    })
    const { status, body: refused } = await update('tenant', body.id, { active: false })
    expect([status, refused.code, refused.params]).toEqual([409, 'SITE_HAS_PEOPLE', { count: 3 }])
    for (const siteId of [body.id, uuidv7(), app.world.two.site])
      expect((await update('tenant', body.id, { active: false, moveTo: { siteId } })).body.fields).toHaveProperty('moveTo')
    expect((await get('tenant', body.id)).body.active).toBe(true)
  })

  it('does not move its people to itself, however its id is written', async () => {
    const { body } = await create('tenant')
    await settle(1, body.id)
    const refused = await update('tenant', body.id.toUpperCase(), { active: false, moveTo: { siteId: body.id } })
    expect(refused.body.fields).toHaveProperty('moveTo')
  })

  it('while people are put there leaves nobody behind, and of two that empty into each other one stays open', async () => {
    const [{ body: here }, { body: there }] = [await create('tenant'), await create('tenant', { name: `Other ${number}` })]
    const [one = '', two = ''] = [...(await settle(1, here.id)), ...(await settle(1, there.id))]
    const add = (index: number) =>
      app.call('tenant', createUser, {
        params: { connectorId: hr },
        body: { externalId: `late-${number}-${index}`, name: { givenName: 'Late', familyName: 'Comer' }, siteId: here.id },
      })
    const [closing, , ...added] = await Promise.all([
      update('tenant', here.id, { active: false, moveTo: { siteId: there.id } }),
      update('tenant', there.id, { active: false, moveTo: { siteId: here.id } }),
      ...[1, 2, 3, 4, 5, 6].map(add),
    ])
    for (const { status } of added) expect(status).toBeOneOf([201, 400])
    const open = closing.status === 200 ? there.id : here.id
    expect(await siteOf(one)).toBe(open)
    expect(await siteOf(two)).toBe(open)
    const closed = open === here.id ? there.id : here.id
    expect((await get('tenant', open)).body.active).toBe(true)
    expect((await get('tenant', closed)).body).toMatchObject({ active: false, members: 0 })
  })

  it('waits for whoever is putting people there', async () => {
    const { body } = await create('tenant')
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const putting = app.database.db.transaction().execute(async (tx) => {
      await keepSitesOpen(tx, tenantId)
      begun.resolve()
      await held.promise
      await sql`
        insert into users (tenant_id, id, connector_id, external_id, given_name, family_name, display_name, site_id, created_at, updated_at)
        values (${tenantId}, ${uuidv7()}, ${hr}, ${`held-${number}`}, 'A', 'B', 'A B', ${body.id}, now(), now())`.execute(tx)
    })
    await begun.promise
    const closing = update('tenant', body.id, { active: false, moveTo: { siteId: app.world.one.looseSite } })
    const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
    const seen = async () => expect((await waits.execute(app.database.db)).rows).toHaveLength(1)
    await vi.waitFor(seen, 10_000).finally(held.resolve)
    await putting
    expect((await closing).body).toMatchObject({ active: false, members: 0 })
  })

  it('moves those who are not locked, and tells each record', async () => {
    const { body } = await create('tenant')
    const [free = ''] = await settle(1, body.id)
    const [locked = ''] = await settle(1, body.id, { locked: true })
    const moved = await update('tenant', body.id, { active: false, moveTo: { siteId: app.world.one.looseSite } })
    expect([moved.status, moved.body.active, moved.body.members]).toEqual([200, false, 1])
    expect([await siteOf(free), await siteOf(locked)]).toEqual([app.world.one.looseSite, body.id])
    expect(await told(free)).toEqual(['user.moved'])
    expect(await told(locked)).toEqual([])
    expect(await told(body.id)).toEqual(['site.created', 'site.closed'])
    expect((await app.call('tenant', getUser, { params: { connectorId: hr, id: free } })).body.version).toBe(2)
  })

  it('leaves them in no site, or where they are, and takes it out of the picker until it is opened again', async () => {
    const { body } = await create('tenant', { groupId: app.world.one.north })
    const [somebody = ''] = await settle(1, body.id)
    expect((await update('siteGroup', body.id, { active: false, moveTo: 'unassigned' })).body.fields).toHaveProperty('moveTo')
    expect((await update('siteGroup', body.id, { active: false, moveTo: 'stay' })).body.active).toBe(false)
    expect(await siteOf(somebody)).toBe(body.id)
    expect((await get('siteGroup', body.id)).status).toBe(404)
    expect((await get('tenant', body.id)).body.members).toBe(1)
    expect((await update('tenant', body.id, { active: true })).body.active).toBe(true)
    expect(await told(body.id)).toEqual(['site.created', 'site.closed', 'site.opened'])
    await update('tenant', body.id, { active: false, moveTo: 'unassigned' })
    expect(await siteOf(somebody)).toBeNull()
  })
})

describe('a site group', () => {
  const createGroup = (admin: TestAdmin, name: string) =>
    app.call(admin, contract.createSiteGroup, { params: { tenantId }, body: { name } })
  const rename = (admin: TestAdmin, id: string, name: string) =>
    app.call(admin, contract.updateSiteGroup, { params: { tenantId, id }, body: { name } })

  it('is a matter of tenant level, and its name stands once', async () => {
    expect((await createGroup('siteGroup', 'Mine')).status).toBe(403)
    expect((await rename('siteGroup', app.world.one.north, 'Mine')).status).toBe(403)
    expect((await createGroup('tenant', 'north')).body.code).toBe('SITE_GROUP_NAME_TAKEN')
    expect((await createGroup('tenant', 'Far  away')).body.name).toBe('Far  away')
    expect((await createGroup('tenant', 'far\u00a0 away')).body.code).toBe('SITE_GROUP_NAME_TAKEN')
    expect((await rename('tenant', app.world.two.group, 'x')).status).toBe(404)
    expect((await rename('tenant', app.world.one.north, 'SOUTH')).body.code).toBe('SITE_GROUP_NAME_TAKEN')
  })

  it('is added, renamed, and told with what the caller may do', async () => {
    const { body } = await createGroup('tenant', 'Coast')
    expect(body).toMatchObject({ name: 'Coast', sites: 0, members: 0, adminCount: 0 })
    expect((await rename('tenant', body.id, 'Coast')).status).toBe(200)
    expect((await rename('tenant', body.id, 'Shore')).body.name).toBe('Shore')
    expect(await told(body.id)).toEqual(['siteGroup.created', 'siteGroup.updated'])
    const get = (admin: TestAdmin, id: string) => app.call(admin, contract.getSiteGroup, { params: { tenantId, id } })
    expect((await get('tenant', body.id)).body.can).toEqual({ edit: { allowed: true, code: null } })
    expect((await get('siteGroup', body.id)).status).toBe(404)
    expect((await get('siteGroup', app.world.one.north)).body.can).toEqual({ edit: { allowed: false, code: 'FORBIDDEN' } })
  })
})
