import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as contract from '@instep/contract/connectors.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { getConnectorForRun } from './public.ts'

const TOKEN = 'a-token-that-nobody-may-see'

let app: TestApp
let workplace: Server
let baseUrl: string
beforeAll(async () => {
  app = await testApp({ env: { SOURCES_ALLOW_PRIVATE: 'on' } })
  // a SCIM server as far as the question "do you answer?" goes
  workplace = createServer((request, response) => {
    const known = request.headers.authorization === `Bearer ${TOKEN}`
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/scim+json' })
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse']
    response.end(JSON.stringify(known ? { schemas, totalResults: 3, startIndex: 1, itemsPerPage: 0, Resources: [] } : {}))
  })
  await new Promise<void>((resolve) => workplace.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(workplace.address() as AddressInfo).port}/scim/v2`
})
afterAll(async () => {
  await app.close()
  await new Promise((resolve) => workplace.close(resolve))
})

type Created = z.input<typeof contract.createConnector.body>
type Updated = z.input<typeof contract.updateConnector.body>

const tenantId = () => app.world.one.id
const create = (body: Created, admin: TestAdmin = 'tenant') =>
  app.call(admin, contract.createConnector, { params: { tenantId: tenantId() }, body })
const update = (id: string, body: Updated, admin: TestAdmin = 'tenant') =>
  app.call(admin, contract.updateConnector, { params: { tenantId: tenantId(), id }, body })
const get = (id: string, admin: TestAdmin = 'tenant') => app.call(admin, contract.getConnector, { params: { tenantId: tenantId(), id } })
const test = (id: string, admin: TestAdmin = 'tenant') => app.call(admin, contract.testConnector, { params: { tenantId: tenantId(), id } })
const target = (name: string, more: Partial<Created> = {}) =>
  create({ name, definitionId: 'scim', properties: { baseUrl, token: TOKEN }, ...more })

const eventsOf = async (id: string) => {
  const { rows } = await sql<{ type: string; data: Record<string, unknown>; before: unknown; after: unknown }>`
    select type, data, before, after from events where tenant_id = ${tenantId()} and subject_id = ${id} order by id`.execute(
    app.database.db,
  )
  return rows
}
const pendingAt = async (id: string) => {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from target_accounts where target_id = ${id} and state = 'pending'`.execute(app.database.db)
  return rows[0]?.count
}

describe('who may', () => {
  it('nobody of another tenant: there is no such connector', async () => {
    const { body } = await target('Foreign eyes')
    for (const call of [get(body.id, 'otherTenant'), update(body.id, { name: 'Mine' }, 'otherTenant'), test(body.id, 'otherTenant')])
      expect((await call).status).toBe(404)
    const through = await app.call('otherTenant', contract.getConnector, { params: { tenantId: app.world.two.id, id: body.id } })
    expect([through.status, through.body.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('only tenant level changes, tests and reads settings', async () => {
    const { body } = await target('Not theirs')
    for (const admin of ['siteGroup', 'site', 'gdpr'] as const) {
      expect((await create({ name: 'X', definitionId: 'file' }, admin)).status).toBe(403)
      for (const call of [get(body.id, admin), update(body.id, {}, admin), test(body.id, admin)]) expect((await call).status).toBe(403)
    }
  })

  it('nobody changes without the bit for settings', async () => {
    const { db } = app.database
    await db.updateTable('admins').set({ permissions: 511 }).where('id', '=', app.adminIds.tenant).execute()
    expect((await create({ name: 'No bit', definitionId: 'file' })).body.code).toBe('PERMISSION_MISSING')
    await db.updateTable('admins').set({ permissions: 1023 }).where('id', '=', app.adminIds.tenant).execute()
  })

  it('nobody changes a connector whose own mask admits none, until it is given the bit back', async () => {
    const { body } = await create({ name: 'Kept as it is', definitionId: 'file', permissions: 1023 & ~512 })
    expect((await update(body.id, { name: 'Another' })).body.code).toBe('PERMISSION_MISSING')
    expect((await update(body.id, { name: 'Kept as it is' })).status).toBe(200)
    expect((await update(body.id, { permissions: 1 })).body.permissions).toBe(1)
    expect((await update(body.id, { permissions: 1023, name: 'Another' })).body).toMatchObject({ name: 'Another', permissions: 1023 })
  })
})

describe('a new connector', () => {
  it('is refused with what is wrong at which property', async () => {
    const { status, body } = await create({ name: 'Wrong', definitionId: 'scim', properties: { baseUrl: 'nowhere', colour: 'red' } })
    expect([status, body.code]).toEqual([400, 'INVALID'])
    expect(Object.keys(body.fields ?? {}).sort()).toEqual(['properties.baseUrl', 'properties.colour', 'properties.token'])
    expect((await create({ name: '  ', definitionId: 'file' })).body.fields).toHaveProperty('name')
    expect((await create({ name: 'a\0b', definitionId: 'file' })).body.fields).toHaveProperty('name')
  })

  it('is refused when its kind is unknown or its name is taken, in whatever spelling', async () => {
    expect((await create({ name: 'Odd', definitionId: 'carrier-pigeon' })).body.code).toBe('DEFINITION_UNKNOWN')
    expect((await create({ name: 'Überall', definitionId: 'file' })).status).toBe(201)
    const { status, body } = await create({ name: ' ÜBERALL ', definitionId: 'file' })
    expect([status, body.code]).toEqual([409, 'CONNECTOR_NAME_TAKEN'])
    expect((await create({ name: 'far\u00a0 away', definitionId: 'file' })).body.name).toBe('far\u00a0 away')
    expect((await create({ name: 'Far away', definitionId: 'file' })).body.code).toBe('CONNECTOR_NAME_TAKEN')
  })

  it('is named in one line', async () => {
    expect((await create({ name: ' two\r\nlines\u2028 ', definitionId: 'file' })).body.name).toBe('twolines')
    expect((await create({ name: '\n', definitionId: 'file' })).body.fields).toEqual({ name: ['Please enter a name'] })
  })

  it('never gives its secret back, not in answers, events or the database’s plain columns', async () => {
    const { status, body } = await target('Workplace')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      kind: 'target',
      enabled: true,
      secretsSet: ['token'],
      properties: { baseUrl, 'ingestion-type': 'target' },
    })
    const list = await app.call('tenant', contract.listConnectors, { params: { tenantId: tenantId() } })
    const { rows } =
      await sql`select row_to_json(c)::text as text from connectors c union all select row_to_json(e)::text from events e`.execute(
        app.database.db,
      )
    expect(rows.length).toBeGreaterThan(2)
    for (const text of [body, (await get(body.id)).body, list.body, rows].map((value) => JSON.stringify(value))) {
      expect(text).not.toContain(TOKEN)
      expect(text).not.toContain(Buffer.from(TOKEN).toString('hex'))
    }
    expect(await eventsOf(body.id)).toMatchObject([{ type: 'connector.created', data: { name: 'Workplace', changed: 'baseUrl, token' } }])
  })

  it('owes accounts when it is an enabled target', async () => {
    const connectorId = await addConnector(app.database.db, { tenantId: tenantId(), name: 'People' })
    await addPeople(app.database.db, { tenantId: tenantId(), connectorId }, [{}, {}])
    expect(await pendingAt((await target('Owes')).body.id)).toBe(2)
    const idle = (await target('Owes nothing', { enabled: false })).body
    expect(await pendingAt(idle.id)).toBe(0)
    expect((await update(idle.id, { enabled: true })).body.enabled).toBe(true)
    expect(await pendingAt(idle.id)).toBe(2)
  })
})

describe('a change', () => {
  it('of nothing leaves no trace', async () => {
    const { body } = await target('Still')
    expect((await update(body.id, {})).body).toEqual(body)
    expect((await update(body.id, { name: 'Still', enabled: true, properties: { token: TOKEN, baseUrl } })).body).toEqual(body)
    expect(await eventsOf(body.id)).toHaveLength(1)
  })

  it('is told with values before and after, a secret by its name only', async () => {
    const { body } = await target('Told')
    const { body: changed } = await update(body.id, { name: 'Told anew', properties: { token: 'another-secret', updateMethod: 'PUT' } })
    expect(changed).toMatchObject({ name: 'Told anew', properties: { baseUrl, updateMethod: 'PUT' }, secretsSet: ['token'] })
    const [, event] = await eventsOf(body.id)
    expect(event).toEqual({
      type: 'connector.updated',
      data: { name: 'Told anew', changed: 'name, token, updateMethod' },
      before: { name: 'Told' },
      after: { name: 'Told anew', updateMethod: 'PUT' },
    })
  })

  it('keeps the stored secret, but not for another server', async () => {
    const { body } = await target('Moves')
    const away = await update(body.id, { properties: { baseUrl: 'https://thief.example/scim' } })
    expect([away.status, Object.keys(away.body.fields ?? {})]).toEqual([400, ['properties.token']])
    expect((await update(body.id, { properties: { updateMethod: 'PATCH' } })).body.secretsSet).toEqual(['token'])
    expect((await test(body.id)).body).toEqual({ ok: true, detail: 'SCIM 2.0, 3 accounts' })
  })

  it('cannot take a name that is there', async () => {
    const { body } = await target('First')
    await target('Second')
    expect((await update(body.id, { name: 'SECOND' })).body.code).toBe('CONNECTOR_NAME_TAKEN')
    expect((await get(body.id)).body.name).toBe('First')
    expect((await update(uuidv7(), { name: 'Nobody' })).status).toBe(404)
  })
})

describe('a test', () => {
  it('is for targets', async () => {
    const { body } = await create({ name: 'A file', definitionId: 'file' })
    expect((await test(body.id)).body.code).toBe('CONNECTOR_KIND_WRONG')
    expect((await test(uuidv7())).status).toBe(404)
  })

  it.each([
    ['does not take the token', () => ({ baseUrl, token: 'wrong-token' })],
    ['is not there', () => ({ baseUrl: 'http://127.0.0.1:1/scim', token: TOKEN })],
    ['is an address that is refused', () => ({ baseUrl: 'https://169.254.169.254/latest', token: TOKEN })],
  ])('says so when the target %s, without the token', async (what, properties) => {
    const { body: connector } = await target(what, { properties: properties() })
    const { status, body } = await test(connector.id)
    expect([status, body.code]).toEqual([502, 'TARGET_UNREACHABLE'])
    expect(body.params?.['detail']).toBeTruthy()
    expect(JSON.stringify(body)).not.toContain(properties().token)
  })
})

describe('lists', () => {
  const names = async (admin: TestAdmin, endpoint: typeof contract.listConnectors | typeof contract.listLocalConnectors) => {
    const { status, body } = await app.call(admin, endpoint, { params: { tenantId: app.world.two.id } })
    return status === 200 ? body.data.map(({ name }) => name) : status
  }

  it('below tenant level leave out GDPR, manual ones, and those without people of theirs', async () => {
    const { db } = app.database
    const { one } = app.world
    const add = async (name: string, ingestionType: string, site_id?: string) => {
      const connectorId = await addConnector(db, { tenantId: one.id, name, ingestionType })
      if (site_id) await addPeople(db, { tenantId: one.id, connectorId }, [{ site_id }])
      return connectorId
    }
    await add('GdPr', 'file', one.northSite)
    await add('North by hand', 'manual', one.northSite)
    await add('South HR', 'file', one.southSite)
    await add('Empty HR', 'file')
    const north = await add('North HR', 'file', one.northSite)
    const seen = async (admin: TestAdmin) => (await app.call(admin, contract.listConnectors, { params: { tenantId: one.id } })).body.data
    expect(await seen('siteGroup')).toMatchObject([
      { id: north, name: 'North HR', properties: { 'ingestion-type': 'file' }, secretsSet: [] },
    ])
    expect((await seen('site')).map(({ name }) => name)).toEqual(['South HR'])
    expect((await seen('tenant')).map(({ name }) => name)).toEqual(expect.arrayContaining(['GdPr', 'North by hand', 'Empty HR']))
  })

  it('are of one tenant, local ones are manual or from a file', async () => {
    const { db } = app.database
    for (const ingestionType of ['manual', 'file', 'scim'])
      await addConnector(db, { tenantId: app.world.two.id, name: ingestionType, ingestionType })
    expect(await names('tenant', contract.listConnectors)).toBe(404)
    expect(await names('otherTenant', contract.listConnectors)).toEqual(['file', 'manual', 'scim'])
    expect(await names('super', contract.listLocalConnectors)).toEqual(['file', 'manual'])
  })

  it('definitions say which property is secret', async () => {
    expect((await app.call('site', contract.listDefinitions)).status).toBe(403)
    const { body } = await app.call('tenant', contract.listDefinitions)
    expect(body.data.map(({ id }) => id)).toEqual([
      'manual',
      'file',
      'scim-in',
      'rest',
      'ldap',
      'scim',
      'webhook',
      'manual-target',
      'workplace',
    ])
    expect(body.data.find(({ id }) => id === 'scim')?.propertiesSchema).toMatchObject({ properties: { token: { secret: true } } })
  })
})

it('a count is of people whom the caller may see', async () => {
  const { db } = app.database
  const { one } = app.world
  const id = await addConnector(db, { tenantId: one.id, name: 'Counted' })
  await addPeople(db, { tenantId: one.id, connectorId: id }, [
    { site_id: one.northSite },
    { site_id: one.northSite },
    { site_id: one.southSite },
    {},
  ])
  const count = async (admin: TestAdmin, siteId?: string) => {
    const { status, body } = await app.call(admin, contract.getConnectorStats, { params: { id }, ...(siteId ? { query: { siteId } } : {}) })
    return status === 200 ? body.totalUsers : status
  }
  expect(await count('otherTenant')).toBe(404)
  expect(await count('gdpr')).toBe(403)
  expect(await count('tenant')).toBe(4)
  expect(await count('tenant', one.northSite)).toBe(2)
  expect(await count('siteGroup')).toBe(2)
  expect(await count('siteGroup', one.southSite)).toBe(404)
  expect(await count('tenant', app.world.two.site)).toBe(404)
})

it('a run learns what it reads from, within its tenant', async () => {
  const { db } = app.database
  const id = await addConnector(db, { tenantId: tenantId(), name: 'For runs' })
  expect(await getConnectorForRun(db, { tenantId: app.world.two.id, id })).toBeUndefined()
  expect(await getConnectorForRun(db, { tenantId: tenantId(), id })).toMatchObject({
    name: 'For runs',
    kind: 'source',
    enabled: true,
    configVersion: null,
  })
})
