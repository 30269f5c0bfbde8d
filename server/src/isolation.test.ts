import { type Endpoint, fillPath } from '@instep/contract/endpoint.ts'
import { ENDPOINTS } from '@instep/contract/endpoints.ts'
import { DEFAULT_GUARDS } from '@instep/contract/guard-settings.ts'
import { DEFAULT_MATCHING } from '@instep/contract/matching.ts'
import type { Role } from '@instep/contract/roles.ts'
import { DEFAULT_TARGET_POLICY } from '@instep/contract/target-policy.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from './platform/ids.ts'
import { TEST_ADMINS, type TestAdmin, type TestApp, testApp } from './testing/app.ts'
import { addConnector, addPeople, linkPeople } from './testing/people.ts'

/**
 * Walks every declared call with every role and every id that it takes, wherever it takes it: an id of another tenant, and one of the own tenant
 * that the caller does not see, must look exactly like one that there is none of; and nothing told may speak of either.
 */

/** Kinds of thing that a call can name. */
type Kind =
  | 'tenant'
  | 'connector'
  | 'site'
  | 'group'
  | 'user'
  | 'admin'
  | 'run'
  | 'listRun'
  | 'file'
  | 'lookup'
  | 'defaults'
  | 'view'
  | 'case'
  | 'scimToken'
  | 'task'
  | 'targetGroup'
  | 'message'
type Things = Record<Kind, string>

let instep: TestApp
/** What a site administrator sees, what in the same tenant is hidden from them, and another tenant's. */
let own: Things
let hidden: Things
let foreign: Things

const SECRET = 'Topsecret'

