import * as contract from '@instep/contract/logs.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
let tenantId: string
let hr: string
let ada: string
let bea: string
const ADMIN = { kind: 'admin' as const, id: null, name: 'Otto Other' }
const RUN = { kind: 'run' as const, id: uuidv7(), name: 'Nightly' }

beforeAll(async () => {
  app = await testApp()
  const { db } = app.database
  tenantId = app.world.one.id
  hr = await addConnector(db, { tenantId, name: 'HR' })
  ;[ada = '', bea = ''] = await addPeople(db, { tenantId, connectorId: hr }, [
    { given_name: 'Ada', family_name: 'Byron', site_id: app.world.one.southSite },
    { given_name: 'Bea', family_name: 'Cook', site_id: app.world.one.northSite },
  ])
  let minute = 0
  const event = (stream: NewEvent['stream'], type: string, more: Partial<NewEvent> = {}): NewEvent => ({
    tenantId,
    at: new Date(Date.UTC(2030, 0, 1, 0, minute++)),
    stream,
    type,
    correlationId: 'known',
    actor: RUN,
    ...more,
  })
  await db
    .transaction()
    .execute((tx) =>
      recordEvents(tx, [
        event('admin', 'admin.signedIn', { actor: { kind: 'system', id: null, name: 'Instep' }, data: { name: 'Otto' } }),
        event('user', 'user.updated', { actor: ADMIN, subjectId: ada, connectorId: hr }),
        event('user', 'user.updated', { subjectId: bea, connectorId: hr }),
        event('message', 'common.success', { subjectId: ada, connectorId: hr, correlationId: 'batch', data: { message: 'Sent to Ada' } }),
        event('message', 'common.error', { subjectId: bea, connectorId: hr, data: { message: 'No way to Bea', requestId: 'batch' } }),
        event('directory', 'connector.created', { actor: ADMIN, data: { name: 'HR' } }),
        event('admin', 'admin.signedIn', { tenantId: app.world.two.id, data: { name: 'Foreign' } }),
        event('message', 'common.success', { tenantId: app.world.two.id, data: { message: 'Foreign' } }),
      ]),
    )
})
afterAll(() => app.close())

const admins = (query: Record<string, unknown> = {}, admin: TestAdmin = 'tenant') =>
  app.call(admin, contract.listAdminLog, { params: { tenantId }, query: { pageSize: 250, ...query } })
const messages = (query: Record<string, unknown> = {}, admin: TestAdmin = 'tenant') =>
  app.call(admin, contract.listMessageLog, { params: { tenantId }, query: { pageSize: 250, ...query } })

describe('the log of administrators', () => {
  it('is for tenant level, of one’s own tenant', async () => {
    for (const admin of ['site', 'siteGroup', 'gdpr'] as const) expect((await admins({}, admin)).status).toBe(403)
    expect((await admins({}, 'otherTenant')).status).toBe(404)
  })

  it('holds what happened to administrators and what they did, newest first, not what runs did', async () => {
    const { body } = await admins({ correlationId: 'known' })
    expect(body.data.map(({ eventType, modifiedBy }) => [eventType, modifiedBy])).toEqual([
      ['connector.created', 'Otto Other'],
      ['user.updated', 'Otto Other'],
      ['admin.signedIn', 'Instep'],
    ])
    expect(body.data[1]).toMatchObject({ userId: ada, userName: 'Ada Byron' })
  })

  it('is continued where it ended, and takes no token of another log', async () => {
    const first = await admins({ correlationId: 'known', pageSize: 1 })
    const { continuationToken } = first.body
    const rest = await admins({ correlationId: 'known', continuationToken })
    expect(rest.body.data.map(({ eventType }) => eventType)).toEqual(['user.updated', 'admin.signedIn'])
    expect((await messages({ correlationId: 'known', continuationToken })).status).toBe(400)
    expect((await admins({ correlationId: 'batch', continuationToken })).status).toBe(400)
  })
})

const said = async (query: Record<string, unknown>, admin: TestAdmin = 'tenant') => {
  const { body } = await messages(query, admin)
  return body.data.map(({ message }) => message)
}

describe('the log of messages', () => {
  it('is for who looks after people, of their own tenant', async () => {
    expect((await messages({}, 'gdpr')).status).toBe(403)
    expect((await messages({}, 'otherTenant')).status).toBe(404)
    expect((await messages({ userId: 'nobody' })).status).toBe(400)
    expect((await messages({ connectorId: uuidv7() })).status).toBe(404)
  })

  it('holds what became of messages alone, newest first', async () => {
    const { body } = await messages()
    expect(body.data.map(({ eventType, level, message }) => [eventType, level, message])).toEqual([
      ['common.error', 'error', 'No way to Bea'],
      ['common.success', 'success', 'Sent to Ada'],
    ])
  })

  it('shows an administrator of sites those to their own people', async () => {
    expect(await said({}, 'site')).toEqual(['Sent to Ada'])
    for (const userId of [bea, uuidv7()]) expect((await messages({ userId }, 'site')).status).toBe(404)
    expect(await said({ requestId: 'batch' }, 'site')).toEqual(['Sent to Ada'])
  })

  it.each([
    [() => ({ userId: ada }), ['Sent to Ada']],
    [() => ({ connectorId: hr }), ['No way to Bea', 'Sent to Ada']],
    [() => ({ requestId: 'batch' }), ['No way to Bea', 'Sent to Ada']],
    [() => ({ correlationId: 'batch' }), ['Sent to Ada']],
    [() => ({ correlationId: 'none' }), []],
  ])('is narrowed %#', async (query, told) => expect(await said(query())).toEqual(told))

  it('is continued where it ended, by whoever sees the same', async () => {
    const { body } = await messages({ pageSize: 1 })
    const { continuationToken } = body
    expect(await said({ pageSize: 1, continuationToken })).toEqual(['Sent to Ada'])
    expect((await messages({ userId: ada, continuationToken })).status).toBe(400)
  })
})
