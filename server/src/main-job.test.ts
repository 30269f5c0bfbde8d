import { createConnector } from '@instep/contract/connectors.ts'
import { listDirectoryLog } from '@instep/contract/logs.ts'
import type { ProblemBody } from '@instep/contract/problem.ts'
import { getTargetSummary } from '@instep/contract/provisioning.ts'
import type { Run, SourceFile } from '@instep/contract/sync.ts'
import { applyRun, getRun, listPlanRows, listRuns, rejectRun, startRun } from '@instep/contract/sync.ts'
import { searchUsers } from '@instep/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from './testing/app.ts'
import { type ScimStandIn, startScimStandIn } from './testing/scim-stand-in.ts'

/** The main job over HTTP: a file, its plan, the decision, the directory, the accounts at the target; and every bad file there is. */
let instep: TestApp
let target: ScimStandIn
let sourceId: string
let targetId: string

beforeAll(async () => {
  target = await startScimStandIn()
  instep = await testApp({ workers: true, env: { MAX_FILE_BYTES: '3000000', SOURCES_ALLOW_PRIVATE: 'on' } })
  const add = async (name: string, definitionId: string, properties: Record<string, string>) =>
    (await instep.call('tenant', createConnector, { params: { tenantId: instep.world.one.id }, body: { name, definitionId, properties } }))
      .body.id
  sourceId = await add('HR', 'file', {})
  targetId = await add('Workplace', 'scim', { baseUrl: target.url, token: 'stand-in' })
})
afterAll(async () => {
  await instep.close()
  await target.close()
})

const HEADER = 'Person ID,First name,Last name,Department,Location,Start date'
const person = (number: number, department = 'Kitchen') => `P-${number},Given${number},Family${number},${department},North site,13/05/2020`
const file = (...rows: string[]) => [HEADER, ...rows].join('\n')

const upload = async (content: string | Uint8Array<ArrayBuffer>, name = 'people.csv') => {
  const form = new FormData()
  form.append('file', new Blob([content]), name)
  const response = await fetch(`${instep.url}/v1/connectors/${sourceId}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await instep.tokenOf('tenant')}` },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as SourceFile & ProblemBody }
}

const runOf = async (id: string): Promise<Run> =>
  (await instep.call('tenant', getRun, { params: { tenantId: instep.world.one.id, runId: id } })).body
const until = async (id: string, ...states: Run['state'][]): Promise<Run> =>
  vi.waitFor(
    async () => {
      const run = await runOf(id)
      expect(states, JSON.stringify(run.failure)).toContain(run.state)
      return run
    },
    { timeout: 15_000, interval: 50 },
  )

const plan = async (
  content: string | Uint8Array<ArrayBuffer>,
  change: (stored: SourceFile) => SourceFile['mapping'] = ({ mapping }) => mapping,
) => {
  const { status, body } = await upload(content)
  expect(status, body.message).toBe(201)
  const started = await instep.call('tenant', startRun, {
    params: { connectorId: sourceId },
    body: { fileId: body.id, mapping: change(body) },
  })
  expect(started.status, started.body.message).toBe(202)
  return until(started.body.id, 'planned', 'held', 'failed')
}
const decide = (endpoint: typeof applyRun | typeof rejectRun, run: Run, reason?: string) =>
  instep.call('tenant', endpoint, { params: { tenantId: instep.world.one.id, runId: run.id }, body: reason ? { reason } : {} })
const apply = async (run: Run, reason?: string): Promise<Run> => {
  expect((await decide(applyRun, run, reason)).status).toBe(202)
  return until(run.id, 'succeeded', 'partlySucceeded')
}
const settled = () =>
  vi.waitFor(
    async () => {
      const { counts } = (await instep.call('tenant', getTargetSummary, { params: { tenantId: instep.world.one.id, id: targetId } })).body
      expect(counts).toMatchObject({ pending: 0, failed: 0 })
    },
    { timeout: 15_000, interval: 100 },
  )
const people = async () =>
  (await instep.call('tenant', searchUsers, { params: { connectorId: instep.world.one.id }, body: { pageSize: 250 } })).body
const rowsOf = async (run: Run, kind: 'update' | 'deactivate' | 'invalid' | 'conflict') =>
  (await instep.call('tenant', listPlanRows, { params: { tenantId: instep.world.one.id, runId: run.id }, query: { kind } })).body.data

