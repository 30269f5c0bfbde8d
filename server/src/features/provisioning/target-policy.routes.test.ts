import {
  approveRemovals,
  DEFAULT_TARGET_POLICY,
  getTargetHealth,
  getTargetPolicy,
  rejectRemovals,
  updateTargetPolicy,
} from '@instep/contract/target-policy.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'

let app: TestApp
let tenantId = ''
let targetId = ''
let sourceId = ''
let foreignTarget = ''
beforeAll(async () => {
  app = await testApp()
  const { db } = app.database
  tenantId = app.world.one.id
  sourceId = await addConnector(db, { tenantId, name: 'HR' })
  targetId = await addConnector(db, { tenantId, name: 'Workplace', kind: 'target', ingestionType: 'target', definitionId: 'scim' })
  foreignTarget = await addConnector(db, { tenantId: app.world.two.id, name: 'Workplace', kind: 'target', ingestionType: 'target' })
})
afterAll(() => app.close())

const params = () => ({ tenantId, id: targetId })
const events = async (type: string) => {
  const { rows } = await sql<{ data: Record<string, unknown>; before: unknown; after: unknown }>`
    select data, before, after from events where tenant_id = ${tenantId} and type = ${type} order by id`.execute(app.database.db)
  return rows
}

describe.each([
  ['policy', getTargetPolicy, {}],
  ['change', updateTargetPolicy, { body: { policy: DEFAULT_TARGET_POLICY } }],
  ['health', getTargetHealth, {}],
  ['approval', approveRemovals, { body: { kind: 'accounts', reason: 'Seen' } }],
  ['rejection', rejectRemovals, { body: { kind: 'accounts', reason: 'Seen' } }],
] as const)('%s', (_, endpoint, more) => {
  test('is refused below tenant level', async () => {
    for (const admin of ['siteGroup', 'site', 'gdpr'] as const)
      expect((await app.call(admin, endpoint, { params: params(), ...more } as never)).status).toBe(403)
  })
  test("another tenant's target, a source and nothing at all look alike", async () => {
    for (const id of [foreignTarget, sourceId, uuidv7()])
      expect((await app.call('tenant', endpoint, { params: { tenantId, id }, ...more } as never)).status).toBe(404)
  })
})

test('a guard is not turned off without a reason, and what changes nothing leaves no trace', async () => {
  for (const guard of ['removals', 'memberRemovals']) {
    const off = { ...DEFAULT_TARGET_POLICY, [guard]: { on: false, percent: 10, number: 5 } }
    expect((await app.call('tenant', updateTargetPolicy, { params: params(), body: { policy: off } })).status).toBe(422)
  }
  expect((await app.call('tenant', updateTargetPolicy, { params: params(), body: { policy: DEFAULT_TARGET_POLICY } })).status).toBe(200)
  expect(await events('target.policy.changed')).toEqual([])
  expect((await app.call('tenant', approveRemovals, { params: params(), body: { kind: 'accounts', reason: 'x' } })).status).toBe(409)
  expect((await app.call('tenant', rejectRemovals, { params: params(), body: { kind: 'members', reason: 'x' } })).status).toBe(409)
})

test('a change is kept, told with before and after, and only leavers’ accounts are looked at again', async () => {
  const { db } = app.database
  const [stays = '', left = ''] = await addPeople(db, { tenantId, connectorId: sourceId }, [{ external_id: 'A-1' }, { external_id: 'A-2' }])
  await sql`update users set active = false, deactivated_at = now() where id = ${left}`.execute(db)
  await sql`
    insert into target_accounts (tenant_id, target_id, user_id, state, remote_id)
    values (${tenantId}, ${targetId}, ${stays}, 'inStep', 'a'), (${tenantId}, ${targetId}, ${left}, 'inStep', 'b')`.execute(db)
  const policy = { ...DEFAULT_TARGET_POLICY, leaver: { action: 'delete' as const, graceDays: 7 } }
  expect((await app.call('tenant', updateTargetPolicy, { params: params(), body: { policy } })).body).toEqual(policy)
  expect((await app.call('tenant', getTargetPolicy, { params: params() })).body).toEqual(policy)
  expect(await events('target.policy.changed')).toEqual([
    {
      data: { target: 'Workplace', changed: 'leaver' },
      before: { leaver: { action: 'disable', graceDays: 30 } },
      after: { leaver: { action: 'delete', graceDays: 7 } },
    },
  ])
  const { rows } = await sql<{ user_id: string }>`
    select user_id from target_accounts where tenant_id = ${tenantId} and target_id = ${targetId} and state = 'pending'`.execute(db)
  expect(rows).toEqual([{ user_id: left }])
  expect((await app.call('tenant', getTargetHealth, { params: params() })).body).toEqual({
    pause: null,
    accounts: { hold: null, held: 0, rejected: 0 },
    members: { hold: null, held: 0, rejected: 0 },
  })
})
