import { createConnector } from '@instep/contract/connectors.ts'
import { listDirectoryLog } from '@instep/contract/logs.ts'
import type { ProblemBody } from '@instep/contract/problem.ts'
import {
  applyRun,
  cancelRun,
  getFile,
  getRun,
  listPlanRows,
  listRuns,
  rejectRun,
  type SourceFile,
  startRun,
  watchRun,
} from '@instep/contract/sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from './testing/app.ts'

/** What somebody sends who means harm, or whose hand trembles; nothing of it is a 500, and nobody reaches another tenant. */
let instep: TestApp
let sourceId: string
let otherSourceId: string

const addSource = async (admin: 'tenant' | 'otherTenant', tenantId: string, name: string): Promise<string> =>
  (await instep.call(admin, createConnector, { params: { tenantId }, body: { name, definitionId: 'file', properties: {} } })).body.id

beforeAll(async () => {
  instep = await testApp()
  sourceId = await addSource('tenant', instep.world.one.id, 'HR')
  otherSourceId = await addSource('otherTenant', instep.world.two.id, 'Their HR')
})
afterAll(() => instep.close())

const FILE = 'Person ID,First name,Last name,Department\nP-1,=2+3,@Ada,"a, b"'

const upload = async (admin: 'tenant' | 'otherTenant', connectorId: string): Promise<SourceFile> => {
  const form = new FormData()
  form.append('file', new Blob([FILE]), 'people.csv')
  const headers = { authorization: `Bearer ${await instep.tokenOf(admin)}` }
  const response = await fetch(`${instep.url}/v1/connectors/${connectorId}/files`, { method: 'POST', headers, body: form })
  expect(response.status).toBe(201)
  return (await response.json()) as SourceFile
}
const start = (connectorId: string, { id, mapping }: SourceFile) =>
  instep.call('tenant', startRun, { params: { connectorId }, body: { fileId: id, mapping } })
const runOf = async (runId: string) => (await instep.call('tenant', getRun, { params: { tenantId: instep.world.one.id, runId } })).body
const until = (runId: string, state: string) => vi.waitFor(async () => expect((await runOf(runId)).state).toBe(state), { timeout: 10_000 })

