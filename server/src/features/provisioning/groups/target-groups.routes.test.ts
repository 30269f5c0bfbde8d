import { createWorkplaceTarget } from '@instep/connectors/workplace/workplace-target.ts'
import { createConnector, updateConnector } from '@instep/contract/connectors.ts'
import { createSite, updateSite } from '@instep/contract/sites.ts'
import { getTargetGroup, listTargetGroups, listTargetMembers, retryTargetGroups } from '@instep/contract/target-groups.ts'
import { updateUser } from '@instep/contract/user-edits.ts'
import { sandboxForTests, type TestSandbox } from '@instep/sandbox/testing/sandbox-for-tests.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/ids.ts'
import { silentLog } from '../../../platform/log.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { addConnector, addPeople } from '../../../testing/people.ts'
import { createProvisioner } from '../provisioner.ts'

let app: TestApp
let sandbox: TestSandbox
let tenantId = ''
let sourceId = ''
let targetId = ''
let people: string[] = []
beforeAll(async () => {
  ;[app, sandbox] = await Promise.all([testApp(), sandboxForTests()])
  const { one } = app.world
  tenantId = one.id
  sourceId = await addConnector(app.database.db, { tenantId, name: 'HR' })
  const row = (n: number, site_id: string | null) => ({ external_id: `E-${n}`, work_email: `p${n}@example.com`, site_id })
  people = await addPeople(app.database.db, { tenantId, connectorId: sourceId }, [
    row(1, one.northSite),
    row(2, one.northSite),
    row(3, one.southSite),
    row(4, null),
  ])
})
afterAll(async () => {
  await app.close()
  await sandbox.close()
})

const params = () => ({ tenantId, id: targetId })
const address = () => `${sandbox.url()}/workplace/northwind`
const provision = () =>
  createProvisioner({
    db: app.database.db,
    clock: systemClock,
    log: silentLog,
    openTarget: async () => createWorkplaceTarget({ baseUrl: address(), memberChunk: 1 }, { token: 'sandbox-northwind' }),
    concurrency: 4,
  }).runOnce()

/** Names of the workplace's groups with the user names of their members. */
const truth = async (): Promise<Record<string, string[]>> => {
  const groups = (await sandbox.scim({ path: '/Groups' })).body.Resources
  const accounts = (await sandbox.scim({ path: '/Users' })).body.Resources
  const nameOf = new Map(accounts.map((account: { id: string; userName: string }) => [account.id, account.userName]))
  return Object.fromEntries(
    groups.map((group: { displayName: string; members?: { value: string }[] }) => [
      group.displayName,
      (group.members ?? []).map(({ value }) => nameOf.get(value)).toSorted(),
    ]),
  )
}
const listed = async () => {
  const { body } = await app.call('tenant', listTargetGroups, { params: params(), query: { pageSize: 50 } })
  return body.data
}

test('a target that is added owes no groups, unless it is asked for', async () => {
  const properties = { baseUrl: address(), token: 'sandbox-northwind' }
  const added = await app.call('tenant', createConnector, {
    params: { tenantId },
    body: { name: 'W', definitionId: 'workplace', properties },
  })
  expect(added.status).toBe(201)
  targetId = added.body.id
  expect(await listed()).toEqual([])
})

describe.each([
  ['list', listTargetGroups, {}],
  ['get', getTargetGroup, { group: true }],
  ['members', listTargetMembers, { group: true, query: { state: 'inStep' } }],
  ['retry', retryTargetGroups, { body: {} }],
] as const)('%s', (_, endpoint, more) => {
  const call = (admin: 'tenant' | 'siteGroup' | 'site' | 'gdpr' | 'otherTenant', id: string) =>
    app.call(admin, endpoint, { ...more, params: { tenantId, id, groupId: uuidv7() } } as never)
  test('is refused below tenant level', async () => {
    for (const admin of ['siteGroup', 'site', 'gdpr'] as const) expect((await call(admin, targetId)).status).toBe(403)
  })
  test("another tenant's target, a source and nothing at all look alike", async () => {
    for (const id of [sourceId, uuidv7()]) expect((await call('tenant', id)).status).toBe(404)
    expect((await call('otherTenant', targetId)).status).toBe(404)
  })
})

