import { getTargetSummary, listTargetAccounts, retryTarget } from '@instep/contract/provisioning.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
let tenantId = ''
let targetId = ''
let sourceId = ''
let foreignTarget = ''
let people: string[] = []
beforeAll(async () => {
  app = await testApp()
  const { db } = app.database
  tenantId = app.world.one.id
  sourceId = await addConnector(db, { tenantId, name: 'HR' })
  targetId = await addConnector(db, { tenantId, name: 'Workplace', kind: 'target', ingestionType: 'target', definitionId: 'scim' })
  foreignTarget = await addConnector(db, { tenantId: app.world.two.id, name: 'Workplace', kind: 'target', ingestionType: 'target' })
  people = await addPeople(
    db,
    { tenantId, connectorId: sourceId },
    Array.from({ length: 9 }, (_, n) => ({ external_id: `E-${n}` })),
  )
})
afterAll(() => app.close())
beforeEach(async () => {
  const rows = people.map((userId, n) => {
    const failed = n >= 3
    return {
      tenant_id: tenantId,
      target_id: targetId,
      user_id: userId,
      state: n < 3 ? 'inStep' : n < 8 ? 'quarantined' : 'failed',
      attempts: failed ? 2 : 0,
      cause: n === 8 ? 'TARGET_UNCERTAIN' : failed ? 'TARGET_REFUSED' : null,
      last_error: failed ? 'POST /Users: 400 no' : null,
      next_try_at: n === 8 ? new Date('2026-03-01T08:00:00Z') : sql<Date>`'-infinity'::timestamptz`,
    }
  })
  await app.database.db.deleteFrom('target_accounts').execute()
  await app.database.db.insertInto('target_accounts').values(rows).execute()
})

const params = () => ({ tenantId, id: targetId })

describe.each([
  ['summary', getTargetSummary, {}],
  ['list', listTargetAccounts, { query: { state: 'failed' } }],
  ['retry', retryTarget, { body: {} }],
] as const)('%s', (_, endpoint, more) => {
  test('is refused below tenant level', async () => {
    for (const admin of ['siteGroup', 'site', 'gdpr'] as const)
      expect((await app.call(admin, endpoint, { params: params(), ...more } as never)).status).toBe(403)
  })
  test("another tenant's target, a source and nothing at all look alike", async () => {
    for (const id of [foreignTarget, sourceId, uuidv7()])
      expect((await app.call('tenant', endpoint, { params: { tenantId, id }, ...more } as never)).status).toBe(404)
    expect((await app.call('otherTenant', endpoint, { params: params(), ...more } as never)).status).toBe(404)
  })
})

test('the summary counts every state and groups what went wrong by cause, most frequent first', async () => {
  const { body } = await app.call('tenant', getTargetSummary, { params: params() })
  expect(body).toEqual({
    marking: null,
    counts: { pending: 0, inStep: 3, failed: 1, quarantined: 5, paused: 0, protected: 0, held: 0, leaving: 0 },
    causes: [
      { cause: 'TARGET_REFUSED', count: 5, example: 'POST /Users: 400 no' },
      { cause: 'TARGET_UNCERTAIN', count: 1, example: 'POST /Users: 400 no' },
    ],
    backlog: { count: 1, perMinute: 0, seconds: null },
    times: { inStep: { count: 0, median: null, p95: null }, revoke: { count: 0, median: null, p95: null } },
  })
})

test('the list shows one state, page by page, each account once', async () => {
  const seen: string[] = []
  let continuationToken: string | null = null
  do {
    const page: { status: number; body: { data: { userId: string }[]; continuationToken: string | null } } = await app.call(
      'tenant',
      listTargetAccounts,
      {
        params: params(),
        query: { state: 'quarantined', pageSize: 2, ...(continuationToken ? { continuationToken } : {}) },
      },
    )
    expect(page.status).toBe(200)
    seen.push(...page.body.data.map(({ userId }) => userId))
    continuationToken = page.body.continuationToken
  } while (continuationToken)
  expect(seen).toEqual(people.slice(3, 8))
})

test('a token of another state is refused', async () => {
  const { body } = await app.call('tenant', listTargetAccounts, { params: params(), query: { state: 'quarantined', pageSize: 2 } })
  const continuationToken = body.continuationToken ?? ''
  const answer = await app.call('tenant', listTargetAccounts, { params: params(), query: { state: 'failed', continuationToken } })
  expect([answer.status, answer.body.code]).toEqual([400, 'TOKEN_FOREIGN'])
})

test('an account tells who it is, how often it was tried, when next and why it failed', async () => {
  const { body } = await app.call('tenant', listTargetAccounts, { params: params(), query: { state: 'failed' } })
  expect(body.data).toEqual([
    {
      userId: people[8],
      connectorId: sourceId,
      displayName: 'Ada Byron',
      employeeId: 'E-8',
      state: 'failed',
      attempts: 2,
      nextTryAt: '2026-03-01T08:00:00.000Z',
      cause: 'TARGET_UNCERTAIN',
      lastError: 'POST /Users: 400 no',
    },
  ])
})

test('retrying is refused where the target itself admits no change', async () => {
  const setBits = (permissions: number) =>
    app.database.db.updateTable('connectors').set({ permissions }).where('id', '=', targetId).execute()
  await setBits(1023 & ~512)
  expect((await app.call('tenant', retryTarget, { params: params(), body: {} })).body.code).toBe('PERMISSION_MISSING')
  await setBits(1023)
})

test('retrying one cause leaves the others; again there is nothing to retry, and nothing is recorded', async () => {
  const retried = () => app.database.db.selectFrom('events').selectAll().where('type', '=', 'target.retried').execute()
  const retry = () => app.call('tenant', retryTarget, { params: params(), body: { cause: 'TARGET_REFUSED' } })
  expect((await retry()).body).toEqual({ retried: 5 })
  const events = await retried()
  expect(events).toMatchObject([{ connector_id: targetId, actor: { kind: 'admin', name: 'Tadeo Tenant' }, data: { count: 5 } }])
  expect((await retry()).body).toEqual({ retried: 0 })
  expect(await retried()).toHaveLength(1)
  const { body } = await app.call('tenant', getTargetSummary, { params: params() })
  expect(body.counts).toMatchObject({ pending: 5, failed: 1 })
})
