import * as contract from '@instep/contract/logs.ts'
import { lockUser, updateUser } from '@instep/contract/user-edits.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NewEvent, recordEvents } from '../../platform/audit/record-event.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
let tenantId: string
let hr: string
let ada: string
let bea: string
beforeAll(async () => {
  app = await testApp()
  tenantId = app.world.one.id
  const { db } = app.database
  hr = await addConnector(db, { tenantId, name: 'HR' })
  const site_id = app.world.one.southSite
  ;[ada = '', bea = ''] = await addPeople(db, { tenantId, connectorId: hr }, [
    { title: 'Baker', site_id },
    { given_name: 'Bea', site_id },
  ])
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
  const by = { tenantId, subjectId: ada, connectorId: hr, correlationId: 'one run' }
  const run = { kind: 'run' as const, id: uuidv7(), name: 'Tadeo Tenant' }
  const system = { kind: 'system' as const, id: null, name: 'Instep' }
  const events: NewEvent[] = [
    { ...by, at: at(1), stream: 'user', type: 'user.created', actor: run },
    { ...by, at: at(2), stream: 'user', type: 'target.account.created', actor: system, data: { target: 'Workplace' } },
    { ...by, at: at(3), stream: 'message', type: 'message.sent', actor: system },
    { ...by, at: at(4), stream: 'user', type: 'claim.finished', actor: system },
    { ...by, at: at(5), stream: 'user', type: 'user.override.lapsed', actor: system },
    { ...by, at: at(6), subjectId: bea, stream: 'user', type: 'user.created', actor: run },
  ]
  await db.transaction().execute((tx) => recordEvents(tx, events))
  const params = { connectorId: hr, id: ada }
  await app.call('tenant', updateUser, { params, body: { title: 'Master baker' } })
  await app.call('tenant', lockUser, { params, body: { reason: 'Under review' } })
})
afterAll(() => app.close())

const timeline = async (admin: TestAdmin, query: Record<string, unknown> = {}, userId = ada) => {
  const { status, body } = await app.call(admin, contract.listUserLog, {
    params: { connectorId: hr, userId },
    query: { pageSize: 250, ...query },
  })
  return status === 200 ? body.data.map(({ eventType }) => eventType) : status
}

it('is nobody’s who does not see the person, as if there were none', async () => {
  expect(await timeline('siteGroup')).toBe(404)
  expect(await timeline('otherTenant')).toBe(404)
  expect(await timeline('gdpr')).toBe(403)
  expect(await timeline('tenant', {}, uuidv7())).toBe(404)
  expect(await timeline('tenant', { kind: 'gossip' })).toBe(400)
})

it('tells everything that happened to one person, newest first', async () => {
  const all = [
    'user.locked',
    'user.updated',
    'user.override.lapsed',
    'claim.finished',
    'message.sent',
    'target.account.created',
    'user.created',
  ]
  expect(await timeline('site')).toEqual(all)
  expect(await timeline('tenant', { pageSize: 2 })).toEqual(all.slice(0, 2))
})

it.each([
  ['source', ['user.override.lapsed', 'user.created']],
  ['admin', ['user.locked', 'user.updated']],
  ['message', ['message.sent']],
  ['target', ['target.account.created']],
  ['claim', ['claim.finished']],
])('narrowed to %s', async (kind, types) => expect(await timeline('site', { kind })).toEqual(types))

it('narrowed to what belongs together, with values before and after, page by page', async () => {
  expect(await timeline('site', { correlationId: 'one run' })).toHaveLength(5)
  const params = { connectorId: hr, userId: ada }
  const first = await app.call('site', contract.listUserLog, { params, query: { pageSize: 2 } })
  expect(first.body.data[1]).toMatchObject({ before: { title: 'Baker' }, after: { title: 'Master baker' }, modifiedBy: 'Tadeo Tenant' })
  const next = await app.call('site', contract.listUserLog, {
    params,
    query: { pageSize: 250, continuationToken: first.body.continuationToken ?? '' },
  })
  expect(next.body.data.map(({ eventType }) => eventType)).toEqual(((await timeline('site')) as string[]).slice(2))
})