describe('a file that cannot be taken', () => {
  const quoted = (cell: string) => `${HEADER}\nP-1,"${cell}",B,C,D,E`
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52])

  it.each([
    ['is empty', '', 422, 'FILE_EMPTY'],
    ['is a picture', png, 422, 'FILE_NOT_TABULAR'],
    ['is a web page', '<!doctype html><html><body>Sign in</body></html>', 422, 'FILE_NOT_TABULAR'],
    ['names a column twice', 'ID,Name,Name\n1,a,b', 422, 'FILE_DUPLICATE_HEADER'],
    ['has a column without a name', 'ID,,Name\n1,a,b', 422, 'FILE_HEADER_BLANK'],
    ['has a cell of 2 MB', quoted('x'.repeat(2_000_000)), 422, 'FILE_CELL_TOO_LARGE'],
    ['has a row with too many cells', `${HEADER}\n1,2,3,4,5,6,7,8`, 422, 'FILE_ROW_TOO_LONG'],
    ['opens a quote that is never closed', `${HEADER}\nP-1,"Ada,B,C,D,E\nP-2,x,y,z,a,b`, 422, 'FILE_QUOTE_OPEN'],
    ['is larger than allowed', 'x,y\n'.repeat(900_000), 413, 'FILE_TOO_LARGE'],
  ] as const)('that %s is refused in words, and nothing has happened', async (...[, content, status, code]) => {
    const answer = await upload(content)
    expect(answer, answer.body.message).toMatchObject({ status, body: { code } })
    expect(answer.body.message).not.toContain('{{')
    expect(answer.body.message.length).toBeGreaterThan(20)
    expect((await people()).data).toEqual([])
    expect((await instep.call('tenant', listRuns, { params: { tenantId: instep.world.one.id } })).body.data).toEqual([])
  })

  it('is told from a request that holds no file at all', async () => {
    const response = await fetch(`${instep.url}/v1/connectors/${sourceId}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await instep.tokenOf('tenant')}` },
      body: new FormData(),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'FILE_MISSING' })
  })
})

describe('characters', () => {
  const text = 'Person ID;First name;Last name\r\nX-1;Zoë;Müller\r\n'
  const utf16 = (bom: boolean) => new Uint8Array(Buffer.from(`${bom ? '\ufeff' : ''}${text}`, 'utf16le'))

  it.each([
    ['UTF-8 with a byte order mark', new Uint8Array(Buffer.from(`\ufeff${text}`)), 'utf-8'],
    ['UTF-16 with a byte order mark', utf16(true), 'utf-16le'],
    ['Windows-1252', new Uint8Array(Buffer.from(text, 'latin1')), 'windows-1252'],
  ])('of %s are read, and the answer says so', async (_, content, encoding) => {
    const { status, body } = await upload(content)
    expect(status, body.message).toBe(201)
    expect(body).toMatchObject({ encoding, delimiter: ';', sampleRows: [['X-1', 'Zoë', 'Müller']] })
    expect(body.columns.map(({ name }) => name)).toEqual(['Person ID', 'First name', 'Last name'])
  })

  it('in quotes may hold separators and line breaks', async () => {
    const { body } = await upload('Person ID,First name,Last name\n1,"Ada, the\nfirst","Love""lace"\n')
    expect(body.sampleRows).toEqual([['1', 'Ada, the\nfirst', 'Love"lace']])
  })
})

describe('a mapping', () => {
  it('without a required column is refused at the field', async () => {
    const { body } = await upload(file(person(1)))
    const { externalId: _, ...fields } = body.mapping.fields
    const started = await instep.call('tenant', startRun, {
      params: { connectorId: sourceId },
      body: { fileId: body.id, mapping: { fields } },
    })
    expect(started).toMatchObject({ status: 422, body: { code: 'MAPPING_INCOMPLETE' } })
  })

  it('is asked how a date is written when the file does not tell', async () => {
    const { body } = await upload('Person ID,First name,Last name,Start date\n1,A,B,01/02/2024\n')
    expect(body.mapping.fields.startDate).toEqual({ column: 'Start date' })
    const started = await instep.call('tenant', startRun, {
      params: { connectorId: sourceId },
      body: { fileId: body.id, mapping: body.mapping },
    })
    expect(started).toMatchObject({ status: 422, body: { code: 'MAPPING_INCOMPLETE' } })
  })
})

