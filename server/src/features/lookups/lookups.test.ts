import * as contract from '@instep/contract/lookups.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { learnValues } from './public.ts'

let app: TestApp
let tenantId: string
let hr: string
let people: string[]
beforeAll(async () => {
  app = await testApp()
  tenantId = app.world.one.id
  const { db } = app.database
  hr = await addConnector(db, { tenantId, name: 'HR' })
  const { northSite: site_id } = app.world.one
  people = await addPeople(db, { tenantId, connectorId: hr }, [
    { given_name: 'Ada', department: 'Bakery', title: 'Baker', location_name: 'North', site_id },
    { given_name: 'Bea', department: 'BAKERY', title: 'Clerk', location_name: 'North', site_id: app.world.one.southSite },
  ])
})
afterAll(() => app.close())

const list = (admin: TestAdmin, ReferenceType: contract.ReferenceKind, query: Record<string, unknown> = {}) =>
  app.call(admin, contract.listLookups, { params: { connectorId: tenantId }, query: { ReferenceType, pageSize: 250, ...query } })
const values = async (...args: Parameters<typeof list>) => (await list(...args)).body.data.map(({ value }) => value)
const add = (admin: TestAdmin, referenceType: 'JobTitle' | 'Department', ...[value, departments = []]: [string, string[]?]) =>
  app.call(admin, contract.createLookup, { params: { tenantId }, body: { referenceType, value, departments } })
const change = (admin: TestAdmin, id: string, body: { retired?: boolean; departments?: string[] }) =>
  app.call(admin, contract.updateLookup, { params: { tenantId, id }, body })
const learn = (ids: readonly string[]) =>
  app.database.db
    .transaction()
    .execute((tx) =>
      learnValues(tx, { tenantId, users: sql`select id as user_id from unnest(${ids}::uuid[]) as t (id)`, origin: 'sync', at: new Date() }),
    )

describe('values', () => {
  it('are learned from people once, however they are written, and a second time nothing is', async () => {
    await learn(people)
    await learn(people)
    expect(await values('tenant', 'Department')).toEqual([expect.stringMatching(/^bakery$/i)])
    expect(await values('site', 'JobTitle')).toEqual(['Baker', 'Clerk'])
    expect(await values('tenant', 'Division')).toEqual([])
  })

  it('are added and retired at tenant level, and stay retired when HR names them again', async () => {
    expect((await add('site', 'Department', 'Sales')).status).toBe(403)
    expect((await add('otherTenant', 'Department', 'Sales')).status).toBe(404)
    expect((await add('tenant', 'Department', 'bakery')).body.code).toBe('LOOKUP_VALUE_TAKEN')
    expect((await add('tenant', 'Department', 'Sales', ['Bakery'])).body.fields).toHaveProperty('departments')
    expect((await add('tenant', 'Department', ' ')).body.code).toBe('INVALID')
    const { body: sales } = await add('tenant', 'Department', 'Sales')
    expect((await change('otherTenant', sales.id, { retired: true })).status).toBe(404)
    expect((await change('tenant', uuidv7(), { retired: true })).status).toBe(404)
    const [bakery] = (await list('tenant', 'Department')).body.data
    expect((await change('tenant', bakery?.id ?? '', { retired: true })).body.retired).toBe(true)
    await learn(people)
    expect(await values('tenant', 'Department')).toEqual(['Sales'])
    expect(await values('tenant', 'Department', { retired: 'true' })).toHaveLength(2)
    expect((await add('tenant', 'Department', 'Bakery')).body).toMatchObject({ id: bakery?.id, retired: false })
    const { rows } = await sql`select type, before, after from events where subject_id = ${bakery?.id} order by id`.execute(app.database.db)
    expect(rows.at(-1)).toEqual({
      type: 'lookup.offered',
      before: { retired: true, departments: [] },
      after: { retired: false, departments: [] },
    })
    expect((await add('tenant', 'Department', 'BAKERY')).body.code).toBe('LOOKUP_VALUE_TAKEN')
  })

  it('of job titles can belong to departments, which narrow them', async () => {
    const { body: title } = await add('tenant', 'JobTitle', 'Oven hand', ['Bakery'])
    expect(await values('site', 'JobTitle', { Department: 'bakery' })).toEqual(['Baker', 'Clerk', 'Oven hand'])
    expect(await values('site', 'JobTitle', { Department: 'Sales' })).toEqual(['Baker', 'Clerk'])
    expect((await change('tenant', title.id, { departments: ['Sales'] })).body.departments).toEqual(['Sales'])
    expect(await values('site', 'JobTitle', { Department: 'Sales', SearchText: 'OVEN' })).toEqual(['Oven hand'])
    const told = await sql`select from events where tenant_id = ${tenantId} and subject_id = ${title.id}`.execute(app.database.db)
    expect(told.rows).toHaveLength(2)
  })

  it('are continued where the page ended', async () => {
    const first = await list('tenant', 'JobTitle', { pageSize: 1 })
    const next = await list('tenant', 'JobTitle', { pageSize: 250, continuationToken: first.body.continuationToken })
    expect(next.body.code).toBeUndefined()
    expect([...first.body.data, ...next.body.data].map(({ value }) => value)).toEqual(['Baker', 'Clerk', 'Oven hand'])
    const foreign = await list('tenant', 'Department', { pageSize: 1, continuationToken: first.body.continuationToken })
    expect(foreign.body.code).toBe('TOKEN_FOREIGN')
  })
})

it('managers are people whom the caller sees', async () => {
  expect(await values('tenant', 'Manager', { SearchText: 'byron' })).toEqual(['Ada Byron', 'Bea Byron'])
  const { body } = await list('site', 'Manager')
  expect(body.data).toMatchObject([{ id: people[1], value: 'Bea Byron', detail: 'Clerk' }])
})
