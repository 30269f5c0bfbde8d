import {
  type ConfigFile,
  diffConfigVersions,
  exportConfigVersion,
  getConfigVersion,
  importConfig,
  listConfigVersions,
  previewConfig,
  restoreConfigVersion,
  tryConfigVersion,
} from '@instep/contract/config-versions.ts'
import { createConnector } from '@instep/contract/connectors.ts'
import { DEFAULT_GRACE } from '@instep/contract/grace-period.ts'
import { DEFAULT_GUARDS, type GuardSettings, getGuards, updateGuards } from '@instep/contract/guard-settings.ts'
import { DEFAULT_MATCHING } from '@instep/contract/matching.ts'
import { DEFAULT_PLACEMENT } from '@instep/contract/placement.ts'
import type { ProblemBody } from '@instep/contract/problem.ts'
import { applyRun, getRun, listPlanRows, type Mapping, type Run, type SourceFile, startRun } from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addPeople } from '../../testing/people.ts'
import { namesOf, resolveNames } from './config-names.ts'
import { diffConfigs } from './diff-config.ts'

let instep: TestApp
let connectorId: string
let made = 0

beforeAll(async () => {
  instep = await testApp({ workers: true })
})
afterAll(() => instep.close())
beforeEach(async () => {
  made += 1
  const body = { name: `HR ${made}`, definitionId: 'file', properties: {} }
  connectorId = (await instep.call('tenant', createConnector, { params: { tenantId: instep.world.one.id }, body })).body.id
})

const MAPPING: Mapping = { fields: { externalId: { column: 'id' }, givenName: { column: 'first' }, familyName: { column: 'last' } } }
const TITLED: Mapping = { fields: { ...MAPPING.fields, title: { column: 'job', transforms: [{ kind: 'trim' }] } } }
/** People of the connector under test alone. */
const file = (more = ''): string => `id,first,last,job\n${made}-1,Ada,Byron,Poet\n${made}-2,Eve,King,Cook\n${more}`

const upload = async (content = file()): Promise<string> => {
  const form = new FormData()
  form.append('file', new Blob([content]), 'people.csv')
  const headers = { authorization: `Bearer ${await instep.tokenOf('tenant')}` }
  const response = await fetch(`${instep.url}/v1/connectors/${connectorId}/files`, { method: 'POST', headers, body: form })
  return ((await response.json()) as SourceFile).id
}
const runOf = async (runId: string) => (await instep.call('tenant', getRun, { params: { tenantId: instep.world.one.id, runId } })).body
const until = async (runId: string, ...states: Run['state'][]): Promise<Run> => {
  await vi.waitFor(async () => expect(states).toContain((await runOf(runId)).state), { timeout: 20_000 })
  return runOf(runId)
}
/** Imports a file with a mapping, to its end. */
const sync = async (mapping: Mapping, content = file()): Promise<Run> => {
  const { body } = await instep.call('tenant', startRun, { params: { connectorId }, body: { fileId: await upload(content), mapping } })
  await until(body.id, 'planned', 'held')
  await instep.call('tenant', applyRun, { params: { tenantId: instep.world.one.id, runId: body.id }, body: { reason: 'right' } })
  return until(body.id, 'succeeded', 'partlySucceeded')
}
const list = async () => (await instep.call('tenant', listConfigVersions, { params: { connectorId } })).body.data
const restore = (version: number, reason?: string) =>
  instep.call('tenant', restoreConfigVersion, { params: { connectorId, version }, body: reason === undefined ? {} : { reason } })
const exported = async (version: number): Promise<ConfigFile> => {
  const path = exportConfigVersion.path.replace('{connectorId}', connectorId).replace('{version}', String(version))
  const response = await fetch(`${instep.url}/v1${path}`, { headers: { authorization: `Bearer ${await instep.tokenOf('tenant')}` } })
  expect(response.headers.get('content-disposition')).toContain(`HR-${made}-${version}.json`)
  return (await response.json()) as ConfigFile
}
const events = async () =>
  (
    await sql<{ type: string; data: Record<string, unknown> }>`
      select type, data from events where connector_id = ${connectorId} and type like 'connector.config.%' order by id`.execute(
      instep.database.db,
    )
  ).rows