const seedThings = async (
  place: { tenantId: string; site: string; group: string; admin: string; connectorId?: string },
  name: string,
): Promise<Things> => {
  const { db } = instep.database
  const { tenantId, site, group, admin } = place
  const connectorId = place.connectorId ?? (await addConnector(db, { tenantId, name: `${name} HR` }))
  const [user = ''] = await addPeople(db, { tenantId, connectorId }, [
    {
      given_name: name,
      family_name: name,
      title: name,
      department: name,
      location_name: name,
      work_email: `${name}@x.example`,
      site_id: site,
    },
  ])
  await linkPeople(db, { tenantId, connectorId }, [user])
  const by = JSON.stringify({ kind: 'admin', id: admin, name })
  const [run, listRun, file, lookup, defaults, view, matchCase] = Array.from({ length: 7 }, () => uuidv7()) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  await sql`
    insert into user_overrides (tenant_id, user_id, field, value, by, at) values (${tenantId}, ${user}, 'division', to_jsonb(${name}::text), ${by}, now());
  `.execute(db)
  await sql`update users set overridden = true, division = ${name} where id = ${user}`.execute(db)
  for (const [id, kind, connector] of [
    [run, 'sync', connectorId],
    [listRun, 'exportUsers', null],
  ] as const)
    await sql`
      insert into runs (tenant_id, id, kind, connector_id, correlation_id, state, input, created_by, created_at, finished_at)
      values (${tenantId}, ${id}, ${kind}, ${connector}, ${name}, 'succeeded',
        ${JSON.stringify({ fileId: file, fileName: name, encoding: 'utf-8', delimiter: ',', configVersion: 1, droppedColumns: [] })}, ${by}, now(), now())`.execute(
      db,
    )
  await sql`insert into files (tenant_id, id, connector_id, name, size, format, created_by, created_at, deleted_at)
    values (${tenantId}, ${file}, ${connectorId}, ${name}, 1, 'csv', ${by}, now(), now())`.execute(db)
  await sql`insert into connector_versions (tenant_id, connector_id, version, config, created_by, created_at)
    values (${tenantId}, ${connectorId}, 1, '{"mapping": {"fields": {}}}', ${by}, now()) on conflict do nothing`.execute(db)
  await sql`insert into lookup_values (tenant_id, id, reference_type, value, origin, created_at)
    values (${tenantId}, ${lookup}, 'Division', ${name}, 'admin', now())`.execute(db)
  await sql`insert into defaults (tenant_id, id, site_id, values, updated_at, updated_by)
    values (${tenantId}, ${defaults}, ${site}, ${JSON.stringify({ department: name })}, now(), ${by})`.execute(db)
  await sql`insert into saved_views (tenant_id, admin_id, id, name, state, created_at)
    values (${tenantId}, ${admin}, ${view}, ${name}, ${JSON.stringify({ accountStatus: 'all', searchText: null, connectorId: null, filters: null, sort: 'displayName', columns: [], pageSize: 10 })}, now())`.execute(
    db,
  )
  const scimToken = uuidv7()
  await sql`insert into scim_tokens (tenant_id, connector_id, id, label, hash, created_by, created_at)
    values (${tenantId}, ${connectorId}, ${scimToken}, ${name}, ${name}, ${by}, now())`.execute(db)
  const targetGroup = uuidv7()
  await sql`insert into target_groups (tenant_id, target_id, id, origin, key, name)
    values (${tenantId}, ${connectorId}, ${targetGroup}, 'rule', ${name}, ${name})`.execute(db)
  await sql`insert into events (tenant_id, id, at, stream, type, correlation_id, actor, subject_id, data, after)
    values (${tenantId}, ${uuidv7()}, now(), 'user', 'user.updated', ${name}, ${by}, ${user}, '{}', ${JSON.stringify({ title: name })})`.execute(
    db,
  )
  await sql`insert into match_cases (tenant_id, id, connector_id, source_key, kind, display_name, employee_id, record, candidates, run_id,
      row_number, opened_at)
    values (${tenantId}, ${matchCase}, ${connectorId}, ${name}, 'rehire', ${name}, ${name}, ${JSON.stringify({ raw: [['a', name]], values: {} })},
      ${JSON.stringify([{ userId: user, foundBy: ['Email'] }])}, ${run}, 2, now())`.execute(db)
  const [target, task] = [
    await addConnector(db, { tenantId, name: `${name} by hand`, kind: 'target', definitionId: 'manual-target' }),
    uuidv7(),
  ]
  await sql`insert into target_tasks (tenant_id, id, target_id, user_id, kind, document, comment, opened_at, changed_at)
    values (${tenantId}, ${task}, ${target}, ${user}, 'create', ${JSON.stringify({ id: user, active: true, title: name })}, ${name}, now(), now())`.execute(
    db,
  )
  const message = uuidv7()
  await sql`insert into messages (tenant_id, id, template, channel, recipient_name, address, locale, params, correlation_id, idempotency_key, created_at)
    values (${tenantId}, ${message}, 'heldDates', 'email', ${name}, ${name}, 'en_GB', ${JSON.stringify({ connectorId, connector: name, count: 1 })},
      ${name}, ${name}, now())`.execute(db)
  return {
    tenant: tenantId,
    connector: connectorId,
    site,
    group,
    user,
    admin,
    run,
    listRun,
    file,
    lookup,
    defaults,
    view,
    case: matchCase,
    scimToken,
    task,
    targetGroup,
    message,
  }
}

beforeAll(async () => {
  instep = await testApp()
  const { one, two } = instep.world
  const { adminIds } = instep
  own = await seedThings({ tenantId: one.id, site: one.southSite, group: one.south, admin: adminIds.site }, 'Visible')
  hidden = await seedThings(
    { tenantId: one.id, site: one.northSite, group: one.north, admin: adminIds.siteGroup, connectorId: own.connector },
    `${SECRET} north`,
  )
  foreign = await seedThings({ tenantId: two.id, site: two.site, group: two.group, admin: adminIds.otherTenant }, `${SECRET} two`)
  const { db } = instep.database
  await sql`update sites set name = ${`${SECRET} site`} || name where id in (${one.northSite}, ${two.site})`.execute(db)
  await sql`update site_groups set name = ${`${SECRET} group`} || name where id in (${one.north}, ${two.group})`.execute(db)
})
afterAll(() => instep.close())

const absent = (): Things => Object.fromEntries(Object.keys(own).map((kind) => [kind, uuidv7()])) as Things