const ask = async (path: string, body?: string): Promise<{ status: number; headers: Headers; body: ProblemBody }> => {
  const response = await fetch(`${instep.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${await instep.tokenOf('tenant')}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as ProblemBody }
}

describe('an address that is none', () => {
  it.each([
    ['an id that is no id', '/v1/connectors/xyz/users'],
    ['an id that holds U+0000', '/v1/connectors/%00/users'],
    ['a tenant that is no id', '/v1/tenants/xyz'],
    ['a part that is too long', `/v1/connectors/${'a'.repeat(400)}/users`],
    ['an escape that is none', '/v1/%E0%A4%A'],
  ])('with %s is not found, in the words and with the headers of every answer', async (_, path) => {
    const { status, headers, body } = await ask(path)
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' })
    expect(headers.get('x-correlation-id')).toBe(body.correlationId)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('a body that means harm', () => {
  it.each([
    ['lists a hundred thousand deep', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'BODY_UNREADABLE'],
    ['objects a hundred thousand deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'BODY_UNREADABLE'],
    ['a prototype', '{"__proto__":{"admin":true}}', 'BODY_UNREADABLE'],
    ['a constructor', '{"constructor":{"prototype":{"admin":true}}}', 'BODY_UNREADABLE'],
    ['a sort by what every object has', '{"sort":"constructor"}', 'INVALID'],
    ['half a character', '{"searchText":"\\ud800"}', 'INVALID'],
    ['a token that was made up', '{"continuationToken":"é.é"}', 'TOKEN_FOREIGN'],
    ['a list in place of an object', '[]', 'INVALID'],
  ])('of %s is refused', async (_, body, code) => {
    const answer = await ask(`/v1/connectors/${instep.world.one.id}/users/search`, body)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code })
  })
})

describe('what is wrong with a field', () => {
  it.each([
    ['fr-FR,fr;q=0.9', 'Ce doit être un texte.', 'Contient un caractère qui n’est pas du texte. Retirez-le.'],
    ['xx', 'This must be a text.', 'Holds a character that is no text. Remove it.'],
  ])('is told in the language of %s', async (language, wrongType, characters) => {
    const fieldsOf = async (body: object) => {
      const headers = { authorization: `Bearer ${await instep.tokenOf('tenant')}`, 'content-type': 'application/json' }
      const response = await fetch(`${instep.url}/v1/connectors/${sourceId}/users`, {
        method: 'POST',
        headers: { ...headers, 'accept-language': language },
        body: JSON.stringify(body),
      })
      return ((await response.json()) as ProblemBody).fields
    }
    expect(await fieldsOf({ externalId: 7 })).toEqual({ externalId: [wrongType] })
    expect(await fieldsOf({ externalId: 'a\0b' })).toEqual({ externalId: [characters] })
  })
})

describe('a day or a span that no calendar has', () => {
  const search = (filters: object) => ask(`/v1/connectors/${instep.world.one.id}/users/search`, JSON.stringify({ filters }))

  it.each([
    ['a day of the year 0', { field: 'startDate', operator: 'on', value: '0000-01-01' }],
    ['a stretch from the year 0', { field: 'createdAt', operator: 'between', value: { from: '0000-01-01', to: '9999-12-31' } }],
  ])('is refused: %s', async (_, filters) => {
    expect((await search(filters)).body.code).toBe('INVALID')
  })

  it.each(['withinLast', 'withinNext', 'moreThanAgo'])('reaches as far as the calendar does: %s ten thousand years', async (operator) => {
    expect((await search({ field: 'startDate', operator, value: { number: 10_000, scale: 'year' } })).status).toBe(200)
  })

  it('is refused where figures of a day are asked for', async () => {
    expect((await ask(`/v1/connectors/${sourceId}/stats?asAt=0000-01-01`)).body.code).toBe('INVALID')
  })
})

describe('an id in capitals', () => {
  it('is the same id, in an address and in a body', async () => {
    const { id, southSite, south } = instep.world.one
    const answer = await ask(
      `/v1/connectors/${id.toUpperCase()}/users/search`,
      JSON.stringify({ tenantId: id.toUpperCase(), siteId: southSite.toUpperCase(), siteGroupId: south }),
    )
    expect(answer.status).toBe(200)
  })
})

describe('files and runs', () => {
  it('are out of reach from another tenant, whichever tenant or connector stands in the path', async () => {
    const theirs = await upload('otherTenant', otherSourceId)
    const own = await upload('tenant', sourceId)
    const statuses = async (...calls: Promise<{ status: number }>[]) => (await Promise.all(calls)).map(({ status }) => status)
    expect(
      await statuses(
        instep.call('tenant', getFile, { params: { connectorId: otherSourceId, fileId: theirs.id } }),
        instep.call('tenant', getFile, { params: { connectorId: sourceId, fileId: theirs.id } }),
        start(otherSourceId, own),
      ),
    ).toEqual([404, 404, 404])
    // the same as for a file that never was
    expect((await start(sourceId, theirs)).body.code).toBe('FILE_GONE')

    const run = (await start(sourceId, own)).body
    const [params, foreign] = [instep.world.two.id, instep.world.one.id].map((tenantId) => ({ tenantId, runId: run.id }))
    for (const at of [params, foreign]) {
      const call = { params: at ?? { tenantId: '', runId: '' } }
      expect(
        await statuses(
          instep.call('otherTenant', getRun, call),
          instep.call('otherTenant', watchRun, call),
          instep.call('otherTenant', listPlanRows, call),
          instep.call('otherTenant', applyRun, { ...call, body: {} }),
          instep.call('otherTenant', cancelRun, call),
        ),
      ).toEqual([404, 404, 404, 404, 404])
    }
    const listed = await instep.call('otherTenant', listRuns, {
      params: { tenantId: instep.world.two.id },
      query: { connectorId: sourceId },
    })
    expect(listed.status).toBe(404)
    await instep.call('tenant', cancelRun, { params: { tenantId: instep.world.one.id, runId: run.id } })
  })

  it('a run that a worker is at is cancelled once, in the name of the first who asked', async () => {
    const run = (await start(sourceId, await upload('tenant', sourceId))).body
    const params = { tenantId: instep.world.one.id, runId: run.id }
    const hold = (until: string) =>
      sql`update runs set state = 'running', leased_until = ${until} where id = ${run.id}`.execute(instep.database.db)
    await hold('infinity')
    const asked = await instep.call('super', cancelRun, { params })
    const again = await instep.call('tenant', cancelRun, { params })
    expect([asked.status, again.status, again.body.version]).toEqual([200, 200, asked.body.version])
    await hold('-infinity')
    instep.app.startWorkers()
    await until(run.id, 'cancelled')
    expect((await runOf(run.id)).decidedBy).toBe('Sigrid Super')
    const { body } = await instep.call('tenant', listDirectoryLog, {
      params: { tenantId: instep.world.one.id },
      query: { correlationId: run.correlationId, pageSize: 50 },
    })
    expect(body.data.filter(({ eventType }) => eventType === 'run.cancelled').map(({ modifiedBy }) => modifiedBy)).toEqual(['Sigrid Super'])
  })

  it('a run that nobody watches any more is not looked at again', async () => {
    const run = (await start(sourceId, await upload('tenant', sourceId))).body
    await until(run.id, 'planned')
    const leaving = new AbortController()
    const response = await fetch(`${instep.url}/v1/connectors/${instep.world.one.id}/runs/${run.id}/progress`, {
      headers: { authorization: `Bearer ${await instep.tokenOf('tenant')}` },
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
    // a watcher asks by this statement several times a second; its sessions are idle, so what they asked last is still to be seen
    await vi.waitFor(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like '%connectorName%' and query_start > now() - interval '700 ms'`.execute(
          instep.database.db,
        )
        expect(rows).toEqual([])
      },
      { timeout: 5000, interval: 200 },
    )
    await instep.call('tenant', rejectRun, { params: { tenantId: instep.world.one.id, runId: run.id }, body: {} })
  })

  it('started or decided several times at the same moment happen once', async () => {
    const file = await upload('tenant', sourceId)
    const starts = await Promise.all([1, 2, 3, 4].map(() => start(sourceId, file)))
    expect(starts.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409])
    const run = starts.find(({ status }) => status === 202)?.body
    await until(run?.id ?? '', 'planned')
    const params = { tenantId: instep.world.one.id, runId: run?.id ?? '' }
    const decisions = await Promise.all([1, 2, 3, 4].map(() => instep.call('tenant', applyRun, { params, body: {} })))
    expect(decisions.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409])
    await until(params.runId, 'succeeded')
  })

  it('a downloaded plan is a CSV file in which no cell is a formula', async () => {
    const [run] = (await instep.call('tenant', listRuns, { params: { tenantId: instep.world.one.id }, query: { state: 'succeeded' } })).body
      .data
    const response = await fetch(`${instep.url}/v1/connectors/${instep.world.one.id}/runs/${run?.id}/plan/download?kind=create`, {
      headers: { authorization: `Bearer ${await instep.tokenOf('tenant')}` },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''plan-\d{4}-\d\d-\d\d-create\.csv$/)
    const lines = (await response.text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(",'=2+3 @Ada,")
  })
})
