import { startWebhookReceiver, type WebhookReceiver } from '@instep/connectors/webhook/testing/webhook-receiver.ts'
import { createConnector, getConnector, testConnector, updateConnector } from '@instep/contract/connectors.ts'
import { rotateWebhookSecret } from '@instep/contract/webhook-secret.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
let receiver: WebhookReceiver
let tenantId = ''
let id = ''
const now = new Date()
beforeAll(async () => {
  app = await testApp({ clock: { now: () => now }, env: { SOURCES_ALLOW_PRIVATE: 'on' } })
  receiver = await startWebhookReceiver()
  tenantId = app.world.one.id
  const properties = { endpoint: receiver.url, secret: receiver.secret }
  const { status, body } = await app.call('tenant', createConnector, {
    params: { tenantId },
    body: { name: 'Apps', definitionId: 'webhook', properties },
  })
  expect(status).toBe(201)
  id = body.id
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

const rotate = (admin: TestAdmin, overlapDays: number, at: { tenantId: string; id: string } = { tenantId, id }) =>
  app.call(admin, rotateWebhookSecret, { params: at, body: { overlapDays } })
const check = () => app.call('tenant', testConnector, { params: { tenantId, id } })
const dayIn = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)

test('is refused below tenant level, for what is not theirs or is no webhook, and where the mask admits no change', async () => {
  for (const admin of ['site', 'siteGroup', 'gdpr'] as const) expect((await rotate(admin, 7)).status).toBe(403)
  expect((await rotate('otherTenant', 7)).status).toBe(404)
  expect((await rotate('otherTenant', 7, { tenantId: app.world.two.id, id })).status).toBe(404)
  expect((await rotate('tenant', 7, { tenantId, id: uuidv7() })).status).toBe(404)
  const source = await addConnector(app.database.db, { tenantId, name: 'HR' })
  expect((await rotate('tenant', 7, { tenantId, id: source })).body.code).toBe('CONNECTOR_KIND_WRONG')
  expect((await rotate('tenant', 31)).body.code).toBe('INVALID')
  const bits = (permissions: number) => app.database.db.updateTable('connectors').set({ permissions }).where('id', '=', id).execute()
  await bits(1023 & ~512)
  expect((await rotate('tenant', 7)).body.code).toBe('PERMISSION_MISSING')
  await bits(1023)
})

test('a receiver says what it thinks of a test event', async () => {
  expect((await check()).body.detail).toMatch(/^200, \d+ ms: thank you$/)
  receiver.misbehave((response) => void response.writeHead(500).end('no disk'))
  expect((await check()).body).toMatchObject({ code: 'TARGET_UNREACHABLE', params: { detail: expect.stringMatching(/500 no disk$/) } })
})

test('the new secret is told once; the one before signs too until the day, and nobody is told of anybody again', async () => {
  const sourceId = await addConnector(app.database.db, { tenantId, name: 'Manual HR' })
  await addPeople(app.database.db, { tenantId, connectorId: sourceId }, [{ external_id: 'E-1' }])
  const { body } = await rotate('tenant', 7)
  expect(body).toEqual({ secret: expect.stringMatching(/^whsec_/), previousUntil: dayIn(7) })
  // a receiver that knows the old secret, and one that knows the new one
  expect((await check()).status).toBe(200)
  receiver.secret = body.secret
  expect((await check()).status).toBe(200)
  expect(receiver.attempts.at(-1)).toMatchObject({ signatures: 2, valid: 1 })
  const shown = await app.call('tenant', getConnector, { params: { tenantId, id } })
  expect(shown.body).toMatchObject({ secretsSet: ['secret', 'previousSecret'], properties: { previousSecretUntil: dayIn(7) } })
  expect(JSON.stringify(shown.body)).not.toContain('whsec_')
  const events = await app.database.db.selectFrom('events').selectAll().where('type', '=', 'connector.secretRotated').execute()
  expect(events).toMatchObject([{ connector_id: id, actor: { name: 'Tadeo Tenant' }, data: { name: 'Apps' } }])
  expect(JSON.stringify(events)).not.toContain('whsec_')
  expect(await app.database.db.selectFrom('target_accounts').selectAll().execute()).toEqual([])
})

test('without an overlap the one before ends at once', async () => {
  const { body } = await rotate('tenant', 0)
  expect(body.previousUntil).toBeNull()
  expect((await check()).body.code).toBe('TARGET_UNREACHABLE')
  receiver.secret = body.secret
  expect((await check()).status).toBe(200)
  expect(receiver.attempts.at(-1)?.signatures).toBe(1)
})

test('with another address the secret has to be given again', async () => {
  const update = (properties: Record<string, string>) =>
    app.call('tenant', updateConnector, { params: { tenantId, id }, body: { properties } })
  expect((await update({ endpoint: 'https://elsewhere.example.com/in' })).body.fields).toHaveProperty(['properties.secret'])
  expect((await update({ endpoint: 'https://elsewhere.example.com/in', secret: receiver.secret })).status).toBe(200)
})