/** What a path parameter names, by the part of the path in front of it. */
const PATHS: readonly [RegExp, Kind][] = [
  [/\/connectors\/tenants\/$/, 'tenant'],
  [/\{tenantId\}\/sites\/$/, 'site'],
  [/\/site-groups\/$/, 'group'],
  [/\/instances\/\{id\}\/groups\/$/, 'targetGroup'],
  [/\/instances\/$/, 'connector'],
  [/\/users\/$/, 'user'],
  [/\/protected-people\/$/, 'user'],
  [/\/list-runs\/$/, 'listRun'],
  [/\/runs\/$/, 'run'],
  [/\/files\/$/, 'file'],
  [/\/lookup-fields\/$/, 'lookup'],
  [/\/defaults\/$/, 'defaults'],
  [/\/views\/$/, 'view'],
  [/\/cases\/$/, 'case'],
  [/\/messages\/$/, 'message'],
  [/\/scim\/tokens\/$/, 'scimToken'],
  [/\/synced-users\/$/, 'user'],
  [/\/tasks\/$/, 'task'],
  [/^\/connectors\/$/, 'connector'],
  [/\/(directory|claim)\/$/, 'tenant'],
]

interface Slot {
  readonly where: 'path' | 'query' | 'body'
  readonly name: string
  readonly kind: Kind
}

const kindOfParam = (path: string, name: string): Kind => {
  if (name === 'tenantId') return 'tenant'
  const before = path.slice(0, path.indexOf(`{${name}}`))
  const kind = PATHS.find(([pattern]) => pattern.test(before))?.[1]
  if (!kind) throw new Error(`${path}: what does {${name}} name?`)
  return kind
}

const QUERY_KINDS: Readonly<Record<string, Kind>> = {
  siteId: 'site',
  siteGroupId: 'group',
  groupId: 'group',
  userId: 'admin',
  connectorId: 'connector',
}