const trial = (version: number) => instep.call('tenant', tryConfigVersion, { params: { connectorId, version } })

describe('the versions of a configuration', () => {
  it('are not there for what is absent, and not asked of a target', async () => {
    expect((await restore(1)).status).toBe(404)
    expect((await trial(1)).status).toBe(404)
    const target = { name: `Target ${made}`, definitionId: 'scim', properties: { baseUrl: 'https://a.example', token: 't' } }
    const { id } = (await instep.call('tenant', createConnector, { params: { tenantId: instep.world.one.id }, body: target })).body
    expect((await instep.call('tenant', listConfigVersions, { params: { connectorId: id } })).status).toBe(409)
  })

  it('are listed newest first, with what each changed', async () => {
    await sync(MAPPING)
    await sync(TITLED)
    expect(await list()).toMatchObject([
      { version: 2, changed: ['mapping'], inForce: true, createdBy: expect.any(String) },
      { version: 1, changed: ['mapping'], inForce: false },
    ])
    const page = await instep.call('tenant', listConfigVersions, { params: { connectorId }, query: { pageSize: 1 } })
    const { continuationToken } = page.body
    const next = await instep.call('tenant', listConfigVersions, {
      params: { connectorId },
      query: { pageSize: 1, continuationToken: continuationToken ?? '' },
    })
    expect(next.body).toMatchObject({ data: [{ version: 1 }], continuationToken: null })
    const one = await instep.call('tenant', getConfigVersion, { params: { connectorId, version: 2 } })
    expect(one.body.config.mapping).toEqual(TITLED)
  })

  it('differ by the fields that were mapped otherwise', async () => {
    await sync(MAPPING)
    await sync(TITLED)
    const changes = [{ path: ['mapping', 'fields', 'title'], before: null, after: TITLED.fields.title }]
    const before = await instep.call('tenant', diffConfigVersions, { params: { connectorId, version: 2 } })
    expect(before.body).toEqual({ from: 1, to: 2, changes })
    const back = await instep.call('tenant', diffConfigVersions, { params: { connectorId, version: 1 }, query: { against: 2 } })
    expect(back.body.changes).toEqual([{ path: ['mapping', 'fields', 'title'], before: TITLED.fields.title, after: null }])
  })

  it('are put in force again as new ones, told of once, and nothing happens where they are in force', async () => {
    await sync(MAPPING)
    await sync(TITLED)
    expect((await restore(2)).body).toMatchObject({ version: 2, inForce: true })
    expect(await events()).toEqual([])
    expect((await restore(1)).body).toMatchObject({ version: 3, inForce: true, changed: ['mapping'] })
    expect((await restore(1)).body).toMatchObject({ version: 3 })
    expect(await events()).toMatchObject([{ type: 'connector.config.restored', data: { to: 1, from: 2, version: 3, parts: 'mapping' } }])
    // records that were read by the other mapping are read again, once
    expect((await sync(MAPPING)).counts).toMatchObject({ update: 0, unchanged: 2 })
  })
})

