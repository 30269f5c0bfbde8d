import { createConnector, getConnector, getConnectorStats, updateConnector } from '@instep/contract/connectors.ts'
import { getOverview } from '@instep/contract/dashboard.ts'
import { listDirectoryLog } from '@instep/contract/logs.ts'
import {
  applyRun,
  cancelRun,
  downloadPlanRows,
  getFile,
  getRun,
  listPlanRows,
  listRuns,
  startRun,
  watchRun,
} from '@instep/contract/sync.ts'
import { getUser, listUsers, searchUsers } from '@instep/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from './testing/app.ts'

let instep: TestApp
let source: string
let otherSource: string
beforeAll(async () => {
  instep = await testApp({ workers: true })
  const add = async (admin: 'tenant' | 'otherTenant', tenantId: string, name: string) =>
    (await instep.call(admin, createConnector, { params: { tenantId }, body: { name, definitionId: 'file', properties: {} } })).body.id
  source = await add('tenant', instep.world.one.id, 'HR')
  otherSource = await add('otherTenant', instep.world.two.id, 'HR two')
})
afterAll(() => instep.close())

const HEADER = 'Person ID,First name,Last name,Department'
const upload = async (content: string, admin: 'tenant' | 'otherTenant' = 'tenant', connector = source, name = 'p.csv') => {
  const form = new FormData()
  form.append('file', new Blob([content]), name)
  const r = await fetch(`${instep.url}/v1/connectors/${connector}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await instep.tokenOf(admin)}` },
    body: form,
  })
  return { status: r.status, body: (await r.json()) as any }
}
const raw = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
  const r = await fetch(`${instep.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await instep.tokenOf('tenant')}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body } : {}),
  })
  const text = await r.text()
  return { status: r.status, text: text.slice(0, 300), headers: r.headers }
}

describe('hostile', () => {
  it('deep and odd bodies', async () => {
    const one = instep.world.one.id
    const search = `/v1/connectors/${one}/users/search`
    const out: Record<string, unknown> = {}
    const bodies: Record<string, string> = {
      deepArray: `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      deepObj: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      proto: '{"__proto__":{"a":1}}',
      ctor: '{"constructor":{"prototype":{"a":1}}}',
      ctor2: '{"constructor":"x","searchText":"a"}',
      array: '[]',
      nul: 'null',
      num: '1',
      str: '"x"',
      nulText: '{"searchText":"a\\u0000b"}',
      lone: '{"searchText":"\\ud800"}',
      rtl: '{"searchText":"\\u202e\\u05d0"}',
      pct: '{"searchText":"%_\\\\\\\\%"}',
      sqli: `{"searchText":"'; drop table users; --"}`,
      long: JSON.stringify({ searchText: 'x'.repeat(100000) }),
      tok: '{"continuationToken":"a.b"}',
      tok2: '{"continuationToken":"é.é"}',
      sort: '{"sort":"constructor"}',
      status: '{"accountStatus":"__proto__"}',
      badSite: '{"siteId":"x"}',
      big: JSON.stringify({ x: 'y'.repeat(1_100_000) }),
    }
    for (const [k, b] of Object.entries(bodies)) {
      const a = await raw('POST', search, b)
      out[k] = `${a.status} ${a.text.slice(0, 60)}`
    }
    const props = `/v1/connectors/${one}/instances`
    for (const [k, b] of Object.entries({
      p1: '{"name":"a1","definitionId":"scim","properties":{"constructor":"x","baseUrl":"https://a.example","token":"t"}}',
      p2: '{"name":"a2","definitionId":"scim","properties":{"toString":"x","baseUrl":"https://a.example","token":"t"}}',
      p3: '{"name":"a3","definitionId":"__proto__"}',
      p4: '{"name":"a4","definitionId":"constructor"}',
      p5: '{"name":"a5","definitionId":"scim","properties":{"baseUrl":"https://[::ffff:169.254.169.254]/","token":"t"}}',
      p6: '{"name":"a6","definitionId":"scim","properties":{"baseUrl":"http://2852039166/","token":"t","allowHttp":true}}',
      p7: '{"name":"\\ud800","definitionId":"file"}',
      p8: `{"name":"a8","definitionId":"scim","properties":{"baseUrl":"https://a.example/${'\\ud800'}","token":"t"}}`,
      p9: '{"name":"\\u202eabc","definitionId":"file"}',
    })) {
      const a = await raw('POST', props, b)
      out[k] = `${a.status} ${a.text.slice(0, 200)}`
    }
    for (const p of [
      '/v1/connectors/xyz/users',
      `/v1/connectors/${one.toUpperCase()}/users`,
      '/v1/connectors/%00/users',
      `/v1/connectors/${one}/users?pageSize=1e9`,
      `/v1/connectors/${one}/users?pageSize=1&pageSize=2`,
      `/v1/connectors/${one}/users?searchText=%00`,
      `/v1/connectors/${one}/users?__proto__=1&constructor=2`,
      `/v1/connectors/${one}/users?searchText=%ED%A0%80`,
      `/v1/directory/${one}/logs?correlationId=%00`,
      `/v1/connectors/${'a'.repeat(400)}/users`,
      '/v1/%E0%A4%A',
      `/v1/connectors/00000000-0000-0000-0000-000000000000/stats`,
      `/v1/connectors/ffffffff-ffff-ffff-ffff-ffffffffffff/stats`,
      `/v1/connectors/{${one}}/stats`,
      `/v1/tenants/xyz`,
    ]) {
      const a = await raw('GET', p)
      out[p.slice(0, 70)] = `${a.status} ${a.text.slice(0, 80)}`
    }
    console.log(JSON.stringify(out, null, 1))
  }, 60000)

  it('isolation', async () => {
    const one = instep.world.one.id,
      two = instep.world.two.id
    const f = await upload(`${HEADER}\n1,=A,B,C\n2,"@x",B,C`)
    const g = await upload(`${HEADER}\n1,A,B,C`, 'otherTenant', otherSource)
    expect([f.status, g.status]).toEqual([201, 201])
    const out: Record<string, unknown> = {}
    const s = async (k: string, p: Promise<{ status: number; body: unknown }>) => {
      const a = await p
      out[k] = `${a.status} ${JSON.stringify(a.body).slice(0, 120)}`
    }
    await s('foreign file', instep.call('tenant', getFile, { params: { connectorId: source, fileId: g.body.id } }))
    await s('foreign connector file', instep.call('tenant', getFile, { params: { connectorId: otherSource, fileId: g.body.id } }))
    await s(
      'start with foreign file',
      instep.call('tenant', startRun, { params: { connectorId: source }, body: { fileId: g.body.id, mapping: f.body.mapping } }),
    )
    const starts = await Promise.all(
      [1, 2, 3, 4].map(() =>
        instep.call('tenant', startRun, { params: { connectorId: source }, body: { fileId: f.body.id, mapping: f.body.mapping } }),
      ),
    )
    out.starts = starts.map((a) => a.status)
    const run = starts.find((a) => a.status === 202)!.body
    await vi.waitFor(
      async () => expect((await instep.call('tenant', getRun, { params: { tenantId: one, runId: run.id } })).body.state).toBe('planned'),
      { timeout: 10000 },
    )
    await s('foreign run', instep.call('otherTenant', getRun, { params: { tenantId: two, runId: run.id } }))
    await s('foreign run own tenant path', instep.call('otherTenant', getRun, { params: { tenantId: one, runId: run.id } }))
    await s('foreign watch', instep.call('otherTenant', watchRun, { params: { tenantId: two, runId: run.id } }))
    await s('foreign plan', instep.call('otherTenant', listPlanRows, { params: { tenantId: two, runId: run.id } }))
    await s('foreign apply', instep.call('otherTenant', applyRun, { params: { tenantId: two, runId: run.id }, body: {} }))
    await s('foreign runs', instep.call('otherTenant', listRuns, { params: { tenantId: two }, query: { connectorId: source } }))
    await s('foreign instance', instep.call('otherTenant', getConnector, { params: { tenantId: two, id: source } }))
    await s('foreign update', instep.call('otherTenant', updateConnector, { params: { tenantId: two, id: source }, body: { name: 'x' } }))
    await s('foreign stats', instep.call('otherTenant', getConnectorStats, { params: { id: source } }))
    await s(
      'site stats of other site',
      instep.call('site', getConnectorStats, { params: { id: source }, query: { siteId: instep.world.one.northSite } }),
    )
    await s(
      'overview foreign site',
      instep.call('tenant', getOverview, { params: { tenantId: one }, query: { siteId: instep.world.two.site } }),
    )
    for (const h of [{}, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'gzip' }]) {
      const r = await fetch(`${instep.url}/v1/connectors/${one}/runs/${run.id}/plan/download`, {
        headers: { authorization: `Bearer ${await instep.tokenOf('tenant')}`, ...h },
      })
      out[`download ${JSON.stringify(h)}`] = `${r.status} ${(await r.text()).slice(0, 200)} ${r.headers.get('content-disposition')}`
    }
    const decided = await Promise.all(
      [applyRun, applyRun, cancelRun, applyRun].map((e) =>
        instep.call('tenant', e as typeof applyRun, { params: { tenantId: one, runId: run.id }, body: {} }),
      ),
    )
    out.decided = decided.map((d) => `${d.status} ${d.body.code ?? ''}`)
    await vi.waitFor(
      async () => expect((await instep.call('tenant', getRun, { params: { tenantId: one, runId: run.id } })).body.state).toBe('succeeded'),
      { timeout: 10000 },
    )
    const p = await instep.call('tenant', searchUsers, { params: { connectorId: one }, body: { pageSize: 1 } })
    out.tokenForeign = (
      await instep.call('otherTenant', searchUsers, {
        params: { connectorId: two },
        body: { pageSize: 1, continuationToken: p.body.continuationToken },
      })
    ).body.code
    out.tokenCross = (
      await instep.call('tenant', listUsers, {
        params: { connectorId: one },
        query: { pageSize: 1, continuationToken: p.body.continuationToken },
      })
    ).status
    const id = p.body.data[0]!.id
    await s('foreign user', instep.call('otherTenant', getUser, { params: { connectorId: two, id } }))
    await s('site user', instep.call('site', getUser, { params: { connectorId: one, id } }))
    const log = await instep.call('tenant', listDirectoryLog, { params: { tenantId: one }, query: { pageSize: 50 } })
    out.log = log.body.data.map((e) => `${e.eventType} ${e.modifiedBy} ${e.message}`)
    const names = await Promise.all(
      ['../../etc/passwd', 'a\r\nb.csv', '\u202egnp.csv', 'x'.repeat(5000) + '.csv', '\u0000.csv', 'a"b.csv'].map(async (n) => {
        const u = await upload(`${HEADER}\n1,A,B,C`, 'tenant', source, n)
        return `${u.status} ${JSON.stringify(u.body.name ?? u.body).slice(0, 60)}`
      }),
    )
    out.names = names
    console.log(JSON.stringify(out, null, 1))
  }, 60000)
})
void downloadPlanRows