const PERSON = { name: { givenName: 'A', familyName: 'B' }, externalId: 'iso-1' }
const CONFIG_FILE = { format: 'instep.connector-config', formatVersion: 1, config: {} }
const VIEW_STATE = { columns: [] as string[] }
/** A body that each call takes, naming `things`; and the places in it that name one. */
const BODIES: Readonly<Record<string, { of: (things: Things) => unknown; slots?: Readonly<Record<string, Kind>> }>> = {
  'sites.create': { of: ({ group }) => ({ name: '', employeeIdPrefix: 'X', groupId: group }) },
  'sites.createGroup': { of: () => ({ name: '' }) },
  'sites.update': { of: ({ group, site }) => ({ groupId: group, active: false, moveTo: { siteId: site } }), slots: { groupId: 'group' } },
  'sites.updateGroup': { of: () => ({ name: `Name ${uuidv7()}` }) },
  'settings.createDefaults': { of: ({ site }) => ({ siteId: site, values: {} }), slots: { siteId: 'site' } },
  'settings.updateDefaults': { of: () => ({ values: { department: 'Y' } }) },
  'lookups.update': { of: () => ({ retired: false }) },
  'connectors.update': { of: () => ({}) },
  'connectors.attributes.set': { of: () => ({ rules: [] }) },
  'connectors.attributes.preview': { of: () => ({ rules: [] }) },
  'targets.approveRemovals': { of: () => ({ kind: 'members', reason: 'Because' }) },
  'targets.rejectRemovals': { of: () => ({ kind: 'accounts', reason: 'Because' }) },
  'drift.revoke': { of: ({ user }) => ({ userId: user, attribute: 'title' }), slots: { userId: 'user' } },
  'targetGroups.retry': { of: ({ targetGroup }) => ({ groupId: targetGroup }), slots: { groupId: 'targetGroup' } },
  'users.search': {
    of: ({ tenant, connector, site, group }) => ({ tenantId: tenant, connectorId: connector, siteId: site, siteGroupId: group }),
    slots: { tenantId: 'tenant', connectorId: 'connector', siteId: 'site', siteGroupId: 'group' },
  },
  'users.create': { of: ({ site }) => ({ ...PERSON, siteId: site }), slots: { siteId: 'site' } },
  'users.update': { of: () => ({ title: 'Same' }) },
  'users.lock': { of: () => ({ reason: 'Because' }) },
  'users.vip': { of: () => ({ vip: false }) },
  'overrides.clear': {
    of: ({ user, site, connector }) => ({ filter: { siteId: site, connectorId: connector, field: user } }),
    slots: { siteId: 'site', connectorId: 'connector' },
  },
  'exports.users': {
    of: ({ user, site, group, connector }) => ({
      format: 'csv',
      filter: { siteId: site, siteGroupId: group, connectorId: connector },
      userIds: [user],
    }),
    slots: { siteId: 'site', siteGroupId: 'group', connectorId: 'connector', userIds: 'user' },
  },
  'sync.allowDates': { of: () => ({ reason: 'Because' }) },
  'views.update': { of: () => ({ name: 'Same' }) },
  'views.create': { of: () => ({ name: '', state: VIEW_STATE }) },
  'matching.update': { of: () => DEFAULT_MATCHING },
  'placement.update': { of: ({ site }) => ({ rules: [{ to: { siteId: site } }] }) },
  'grace.update': { of: () => ({ days: 30 }) },
  'users.bulkMove': {
    of: ({ connector, site, user }) => ({ connectorId: connector, targetSiteId: site, identityIds: [user] }),
    slots: { connectorId: 'connector', targetSiteId: 'site', identityIds: 'user' },
  },
  'cases.answer': { of: ({ user }) => ({ decision: 'link', userId: user }), slots: { userId: 'user' } },
  'cases.previewAnswers': {
    of: ({ connector }) => ({ kind: 'rehire', decision: 'create', connectorId: connector }),
    slots: { connectorId: 'connector' },
  },
  'cases.answerAll': { of: ({ case: id }) => ({ caseIds: [id], answer: { decision: 'create' } }) },
  'sources.setSchedule': { of: () => ({ cron: '0 6 * * *', timeZone: 'UTC', enabled: false, apply: 'approval' }) },
  'sources.previewSchedule': { of: () => ({ cron: '0 6 * * *', timeZone: 'UTC' }) },
  'sync.previewConfig': { of: () => CONFIG_FILE },
  'sync.importConfig': { of: () => CONFIG_FILE },
  'sync.applyRun': { of: () => ({}) },
  'sync.rejectRun': { of: () => ({}) },
  'guards.update': {
    of: ({ site }) => ({
      settings: { ...DEFAULT_GUARDS, sites: [{ siteId: site, kind: 'create', ...DEFAULT_GUARDS.limits.create }] },
      reason: 'Because',
    }),
  },
  'guards.protect': { of: () => ({ reason: 'Because' }) },
  'guards.unprotect': { of: () => ({ reason: 'Because' }) },
  'targets.updatePolicy': { of: () => ({ policy: DEFAULT_TARGET_POLICY }) },
  'scimIn.createToken': { of: () => ({ label: 'Another' }) },
  'scimIn.rotateToken': { of: () => ({ overlapHours: 1 }) },
  'tasks.update': { of: () => ({ comment: 'Noted' }) },
  'tasks.complete': { of: () => ({ revision: 9 }) },
  'tasks.completeAll': { of: ({ task }) => ({ tasks: [{ taskId: task, revision: 9 }] }) },
  'tasks.fail': { of: () => ({ revision: 9, reason: 'Because' }) },
  'drift.set': { of: () => ({ every: 'off', weekday: 1, hour: 3, timeZone: 'UTC', putBack: false }) },
  'drift.decide': { of: ({ user }) => ({ decision: 'link', kind: 'unknown', sequences: [1], userId: user }) },
  'userSync.many': { of: ({ user }) => ({ userIds: [user] }), slots: { userIds: 'user' } },
  'sync.startRun': { of: ({ file }) => ({ fileId: file }), slots: { fileId: 'file' } },
}