describe('a version that turns off a guard when it is put in force again', () => {
  const { off: _, ...standard } = DEFAULT_GUARDS
  const run = { ...standard.limits.deactivate.run, on: false }
  const loose: GuardSettings = { ...standard, limits: { ...standard.limits, deactivate: { ...standard.limits.deactivate, run } } }
  const guard = (settings: GuardSettings, reason: string) =>
    instep.call('tenant', updateGuards, { params: { connectorId }, body: { settings, reason } })
  const offs = async () => (await instep.call('tenant', getGuards, { params: { connectorId } })).body.settings.off

  it('is refused without a reason of its own, and stands under the name of whoever does it now', async () => {
    await guard(loose, 'Seasonal closure')
    await guard(standard, 'Over')
    for (const reason of [undefined, ' ']) expect((await restore(1, reason)).body).toMatchObject({ code: 'GUARD_REASON_REQUIRED' })
    expect(await list()).toHaveLength(2)
    expect((await restore(1, 'Closed again')).body).toMatchObject({ version: 3, inForce: true })
    expect(await offs()).toMatchObject([{ guard: 'limits.deactivate.run', by: 'Tadeo Tenant', reason: 'Closed again' }])
    expect(await events()).toMatchObject([{ type: 'connector.config.restored', data: { to: 1, version: 3, reason: 'Closed again' } }])
    // what is off already asks nothing more, and who turned it off stays
    expect((await restore(1)).body).toMatchObject({ version: 3 })
    expect((await restore(2)).body).toMatchObject({ version: 4 })
    expect(await offs()).toEqual([])
  })

  it('is so as well where it says nothing of guards while a site has a limit of its own, and so is a file', async () => {
    await sync(MAPPING)
    const file = await exported(1)
    const site = { siteId: null, kind: 'deactivate' as const, ...standard.limits.deactivate }
    await guard({ ...standard, sites: [site] }, '')
    expect((await restore(1)).body).toMatchObject({ code: 'GUARD_REASON_REQUIRED' })
    const refused = await instep.call('tenant', importConfig, { params: { connectorId }, body: file })
    expect(refused.body).toMatchObject({ code: 'GUARD_REASON_REQUIRED' })
    const gone = [{ guard: 'sites.each.deactivate.run' }, { guard: 'sites.each.deactivate.day' }]
    const { body: preview } = await instep.call('tenant', previewConfig, { params: { connectorId }, body: file })
    expect(preview.unsaid).toEqual(gone.map((off) => off.guard))
    const reason = 'One site is left'
    const done = await instep.call('tenant', importConfig, { params: { connectorId }, body: { ...file, reason } })
    expect(done.body).toMatchObject({ version: 3, inForce: true })
    expect(await offs()).toMatchObject(gone.map((off) => ({ ...off, by: 'Tadeo Tenant', reason })))
    expect(await events()).toMatchObject([{ type: 'connector.config.imported', data: { reason } }])
    expect((await restore(2)).body).toMatchObject({ version: 4 })
    expect((await restore(1, reason)).body).toMatchObject({ version: 5 })
    expect(await offs()).toMatchObject(gone)
    // and is still told when something else has changed since
    await guard(loose, 'Seasonal closure')
    expect(await offs()).toMatchObject([...gone, { guard: 'limits.deactivate.run' }])
  })
})

const tokenHeaders = async () => ({ authorization: `Bearer ${await instep.tokenOf('tenant')}` })

