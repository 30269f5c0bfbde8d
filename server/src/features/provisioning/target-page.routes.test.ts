import { type ScimStandIn, startScimStandIn } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import { createConnector } from '@instep/contract/connectors.ts'
import * as drift from '@instep/contract/drift.ts'
import { cancelListRun, getListRun } from '@instep/contract/exports.ts'
import { listSyncedUsers, showSyncedUser, syncUser, syncUsers } from '@instep/contract/user-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addConnector, addPeople } from '../../testing/people.ts'
import { DEFAULT_DRIFT } from './drift.rules.ts'

let app: TestApp
let standIn: ScimStandIn
let tenantId = ''
let sourceId = ''
let targetId = ''
let foreignTarget = ''
let people: string[] = []
beforeAll(async () => {
  app = await testApp({ workers: true, env: { SOURCES_ALLOW_PRIVATE: 'on' } })
  standIn = await startScimStandIn()
  const { db } = app.database
  tenantId = app.world.one.id
  sourceId = await addConnector(db, { tenantId, name: 'HR' })
  people = await addPeople(
    db,
    { tenantId, connectorId: sourceId },
    Array.from({ length: 12 }, (_, n) => ({ external_id: `E-${n}`, work_email: `p${n}@x.example` })),
  )
  const made = await app.call('tenant', createConnector, {
    params: { tenantId },
    body: {
      name: 'Workplace',
      definitionId: 'scim',
      enabled: true,
      properties: { baseUrl: standIn.baseUrl, allowHttp: true, token: standIn.token },
    },
  } as never)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  targetId = (made.body as unknown as { id: string }).id
  foreignTarget = await addConnector(db, { tenantId: app.world.two.id, name: 'Other', kind: 'target', ingestionType: 'target' })
})
afterAll(async () => {
  await app.close()
  await standIn.close()
})