/** What of a query a call cannot do without. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'provisioning.list': { state: 'failed' },
  'drift.findings': { kind: 'changed' },
  'drift.suggest': { sequence: '1' },
}

const slotsOf = (endpoint: Endpoint): Slot[] => [
  // a version is a number within a connector, and names nothing by itself
  ...[...endpoint.path.matchAll(/\{(?!version\})(\w+)\}/g)].map(([, name = '']) => ({
    where: 'path' as const,
    name,
    kind: kindOfParam(endpoint.path, name),
  })),
  ...Object.keys('shape' in endpoint.query ? (endpoint.query.shape as object) : {}).flatMap((name) => {
    const kind = QUERY_KINDS[name]
    return kind ? [{ where: 'query' as const, name, kind }] : []
  }),
  ...Object.entries(BODIES[endpoint.id]?.slots ?? {}).map(([name, kind]) => ({ where: 'body' as const, name, kind })),
]

/** One call that names visible things everywhere but in one place. */
const call = async (admin: TestAdmin, endpoint: Endpoint, { slot, value }: { slot?: Slot; value?: Things } = {}) => {
  const at = (where: Slot['where'], name: string, kind: Kind) =>
    slot?.where === where && slot.name === name && value ? value[kind] : own[kind]
  const params = Object.fromEntries(
    slotsOf(endpoint).flatMap(({ where, name, kind }) => (where === 'path' ? [[name, at(where, name, kind)]] : [])),
  )
  const query = new URLSearchParams(slot?.where === 'query' && value ? { [slot.name]: value[slot.kind] } : {})
  if ('shape' in endpoint.query && 'ReferenceType' in (endpoint.query.shape as object)) query.set('ReferenceType', 'Department')
  if (endpoint.id === 'provisioning.list') query.set('state', 'failed')
  if ('shape' in endpoint.query && 'code' in (endpoint.query.shape as object)) query.set('code', 'email')
  if (endpoint.id === 'provisioning.list' || endpoint.id === 'targetGroups.members')
    query.set('state', endpoint.id === 'provisioning.list' ? 'failed' : 'pending')
  for (const [name, text] of Object.entries(QUERIES[endpoint.id] ?? {})) query.set(name, text)
  const bodyThings = slot?.where === 'body' && value ? { ...own, [slot.kind]: value[slot.kind] } : own
  const controller = new AbortController()
  const response = await fetch(`${instep.url}/v1${fillPath(endpoint.path, { version: 1, ...params })}?${query}`, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${await instep.tokenOf(admin)}`,
      ...(endpoint.bodyKind === 'json' && { 'content-type': 'application/json' }),
    },
    ...(endpoint.bodyKind === 'json' && { body: JSON.stringify(BODIES[endpoint.id]?.of(bodyThings) ?? {}) }),
    signal: controller.signal,
  })
  const text = await response.text()
  const body: unknown = response.headers.get('content-type')?.includes('json') && text ? JSON.parse(text) : text
  return { status: response.status, body: typeof body === 'object' ? { ...body, correlationId: '' } : body, text }
}

const roleOf = (admin: TestAdmin): Role => TEST_ADMINS[admin].role
const BELOW: ReadonlySet<TestAdmin> = new Set(['site', 'gdpr'])
const callers = (endpoint: Endpoint): TestAdmin[] =>
  (['tenant', 'siteGroup', 'site', 'gdpr'] as const).filter((admin) => endpoint.who.roles.includes(roleOf(admin)))

/** Kinds that belong to a place or a person within the tenant, so that somebody else of the tenant may not see them. */
const NARROW: Partial<Record<Kind, readonly TestAdmin[]>> = {
  site: ['site'],
  group: ['site'],
  user: ['site'],
  admin: ['site'],
  defaults: ['site'],
  listRun: ['site'],
  view: ['site', 'tenant'],
  task: ['site'],
}

/** What nobody below knows answers this, wherever it is named. */
const UNKNOWN = [404, 400, 422, 409]

describe.each(ENDPOINTS.filter(({ within }) => within !== 'self').map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    const cases = callers(endpoint)
      .filter((admin) => admin !== 'siteGroup')
      .flatMap((admin) => slotsOf(endpoint).map((slot) => ({ admin, slot, named: `${slot.where} ${slot.name}` })))

    it.each(cases)('tells $admin nothing of what they do not see: $named', async ({ admin, slot }) => {
      const nothing = await call(admin, endpoint, { slot, value: absent() })
      expect(nothing.status, nothing.text).toBeOneOf(UNKNOWN)
      if (slot.where === 'path') expect(nothing.status).toBe(404)
      const others = [foreign, ...(NARROW[slot.kind]?.includes(admin) ? [hidden] : [])]
      for (const value of others) {
        const { status, body } = await call(admin, endpoint, { slot, value })
        expect({ status, body }).toEqual({ status: nothing.status, body: nothing.body })
      }
    })

    it.each(callers(endpoint).filter((admin) => BELOW.has(admin) && endpoint.method === 'GET'))(
      'speaks to %s of nothing that is not theirs',
      async (admin) => {
        const { status, text } = await call(admin, endpoint)
        expect(status, text).toBeLessThan(500)
        // lookup values, security attributes and the tenant's own name are the whole tenant's
        if (!endpoint.id.startsWith('lookups.')) expect(text).not.toContain(SECRET)
      },
    )
  },
)

describe('the walk itself', () => {
  it('reaches what the caller does see: a check that cannot fail is none', async () => {
    for (const id of [
      'users.get',
      'sites.get',
      'users.search',
      'logs.user',
      'users.provenance',
      'settings.getSiteDefaults',
      'exports.get',
    ]) {
      const endpoint = ENDPOINTS.find((one) => one.id === id) as Endpoint
      const { status, text } = await call('site', endpoint)
      expect([id, status], text).toEqual([id, 200])
    }
  })

  it('counts and lists for each role exactly what is theirs', async () => {
    const search = ENDPOINTS.find(({ id }) => id === 'users.search') as Endpoint
    const response = async (admin: TestAdmin) => {
      const answer = await fetch(`${instep.url}/v1${fillPath(search.path, { connectorId: own.tenant })}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await instep.tokenOf(admin)}`, 'content-type': 'application/json' },
        body: '{}',
      })
      const { data, count } = (await answer.json()) as { data: { displayName: string }[]; count: { value: number } }
      return [count.value, ...data.map(({ displayName }) => displayName.split(' ')[0])]
    }
    expect(await response('site')).toEqual([1, 'Visible'])
    expect(await response('siteGroup')).toEqual([1, SECRET])
    expect(await response('tenant')).toEqual([2, SECRET, 'Visible'])
  })
})

describe('the connector called GDPR', () => {
  const create = ENDPOINTS.find(({ id }) => id === 'users.create') as Endpoint
  let kept: string
  beforeAll(async () => {
    kept = await addConnector(instep.database.db, { tenantId: own.tenant, name: 'GdPR' })
  })
  const post = async (admin: TestAdmin, { connectorId, body }: { connectorId: string; body: object }) => {
    const response = await fetch(`${instep.url}/v1${fillPath(create.path, { connectorId })}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await instep.tokenOf(admin)}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: { ...((await response.json()) as object), correlationId: '' } }
  }

  it.each(
    (['site', 'siteGroup'] as const).flatMap((admin) =>
      [1023, 0].flatMap((permissions) => [{ ...PERSON }, { externalId: 7 }].map((body) => ({ admin, permissions, body }))),
    ),
  )('takes nobody from $admin, as if there were none: $permissions $body', async ({ admin, permissions, body }) => {
    await sql`update connectors set permissions = ${permissions} where id = ${kept}`.execute(instep.database.db)
    const absentOne = await post(admin, { connectorId: uuidv7(), body })
    expect(absentOne.status).toBe(404)
    expect(await post(admin, { connectorId: kept, body })).toEqual(absentOne)
  })

  it('takes people from the tenant level', async () => {
    await sql`update connectors set permissions = 1023 where id = ${kept}`.execute(instep.database.db)
    expect((await post('tenant', { connectorId: kept, body: { ...PERSON, siteId: own.site } })).status).toBe(201)
  })
})
