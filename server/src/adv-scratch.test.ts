import * as sites from '@instep/contract/sites.ts'
import * as exports_ from '@instep/contract/exports.ts'
import * as overrides from '@instep/contract/overrides.ts'
import * as lookups from '@instep/contract/lookups.ts'
import { afterAll, beforeAll, it } from 'vitest'
import { sql } from 'kysely'
import { testApp, type TestApp } from './testing/app.ts'
import { addConnector } from './testing/people.ts'
let app: TestApp, tenantId: string, hr: string
const N = 300_000
const time = async <T>(name: string, f: () => Promise<T>): Promise<T> => { const t = performance.now(); const r = await f(); console.log(name, Math.round(performance.now() - t), 'ms', JSON.stringify((r as any)?.body ?? '').slice(0, 150)); return r }
beforeAll(async () => {
  app = await testApp({ workers: true })
  tenantId = app.world.one.id
  const { db } = app.database
  hr = await addConnector(db, { tenantId, name: 'HR' })
  await addConnector(db, { tenantId, name: 'T', kind: 'target', ingestionType: 'target', definitionId: 'scim' })
  await sql`update connectors set enabled = true`.execute(db)
  await time('seed', () => sql`insert into users (tenant_id, id, connector_id, external_id, given_name, family_name, display_name, title, department, location_name, site_id, base, overridden, created_at, updated_at)
    select ${tenantId}::uuid, gen_random_uuid(), ${hr}::uuid, 'E' || n, 'Given' || n % 1000, 'Family' || n, 'Given' || n % 1000 || ' Family' || n, 'T' || n % 300, 'D' || n % 50, 'L',
    case when n <= 100000 then ${app.world.one.northSite}::uuid else ${app.world.one.looseSite}::uuid end,
    jsonb_build_object('externalId', 'E' || n, 'givenName', 'Given' || n % 1000, 'familyName', 'Family' || n, 'title', 'T'), true, now(), now() from generate_series(1, ${N}::int) n`.execute(db))
  await sql`insert into source_links (tenant_id, connector_id, source_key, user_id, record_hash, config_version) select tenant_id, connector_id, external_id, id, '', 1 from users`.execute(db)
  await time('overrides', () => sql`insert into user_overrides (tenant_id, user_id, field, value, by, at) select tenant_id, id, f, to_jsonb(title), '{"name":"X"}', now() - interval '1 day' * (random() * 100) from users, unnest(array['title','department']) f`.execute(db))
  await time('lookups', () => sql`insert into lookup_values (tenant_id, id, reference_type, value, origin, created_at) select ${tenantId}::uuid, gen_random_uuid(), 'JobTitle', 'Title ' || n, 'sync', now() from generate_series(1, 100000) n`.execute(db))
  await sql`analyze`.execute(db)
}, 300_000)
afterAll(() => app.close())
const ended = async (runId: string): Promise<any> => { for (;;) { const r = await app.call('tenant', exports_.getListRun, { params: { tenantId, runId } }); if (r.body.finishedAt) return r; await new Promise((s) => setTimeout(s, 100)) } }
it('times', async () => {
  const params = { tenantId }
  await time('overrides list', () => app.call('tenant', overrides.listOverrides, { params, query: {} }))
  await time('overrides list site', () => app.call('siteGroup', overrides.listOverrides, { params, query: {} }))
  await time('overrides list field', () => app.call('tenant', overrides.listOverrides, { params, query: { field: 'title' } }))
  await time('lookups', () => app.call('tenant', lookups.listLookups, { params: { connectorId: tenantId }, query: { ReferenceType: 'JobTitle', SearchText: '99999', Department: 'x' } }))
  await time('sites calculated', () => app.call('tenant', sites.listSites, { params, query: { calculated: 'true' } }))
  await time('impact', () => app.call('tenant', sites.getClosingImpact, { params: { tenantId, id: app.world.one.northSite } }))
  const run = await app.call('tenant', exports_.exportUsers, { params: { connectorId: tenantId }, body: { format: 'csv', filter: {} } as never })
  await time('export all', () => ended(run.body.id))
  const run2 = await app.call('tenant', exports_.exportUsers, { params: { connectorId: tenantId }, body: { format: 'csv', filter: { filters: { field: 'title', operator: 'startsWith', value: 'T1' } } } as never })
  await time('export some', () => ended(run2.body.id))
  console.log('rss', Math.round(process.memoryUsage().rss / 1e6))
  await time('close to other', () => app.call('tenant', sites.updateSite, { params: { tenantId, id: app.world.one.northSite }, body: { active: false, moveTo: { siteId: app.world.one.southSite } } }))
  await time('close to none', () => app.call('tenant', sites.updateSite, { params: { tenantId, id: app.world.one.southSite }, body: { active: false, moveTo: 'unassigned' } }))
  const clear = await app.call('tenant', overrides.clearOverrides, { params, body: { filter: { field: 'title', olderThanDays: 30 } } })
  const t = performance.now()
  let last = 0
  for (let i = 0; i < 6; i++) { await new Promise((s) => setTimeout(s, 4000)); const r = await app.call('tenant', exports_.getListRun, { params: { tenantId, runId: clear.body.runId } }); console.log('clear', r.body.state, r.body.done, r.body.total, Math.round((r.body.done - last) / 4), '/s'); last = r.body.done; if (r.body.finishedAt) break }
  await app.call('tenant', exports_.cancelListRun, { params: { tenantId, runId: clear.body.runId } })
  await time('cancel', () => ended(clear.body.runId))
}, 300_000)