const params = () => ({ tenantId, id: targetId })
const until = async <T>(look: () => Promise<T>, good: (found: T) => boolean): Promise<T> => {
  for (;;) {
    const found = await look()
    if (good(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const driftOf = async () => (await app.call('tenant', drift.getDrift, { params: params() })).body
const endOfDrift = async () => (await until(driftOf, ({ runs }) => runs[0]?.finishedAt != null)).runs[0]
const events = (type: string) => app.database.db.selectFrom('events').selectAll().where('type', '=', type).execute()

describe.each([
  ['get', drift.getDrift, {}],
  ['set', drift.setDrift, { body: DEFAULT_DRIFT }],
  ['start', drift.startDrift, {}],
] as const)('drift: %s', (_, endpoint, more) => {
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

test('a time zone that there is not, and an hour that there is not, are refused', async () => {
  for (const change of [{ timeZone: 'Middle/Earth' }, { hour: 24 }, { weekday: 7 }])
    expect((await app.call('tenant', drift.setDrift, { params: params(), body: { ...DEFAULT_DRIFT, ...change } })).status).toBe(400)
})

test('changes are refused where the target itself admits none', async () => {
  const setBits = (permissions: number) =>
    app.database.db.updateTable('connectors').set({ permissions }).where('id', '=', targetId).execute()
  await setBits(1023 & ~512)
  expect((await app.call('tenant', drift.startDrift, { params: params() })).body.code).toBe('PERMISSION_MISSING')
  await setBits(1023)
})

test('one person is previewed and brought in step; somebody of another connector is nobody here', async () => {
  const [userId = ''] = people
  const other = await addConnector(app.database.db, { tenantId, name: 'Other HR' })
  const call = (connectorId: string, preview: 'true' | 'false') =>
    app.call('tenant', syncUser, { params: { connectorId, userId }, query: { preview } })
  expect((await call(other, 'false')).status).toBe(404)
  expect((await app.call('site', syncUser, { params: { connectorId: sourceId, userId } })).status).toBe(403)
  const preview = await call(sourceId, 'true')
  expect(preview.status, JSON.stringify(preview.body)).toBe(200)
  expect(preview.body.targets).toMatchObject([{ result: 'preview' }])
  const done = await call(sourceId, 'false')
  expect(['done', 'busy']).toContain(done.body.targets[0]?.result)
  expect(await events('user.synced')).toMatchObject([{ actor: { kind: 'admin', name: 'Tadeo Tenant' }, subject_id: userId }])
})

test('selected people are a run with results by person; whoever is not of the tenant makes it nobody’s', async () => {
  const [stranger = ''] = await addPeople(
    app.database.db,
    { tenantId: app.world.two.id, connectorId: await addConnector(app.database.db, { tenantId: app.world.two.id, name: 'HR' }) },
    [{ external_id: 'X' }],
  )
  const start = (userIds: string[]) => app.call('tenant', syncUsers, { params: { tenantId }, body: { userIds, preview: false } })
  expect((await start([stranger])).status).toBe(404)
  expect((await start([...people, stranger])).status).toBe(404)
  expect((await start(Array.from({ length: 201 }, () => uuidv7()))).status).toBe(400)
  const begun = await start([...people, ...people.slice(0, 3)])
  expect([begun.status, begun.body.kind]).toEqual([202, 'syncUsers'])
  const runId = begun.body.id
  const run = (
    await until(
      () => app.call('tenant', getListRun, { params: { tenantId, runId } }),
      ({ body }) => body.finishedAt !== null,
    )
  ).body
  expect(run).toMatchObject({ state: 'succeeded', done: 12, total: 12, leftAlone: 0 })
  const [first] = (await app.call('tenant', listSyncedUsers, { params: { tenantId, runId }, query: {} })).body.data
  expect(first).toMatchObject({
    source: { from: 'directory', brought: null },
    accounts: [{ result: expect.stringMatching(/^(done|busy)$/) }],
  })
  const steps = { tenantId, runId, userId: first?.userId ?? '' }
  const { preview, source, targets } = (await app.call('tenant', showSyncedUser, { params: steps })).body
  expect([preview, source?.from, targets?.length]).toEqual([false, 'directory', 1])
  expect(targets?.[0]?.requests[0], 'what was asked and replied stays readable').toMatchObject({
    path: expect.stringContaining('/Users'),
    status: expect.any(Number),
    reply: expect.any(String),
  })
  for (const wrong of [{ userId: uuidv7() }, { runId: uuidv7() }])
    expect((await app.call('tenant', showSyncedUser, { params: { ...steps, ...wrong } })).status).toBe(404)
  const foreign = { params: { ...steps, tenantId: app.world.two.id } }
  expect((await app.call('otherTenant', showSyncedUser, foreign)).status).toBe(404)
  const seen: string[] = []
  let continuationToken: string | null = null
  do {
    const page: { body: { data: { userId: string }[]; continuationToken: string | null } } = await app.call('tenant', listSyncedUsers, {
      params: { tenantId, runId },
      query: { pageSize: 5, ...(continuationToken ? { continuationToken } : {}) },
    })
    seen.push(...page.body.data.map(({ userId }) => userId))
    continuationToken = page.body.continuationToken
  } while (continuationToken)
  expect(seen).toEqual(people)
  expect(new Set([...standIn.accounts.values()].map(({ userName }) => userName)).size).toBe(standIn.accounts.size)
  expect((await app.call('otherTenant', listSyncedUsers, { params: { tenantId: app.world.two.id, runId } })).status).toBe(404)
  expect((await app.call('tenant', cancelListRun, { params: { tenantId, runId } })).body.code).toBe('RUN_STATE_WRONG')
})

test('a target is read back, decided on, and downloaded', async () => {
  await until(
    () => sql<{ count: number }>`select count(*)::integer as count from target_accounts where state <> 'inStep'`.execute(app.database.db),
    ({ rows }) => rows[0]?.count === 0,
  )
  for (const account of [...standIn.accounts.values()].slice(0, 2)) account.title = 'Usurper'
  expect((await app.call('tenant', drift.startDrift, { params: params() })).status).toBe(202)
  const run = await endOfDrift()
  expect(run).toMatchObject({ state: 'succeeded', changed: 2, missing: 0, unknown: 0 })
  const runId = run?.id ?? ''
  const list = await app.call('tenant', drift.listDriftFindings, {
    params: { ...params(), runId },
    query: { kind: 'changed', pageSize: 1 },
  })
  expect(list.body.data).toMatchObject([{ changes: [{ attribute: 'title', found: 'Usurper' }] }])
  expect(list.body.continuationToken).not.toBeNull()
  const token = list.body.continuationToken ?? ''
  const foreign = await app.call('tenant', drift.listDriftFindings, {
    params: { ...params(), runId },
    query: { kind: 'missing', continuationToken: token },
  })
  expect(foreign.body.code).toBe('TOKEN_FOREIGN')
  const decide = (body: object) => app.call('tenant', drift.decideDrift, { params: { ...params(), runId }, body: body as never })
  expect((await decide({ decision: 'link', kind: 'unknown', sequences: [1] })).status).toBe(400)
  expect((await decide({ decision: 'putBack', kind: 'changed' })).body).toEqual({ decided: 2, remaining: 0 })
  expect((await decide({ decision: 'putBack', kind: 'changed' })).body).toEqual({ decided: 0, remaining: 0 })
  expect(await events('drift.putBack')).toHaveLength(1)
  await until(async () => [...standIn.accounts.values()].every(({ title }) => title !== 'Usurper'), Boolean)
  const download = async (language: string) => {
    const headers = { authorization: `Bearer ${await app.tokenOf('tenant')}`, 'accept-language': language }
    const file = await fetch(`${app.url}/v1/connectors/${tenantId}/instances/${targetId}/drift/runs/${runId}/file`, { headers })
    return { status: file.status, lines: (await file.text()).trim().split('\r\n') }
  }
  const { status, lines } = await download('en')
  expect([status, lines.length, lines[0]]).toEqual([200, 3, expect.stringContaining('What,Decision,Account')])
  expect((await download('fr')).lines[0]).toContain('Quoi,Décision,Compte')
  for (const id of [sourceId, uuidv7()])
    expect(
      (await app.call('tenant', drift.listDriftFindings, { params: { tenantId, id, runId }, query: { kind: 'changed' } })).status,
    ).toBe(404)
})