describe('the main job', () => {
  const everyone = Array.from({ length: 60 }, (_, index) => person(index + 1))

  it('plans without changing anything, and leaves rows that are not valid or not clear to a person', async () => {
    const run = await plan(
      file(...everyone, 'P-900,No,Date,Kitchen,North site,31/02/2024', ',No,Key,Kitchen,North site,', person(800), person(800)),
    )
    expect(run).toMatchObject({ state: 'planned', counts: { create: 60, invalid: 2, conflict: 2 } })
    expect((await people()).data).toEqual([])
    expect(await rowsOf(run, 'invalid')).toMatchObject([
      { rowNumber: 62, reasons: [{ code: 'date', field: 'startDate', params: { value: '31/02/2024' } }] },
      { rowNumber: 63, reasons: [{ code: 'required', field: 'externalId' }] },
    ])
    expect(await rowsOf(run, 'conflict')).toMatchObject([{ rowNumber: 64, reasons: [{ code: 'duplicateKey' }] }, { rowNumber: 65 }])
    expect((await decide(rejectRun, run)).status).toBe(200)
    expect((await people()).data).toEqual([])
  })

  it('applies exactly the plan, and the accounts appear at the target', async () => {
    const run = await apply(await plan(file(...everyone)))
    expect(run.counts.create).toBe(60)
    expect((await people()).count).toEqual({ value: 60, exact: true })
    await settled()
    expect([...target.accounts.values()].map(({ document }) => document['externalId'])).toHaveLength(60)
    const log = await instep.call('tenant', listDirectoryLog, {
      params: { tenantId: instep.world.one.id },
      query: { correlationId: run.correlationId, pageSize: 250 },
    })
    expect(log.body.data.filter(({ eventType }) => eventType === 'user.created')).toHaveLength(60)
    expect(log.body.data.filter(({ eventType }) => eventType === 'target.account.created')).toHaveLength(60)
  })

  it('writes nothing and sends nothing for the same file again', async () => {
    const { db } = instep.database
    const written = async () => ({
      users: await db.selectFrom('users').select(['id', 'version', 'updated_at']).orderBy('id').execute(),
      links: await db.selectFrom('source_links').selectAll().orderBy('source_key').execute(),
      accounts: await db.selectFrom('target_accounts').selectAll().orderBy('user_id').execute(),
      rows: (await db.selectFrom('plan_rows').select('seq').execute()).length,
    })
    const before = await written()
    const sent = target.requests()
    const run = await apply(await plan(file(...everyone)))
    expect(run.counts).toMatchObject({ create: 0, update: 0, unchanged: 60 })
    expect(await written()).toEqual(before)
    await settled()
    expect(target.requests()).toBe(sent)
  })

  it('takes joiners, movers and leavers, each with before, after and reason', async () => {
    const [, , ...stayed] = everyone
    const run = await plan(file(...stayed.slice(1), person(3, 'Logistics'), person(61)))
    expect(run).toMatchObject({ state: 'planned', counts: { create: 1, update: 1, deactivate: 2, unchanged: 57 } })
    expect(await rowsOf(run, 'update')).toMatchObject([{ before: { department: 'Kitchen' }, after: { department: 'Logistics' } }])
    expect(await rowsOf(run, 'deactivate')).toMatchObject([{ reasons: [{ code: 'missingFromFile' }] }, { displayName: 'Given2 Family2' }])
    await apply(run)
    await settled()
    const account = (id: string) => [...target.accounts.values()].find(({ document }) => document['externalId'] === id)?.document
    expect(account('P-1')).toMatchObject({ active: false })
    expect(JSON.stringify(account('P-3'))).toContain('Logistics')
    expect(account('P-61')).toMatchObject({ active: true })
  })
})

describe('the guard', () => {
  it('holds a file that lost a third of its people until somebody gives a reason', async () => {
    const run = await plan(file(...Array.from({ length: 40 }, (_, index) => person(index + 4))))
    expect(run).toMatchObject({ state: 'held', held: { code: 'massDeactivation' } })
    expect(await decide(applyRun, run)).toMatchObject({ status: 422, body: { code: 'RUN_REASON_REQUIRED' } })
    expect((await decide(rejectRun, run, 'cut off')).body).toMatchObject({ state: 'rejected', decisionReason: 'cut off' })
    expect(await decide(applyRun, run, 'really')).toMatchObject({ status: 409, body: { code: 'RUN_STATE_WRONG' } })
    const active = await instep.call('tenant', searchUsers, { params: { connectorId: sourceId }, body: { accountStatus: 'active' } })
    expect(active.body.count.value).toBe(59)
  })

  it('holds a file with a header and no rows', async () => {
    const run = await plan(`${HEADER}\n`)
    expect(run).toMatchObject({ state: 'held', held: { code: 'emptySource' } })
    await decide(rejectRun, run)
  })

  it('holds a file that lost a mapped column, and leaves its field alone', async () => {
    const rows = [person(3, 'Logistics'), ...Array.from({ length: 58 }, (_, index) => person(index + 4))].map((row) =>
      row.replace(/,North site,/, ','),
    )
    const run = await plan([HEADER.replace(',Location,', ','), ...rows].join('\n'))
    expect(run).toMatchObject({
      state: 'held',
      held: { code: 'lostColumn', params: { columns: 'Location' } },
      counts: { update: 0, deactivate: 0 },
    })
    await decide(rejectRun, run)
  })

  it('lets one run of a connector be open at a time', async () => {
    const held = await plan(`${HEADER}\n`)
    const { body } = await upload(file(person(3)))
    const second = await instep.call('tenant', startRun, {
      params: { connectorId: sourceId },
      body: { fileId: body.id, mapping: body.mapping },
    })
    expect(second).toMatchObject({ status: 409, body: { code: 'RUN_ACTIVE' } })
    await decide(rejectRun, held)
  })
})
