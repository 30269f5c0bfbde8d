import { json, type RestStandIn, startRestStandIn } from '@instep/connectors/rest/testing/rest-stand-in.ts'
import { type ScimStandIn, startScimStandIn } from '@instep/connectors/scim/testing/scim-stand-in.ts'
import { importConfig } from '@instep/contract/config-versions.ts'
import { createConnector } from '@instep/contract/connectors.ts'
import { getListRun } from '@instep/contract/exports.ts'
import { fetchNow } from '@instep/contract/sources.ts'
import { applyRun, getRun, listRuns } from '@instep/contract/sync.ts'
import { listSyncedUsers, showSyncedUser, syncUsers } from '@instep/contract/user-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../../platform/ids.ts'
import { type TestApp, testApp } from '../../testing/app.ts'

let app: TestApp
let target: ScimStandIn
let hr: RestStandIn
let tenantId = ''
let connectorId = ''
const ids: string[] = []
const staff = new Map(
  Array.from({ length: 6 }, (_, n) => {
    const id = `E${n}`
    return [id, { id, first: 'Ada', last: 'Byron', mail: `${id}@example.com`, job: 'Clerk' }]
  }),
)

const until = async <T>(look: () => Promise<T>, good: (found: T) => boolean): Promise<T> => {
  for (;;) {
    const found = await look()
    if (good(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const connect = async (body: object): Promise<string> => {
  const made = await app.call('tenant', createConnector, { params: { tenantId }, body: { enabled: true, ...body } } as never)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return (made.body as unknown as { id: string }).id
}
const runIs = (runId: string, state: string) =>
  until(
    async () => (await app.call('tenant', getRun, { params: { tenantId, runId } })).body.state,
    (now) => now === state,
  )

beforeAll(async () => {
  app = await testApp({ workers: true, env: { SOURCES_ALLOW_PRIVATE: 'on' } })
  tenantId = app.world.one.id
  target = await startScimStandIn()
  hr = await startRestStandIn((response, { path }) => {
    const id = path.split('/')[2]
    json(response, id ? staff.get(id) : [...staff.values()])
  })
  const url = `${hr.origin}/people`
  connectorId = await connect({ name: 'HR', definitionId: 'rest', properties: { url, recordUrl: `${url}/{id}`, allowHttp: true } })
  await connect({
    name: 'Workplace',
    definitionId: 'scim',
    properties: { baseUrl: target.baseUrl, allowHttp: true, token: target.token },
  })
  const columns = { externalId: 'id', givenName: 'first', familyName: 'last', workEmail: 'mail', title: 'job' }
  const fields = Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, { column }]))
  const body = { format: 'instep.connector-config', formatVersion: 1, config: { mapping: { fields } } } as const
  const set = await app.call('tenant', importConfig, { params: { connectorId }, body } as never)
  expect(set.status, JSON.stringify(set.body)).toBe(200)
  const begun = await app.call('tenant', fetchNow, { params: { connectorId }, body: { dryRun: false } })
  const runId = begun.body.id
  await runIs(runId, 'planned')
  await app.call('tenant', applyRun, { params: { tenantId, runId }, body: {} })
  await runIs(runId, 'succeeded')
  const people = await app.database.db
    .selectFrom('users')
    .select('id')
    .where('connector_id', '=', connectorId)
    .orderBy('external_id')
    .execute()
  ids.push(...people.map(({ id }) => id))
})
afterAll(async () => {
  await app.close()
  await target.close()
  await hr.close()
})

const promote = (...who: string[]) => {
  for (const id of who) staff.set(id, { ...(staff.get(id) ?? { id, first: '', last: '', mail: '' }), job: 'Director' })
}
const sync = async (userIds: readonly string[], preview: boolean) => {
  const begun = await app.call('tenant', syncUsers, { params: { tenantId }, body: { userIds: [...userIds], preview } })
  const runId = begun.body.id
  const run = await until(
    () => app.call('tenant', getListRun, { params: { tenantId, runId } }),
    ({ body }) => body.finishedAt !== null,
  )
  const { data } = (await app.call('tenant', listSyncedUsers, { params: { tenantId, runId }, query: {} })).body
  return { runId, state: run.body.state, people: data }
}
const titles = () => [...target.accounts.values()].map(({ title }) => title).sort()

test('a preview of selected people asks the source and the targets, and changes neither directory nor target', async () => {
  await until(
    async () => titles(),
    (all) => all.length === 6,
  )
  promote('E1')
  const { people, state } = await sync(ids.slice(0, 2), true)
  expect(state).toBe('succeeded')
  expect(people.map(({ source }) => [source?.from, source?.decision, source?.brought])).toEqual([
    ['read', 'unchanged', null],
    ['read', 'update', null],
  ])
  expect(titles()).toEqual(Array.from({ length: 6 }, () => 'Clerk'))
  expect((await app.call('tenant', listRuns, { params: { tenantId }, query: {} })).body.data).toHaveLength(1)
})

test('what HR has just corrected for selected people is at the target when their sync is over, and each step can be read', async () => {
  promote('E1', 'E3')
  const { runId, people } = await sync(ids, false)
  expect(people.map(({ source }) => source?.brought?.outcome)).toEqual([undefined, 'applied', undefined, 'applied', undefined, undefined])
  expect(people[1]?.accounts).toMatchObject([{ targetName: 'Workplace', result: 'done', attributes: ['title'] }])
  expect(titles()).toEqual(['Clerk', 'Clerk', 'Clerk', 'Clerk', 'Director', 'Director'])
  const { source, targets } = (await app.call('tenant', showSyncedUser, { params: { tenantId, runId, userId: ids[1] ?? '' } })).body
  expect(source).toMatchObject({
    from: 'read',
    told: { scope: { state: 'everybody' }, match: { state: 'linked' }, decision: { kind: 'update' } },
  })
  expect(source?.told?.record.cells).toContainEqual({ column: 'job', text: 'Director' })
  expect(targets?.[0]?.desired).toContainEqual({ attribute: 'title', value: 'Director' })
  expect(targets?.[0]?.requests.map(({ method, status }) => [method, status])).toContainEqual(['PATCH', 200])
  const runs = (await app.call('tenant', listRuns, { params: { tenantId }, query: {} })).body.data
  expect(runs.map(({ began }) => began)).toEqual(['person', 'hand'])
})

test('syncs of selected people at once do not wait for each other’s place: what one brings in, the other finds done or under way', async () => {
  promote('E0', 'E2', 'E4', 'E5')
  const syncs = await Promise.all([sync(ids.slice(0, 3), false), sync(ids.slice(3), false), sync(ids, false)])
  expect(syncs.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  await sync(ids, false)
  expect(new Set(titles())).toEqual(new Set(['Director']))
})

test('after a crash a sync goes on with what it had read, so that what it brought in does not count as nothing new', async () => {
  const { db } = app.database
  const runId = uuidv7()
  const userIds = ids.slice(0, 2)
  const by = JSON.stringify({ kind: 'admin', id: null, name: 'Tadeo Tenant' })
  const source = JSON.stringify({ from: 'read', at: null, cause: null, key: 'E1', told: null, brought: { outcome: 'applied', runId } })
  const asked = hr.received.length
  await sql`
    with run as (
      insert into runs (tenant_id, id, kind, state, correlation_id, input, counts, created_at, created_by, lease_owner, leased_until)
      values (
        ${tenantId}, ${runId}, 'syncUsers', 'running', 'crashed', ${JSON.stringify({ userIds, preview: false, mayImport: true })},
        '{"done": 1, "total": 2, "leftAlone": 0}', now(), ${by}, ${uuidv7()}, now() - interval '1 minute'
      )
    )
    insert into synced_people (tenant_id, run_id, user_id, sequence, source, targets)
    values (${tenantId}, ${runId}, ${userIds[0]}, 1, null, '[]'), (${tenantId}, ${runId}, ${userIds[1]}, 2, ${source}, null)`.execute(db)
  const look = async () => (await app.call('tenant', listSyncedUsers, { params: { tenantId, runId }, query: {} })).body.data
  expect((await look())[1]?.accounts).toBeNull()
  const { body } = await until(
    () => app.call('tenant', getListRun, { params: { tenantId, runId } }),
    (run) => run.body.finishedAt !== null,
  )
  expect(body).toMatchObject({ state: 'succeeded', done: 2 })
  expect((await look())[1]).toMatchObject({ source: { brought: { outcome: 'applied' } }, accounts: [{ targetName: 'Workplace' }] })
  expect(hr.received).toHaveLength(asked)
})