describe('with a group for each site', () => {
  test('the workplace gets the people of each open site, and the calls say so', async () => {
    await app.call('tenant', updateConnector, { params: params(), body: { properties: { groupPerSite: true } } })
    const before = await listed()
    expect(before.map(({ name, state, members }) => [name, state, members.pending])).toEqual([
      ['Loose site', 'pending', 0],
      ['North site', 'pending', 2],
      ['South site', 'pending', 1],
    ])
    await provision()
    expect(await truth()).toEqual({
      'Loose site': [],
      'North site': ['p1@example.com', 'p2@example.com'],
      'South site': ['p3@example.com'],
    })
    const [, north] = await listed()
    expect(north).toMatchObject({
      state: 'inStep',
      privacy: 'closed',
      wanted: true,
      members: { inStep: 2, pending: 0, waiting: 0, quarantined: 0 },
    })
    const groupId = north?.id ?? ''
    const members = await app.call('tenant', listTargetMembers, {
      params: { ...params(), groupId },
      query: { state: 'inStep', pageSize: 1 },
    })
    expect(members.body.data).toMatchObject([{ userId: people[0], displayName: 'Ada Byron', employeeId: 'E-1', wanted: true }])
    const next = await app.call('tenant', listTargetMembers, {
      params: { ...params(), groupId },
      query: { state: 'inStep', pageSize: 1, continuationToken: members.body.continuationToken ?? '' },
    })
    expect([next.body.data.map(({ userId }) => userId), next.body.continuationToken]).toEqual([[people[1]], null])
  })

  test('the list goes page by page, by name', async () => {
    const seen: string[] = []
    let continuationToken: string | null = null
    do {
      const query: { pageSize: number; continuationToken?: string } = { pageSize: 1, ...(continuationToken ? { continuationToken } : {}) }
      const { body } = await app.call('tenant', listTargetGroups, { params: params(), query })
      seen.push(...body.data.map(({ name }) => name))
      continuationToken = body.continuationToken
    } while (continuationToken)
    expect(seen).toEqual(['Loose site', 'North site', 'South site'])
  })

  test('people who work elsewhere, or no longer, change groups', async () => {
    const edit = (index: number, body: object) =>
      app.call('tenant', updateUser, { params: { connectorId: sourceId, id: people[index] ?? '' }, body } as never)
    expect((await edit(1, { siteId: app.world.one.looseSite })).status).toBe(200)
    expect((await edit(2, { active: false })).status).toBe(200)
    expect((await edit(3, { siteId: app.world.one.southSite })).status).toBe(200)
    await provision()
    expect(await truth()).toEqual({ 'Loose site': ['p2@example.com'], 'North site': ['p1@example.com'], 'South site': ['p4@example.com'] })
  })

  test('sites that are added, renamed and closed take their groups along; what is asked twice asks the workplace nothing', async () => {
    await app.call('tenant', createSite, { params: { tenantId }, body: { name: 'New site', employeeIdPrefix: 'N' } })
    const { northSite, looseSite } = app.world.one
    await app.call('tenant', updateSite, { params: { tenantId, id: northSite }, body: { name: 'Far north' } })
    await app.call('tenant', updateSite, { params: { tenantId, id: looseSite }, body: { active: false, moveTo: { siteId: northSite } } })
    await provision()
    const after = { 'Loose site': [], 'Far north': ['p1@example.com', 'p2@example.com'], 'South site': ['p4@example.com'], 'New site': [] }
    expect(await truth()).toEqual(after)
    expect(await provision()).toBe(0)
  })

  test('a group that the workplace refuses is tried again when somebody asks for it', async () => {
    await app.database.db
      .updateTable('target_groups')
      .set({ state: 'quarantined', cause: 'TARGET_REFUSED' })
      .where('name', '=', 'New site')
      .execute()
    const { body } = await app.call('tenant', retryTargetGroups, { params: params(), body: {} })
    expect(body).toEqual({ groups: 1, members: 0 })
    expect((await app.call('tenant', retryTargetGroups, { params: params(), body: {} })).body).toEqual({ groups: 0, members: 0 })
  })

  test('switched off, the groups stay at the workplace as they are, and switched on again they are found', async () => {
    const before = await truth()
    await app.call('tenant', updateConnector, { params: params(), body: { properties: { groupPerSite: false } } })
    await provision()
    expect([await listed(), await truth()]).toEqual([[], before])
    await app.call('tenant', updateConnector, { params: params(), body: { properties: { groupPerSite: true } } })
    await provision()
    expect(await truth()).toEqual(before)
    expect((await listed()).map(({ state }) => state)).toEqual(['inStep', 'inStep', 'inStep'])
  })
})