describe('a configuration as a file', () => {
  it('comes back as it went, into another source, after its differences were shown', async () => {
    await sync(TITLED)
    const config = await exported(1)
    expect(config).toMatchObject({ format: 'instep.connector-config', formatVersion: 1, connector: `HR ${made}`, version: 1, names: {} })
    expect(config.config).toEqual({ mapping: TITLED })
    await sync(MAPPING)
    const preview = await instep.call('tenant', previewConfig, { params: { connectorId }, body: config })
    expect(preview.body).toMatchObject({ from: 2, to: null, changes: [{ path: ['mapping', 'fields', 'title'] }] })
    expect(await list()).toHaveLength(2)
    const done = await instep.call('tenant', importConfig, { params: { connectorId }, body: config })
    expect(done.body).toMatchObject({ version: 3, inForce: true })
    expect((await instep.call('tenant', importConfig, { params: { connectorId }, body: config })).body).toMatchObject({ version: 3 })
    expect(await events()).toMatchObject([{ type: 'connector.config.imported', data: { version: 3, from: 2 } }])
  })

  it('is not taken by two at once: whoever compared it with a version that is no longer in force is told', async () => {
    await sync(TITLED)
    const config = await exported(1)
    await sync(MAPPING)
    const send = (path: string, ifMatch: string, body: unknown = {}) => {
      const headers = { 'content-type': 'application/json', 'if-match': ifMatch }
      return tokenHeaders().then((own) =>
        fetch(`${instep.url}/v1/connectors/${connectorId}/config/${path}`, {
          method: 'POST',
          headers: { ...own, ...headers },
          body: JSON.stringify(body),
        }),
      )
    }
    const both = await Promise.all([send('import', '"2"', config), send('import', '"2"', config)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    const refusal = await both.find(({ status }) => status === 412)?.json()
    expect(refusal).toMatchObject({ code: 'CONFIG_CHANGED', params: { version: 3 } })
    expect((await send('versions/2/restore', '"2"')).status).toBe(412)
    expect((await send('versions/2/restore', '"3"')).status).toBe(200)
    expect(await list()).toHaveLength(4)
  })

  it.each([
    [{ mapping: { fields: { startDate: { column: 'a', dateFormat: 'XYZ' } } } }, 'config.mapping.fields.startDate.dateFormat'],
    [{ mapping: { fields: { shoeSize: { column: 'a' } } } }, 'config.mapping.fields'],
    [{ weather: { sunny: true } }, 'config.weather'],
  ])('that cannot be one is refused, and the place is named: %j', async (config, field) => {
    const body = { format: 'instep.connector-config' as const, formatVersion: 1 as const, config }
    const { status, body: answer } = await instep.call('tenant', importConfig, { params: { connectorId }, body })
    expect(status).toBe(400)
    expect(Object.keys((answer as unknown as ProblemBody).fields ?? {}).some((name) => name.startsWith(field))).toBe(true)
    expect(await list()).toEqual([])
  })

  it('that turns off a guard and does not say why is refused; one that says why stands under the name of whoever imports it', async () => {
    await sync(TITLED)
    const { off: _, ...standard } = DEFAULT_GUARDS
    const run = { ...standard.limits.deactivate.run, on: false }
    const limits = { ...standard.limits, deactivate: { ...standard.limits.deactivate, run } }
    const guard = (reason?: string) => {
      const off = reason === undefined ? [] : [{ guard: 'limits.deactivate.run', by: 'Somebody', at: '2020-01-01T00:00:00.000Z', reason }]
      return {
        format: 'instep.connector-config' as const,
        formatVersion: 1 as const,
        config: { mapping: TITLED, guard: { ...standard, limits, off } },
      }
    }
    for (const [body, given] of [
      [guard(), {}],
      [guard(' '), {}],
      [guard(), { reason: ' ' }],
    ] as const) {
      const refused = await instep.call('tenant', importConfig, { params: { connectorId }, body: { ...body, ...given } })
      expect([refused.status, refused.body]).toMatchObject([422, { code: 'GUARD_REASON_REQUIRED' }])
      const { body: preview } = await instep.call('tenant', previewConfig, { params: { connectorId }, body })
      expect(preview.unsaid).toEqual(['limits.deactivate.run'])
    }
    expect(await list()).toHaveLength(1)
    expect((await instep.call('tenant', previewConfig, { params: { connectorId }, body: guard('Why') })).body.unsaid).toEqual([])
    const done = await instep.call('tenant', importConfig, { params: { connectorId }, body: guard('Seasonal closure') })
    expect(done.body).toMatchObject({ version: 2, inForce: true })
    const { body } = await instep.call('tenant', getConfigVersion, { params: { connectorId, version: 2 } })
    expect(body.config.guard?.off).toMatchObject([{ guard: 'limits.deactivate.run', by: 'Tadeo Tenant', reason: 'Seasonal closure' }])
    expect(body.config.guard?.off[0]?.at).not.toBe('2020-01-01T00:00:00.000Z')
  })

  it('of another kind, of no content, or with a mapping that lacks something is refused', async () => {
    const send = async (body: unknown) =>
      (await instep.call('tenant', importConfig, { params: { connectorId }, body: body as never })).status
    expect(await send({ format: 'other', formatVersion: 1, config: {} })).toBe(400)
    expect(await send({ format: 'instep.connector-config', formatVersion: 2, config: {} })).toBe(400)
    expect(await send({ format: 'instep.connector-config', formatVersion: 1, config: {} })).toBe(400)
    expect(await send({ format: 'instep.connector-config', formatVersion: 1, config: { mapping: { fields: {} } } })).toBe(422)
  })

  it('finds by its name what another system calls by another id', async () => {
    const { id: tenantId } = instep.world.one
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from sites where tenant_id = ${tenantId} and active order by id limit 1`.execute(instep.database.db)
    const [site] = rows
    if (!site) throw new Error('no site')
    const config = { mapping: MAPPING, placement: { rules: [{ siteId: site.id }] } } as never
    expect(await namesOf(instep.database.db, tenantId, config)).toEqual({ [site.id]: { kind: 'site', name: site.name } })
    const there = 'aaaaaaaa-0000-4000-8000-000000000001'
    const foreign = { format: 'instep.connector-config' as const, formatVersion: 1 as const, config: { placement: [{ siteId: there }] } }
    const named = { [there]: { kind: 'site' as const, name: site.name.toUpperCase() } }
    expect(await resolveNames(instep.database.db, tenantId, { ...foreign, names: named })).toEqual({
      config: { placement: [{ siteId: site.id }] },
      wrong: {},
    })
    for (const names of [{}, { [there]: { kind: 'site' as const, name: 'Atlantis' } }])
      expect(Object.keys((await resolveNames(instep.database.db, tenantId, { ...foreign, names })).wrong)).toEqual([
        'config.placement.0.siteId',
      ])
  })
})

describe('a difference', () => {
  it('of parts that nobody knows yet is told value by value, lists as a whole', () => {
    const before = { part: { percent: 10, kinds: { update: 5 } }, keys: ['a', 'b'], gone: {} } as never
    const after = { part: { percent: 20, kinds: { update: 5, create: 9 } }, keys: ['b', 'a'] } as never
    expect(diffConfigs(before, after)).toEqual([
      { path: ['part', 'percent'], before: 10, after: 20 },
      { path: ['part', 'kinds', 'create'], before: null, after: 9 },
      { path: ['keys'], before: ['a', 'b'], after: ['b', 'a'] },
      { path: ['gone'], before: {}, after: null },
    ])
  })

  it('of guards is told guard by guard, with who turned one off and why', () => {
    const { run, day } = DEFAULT_GUARDS.limits.deactivate
    const [stricter, off] = [
      { ...run, percent: 3 },
      { ...day, on: false },
    ]
    const by = { by: 'Tadeo Tenant', reason: 'Seasonal closure' }
    const gone = 'sites.each.leave.run'
    const guard = {
      ...DEFAULT_GUARDS,
      limits: { ...DEFAULT_GUARDS.limits, deactivate: { run: stricter, day: off } },
      off: ['limits.deactivate.day', gone].map((place) => ({ guard: place, at: '2026-01-01T00:00:00Z', ...by })),
    }
    expect(diffConfigs({}, { guard })).toEqual([
      { path: ['guard', 'limits.deactivate.run'], before: run, after: stricter },
      { path: ['guard', 'limits.deactivate.day'], before: day, after: { ...off, ...by } },
      { path: ['guard', gone], before: null, after: { on: false, ...by } },
    ])
  })

  it('is none where one says the defaults and the other nothing', () => {
    const defaults = { guard: DEFAULT_GUARDS, matching: DEFAULT_MATCHING, placement: DEFAULT_PLACEMENT, grace: DEFAULT_GRACE }
    expect(diffConfigs({ mapping: MAPPING }, { mapping: MAPPING, ...defaults })).toEqual([])
  })

  it('is none where a mapping reads the same', () => {
    const written: Mapping = {
      fields: { ...MAPPING.fields, givenName: { whenEmpty: { policy: 'clear' }, transforms: [], column: 'first' } },
    }
    expect(diffConfigs({ mapping: MAPPING, mappingVersion: 1 }, { mapping: written, mappingVersion: 2 })).toEqual([])
  })
})

const WRITTEN = ['users', 'source_links', 'user_overrides', 'target_accounts', 'connector_versions', 'files'] as const
const fingerprint = async (): Promise<unknown> => {
  const sums: unknown[] = []
  for (const table of WRITTEN)
    sums.push(
      (await sql`select ${table} as name, count(*), max(xmin::text::bigint) as newest from ${sql.table(table)}`.execute(instep.database.db))
        .rows[0],
    )
  return sums
}

describe('a version on trial', () => {
  it('has nothing to read before anything was', async () => {
    await sql`
      insert into connector_versions (tenant_id, connector_id, version, config, created_by, created_at)
      values (${instep.world.one.id}, ${connectorId}, 1, ${JSON.stringify({ mapping: MAPPING })}, '{"name": "A"}', now()),
        (${instep.world.one.id}, ${connectorId}, 2, '{}', '{"name": "A"}', now())`.execute(instep.database.db)
    expect(await trial(1)).toMatchObject({ status: 410, body: { code: 'FILE_GONE' } })
    expect(await trial(2)).toMatchObject({ status: 409, body: { code: 'MAPPING_ABSENT' } })
  })

  it('reads again what the last run read, ends with its plan, changes nothing, cannot be applied, and can be repeated', async () => {
    const { id: tenantId } = instep.world.one
    await sync(TITLED)
    await sync(MAPPING)
    const before = await fingerprint()
    for (const _ of [1, 2]) {
      const { body } = await trial(1)
      const run = await until(body.id, 'succeeded', 'failed')
      expect(run).toMatchObject({ state: 'succeeded', trial: true, configVersion: 1, fileName: 'people.csv', applied: 0, decidedBy: null })
      expect(run.counts).toMatchObject({ update: 0, unchanged: 2 })
      expect(await instep.call('tenant', applyRun, { params: { tenantId, runId: run.id }, body: {} })).toMatchObject({
        status: 409,
        body: { code: 'RUN_TRIAL' },
      })
    }
    expect(await fingerprint()).toEqual(before)
  })

  it('shows what it would change, and what the run in force would still read', async () => {
    const { id: tenantId } = instep.world.one
    const swapped: Mapping = { fields: { ...MAPPING.fields, givenName: { column: 'last' }, familyName: { column: 'first' } } }
    await sync(swapped)
    await sync(MAPPING)
    const run = await until((await trial(1)).body.id, 'succeeded', 'failed')
    expect(run.counts).toMatchObject({ update: 2 })
    const rows = await instep.call('tenant', listPlanRows, { params: { tenantId, runId: run.id }, query: {} })
    expect(rows.body.data[0]).toMatchObject({ kind: 'update', state: 'pending', after: { givenName: 'Byron', familyName: 'Ada' } })
    expect((await sync(MAPPING)).counts).toMatchObject({ update: 0, unchanged: 2 })
  })

  it('asks nobody: a conflict that would open a case names none', async () => {
    const { db } = instep.database
    await sync(MAPPING)
    await addPeople(db, { tenantId: instep.world.one.id, connectorId }, [
      { external_id: `${made}-3`, given_name: 'By', family_name: 'Hand' },
    ])
    await upload(file(`${made}-3,New,Comer,Cook\n`))
    const run = await until((await trial(1)).body.id, 'succeeded', 'failed')
    const rows = await instep.call('tenant', listPlanRows, {
      params: { tenantId: instep.world.one.id, runId: run.id },
      query: { kind: 'conflict' },
    })
    expect(rows.body.data).toMatchObject([{ sourceKey: `${made}-3`, caseId: null, reasons: [{ code: 'adopt' }] }])
  })

  it('reads an upload that no run has read yet, and leaves it for the run', async () => {
    await sync(MAPPING)
    const fileId = await upload(file(`${made}-3,New,Comer,Cook\n`))
    const run = await until((await trial(1)).body.id, 'succeeded', 'failed')
    expect(run.counts).toMatchObject({ create: 1, unchanged: 2 })
    const { body, status } = await instep.call('tenant', startRun, { params: { connectorId }, body: { fileId } })
    expect(status).toBe(202)
    expect((await until(body.id, 'planned')).counts).toMatchObject({ create: 1 })
  })
})
