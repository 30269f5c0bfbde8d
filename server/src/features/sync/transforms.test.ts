import { createConnector } from '@instep/contract/connectors.ts'
import { explainRecord } from '@instep/contract/explain.ts'
import { applyRun, getFile, getRun, listPlanRows, type Mapping, type SourceFile, startRun } from '@instep/contract/sync.ts'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../testing/app.ts'

/** Mappings with transforms, from the upload to the directory, over HTTP. */
let instep: TestApp
let connectorId: string
let sources = 0

beforeAll(async () => {
  instep = await testApp({ workers: true })
})
beforeEach(async () => {
  sources += 1
  const { body } = await instep.call('tenant', createConnector, {
    params: { tenantId: instep.world.one.id },
    body: { name: `HR ${sources}`, definitionId: 'file', properties: {} },
  })
  connectorId = body.id
})
afterAll(() => instep.close())

const upload = async (content: string): Promise<SourceFile> => {
  const form = new FormData()
  form.append('file', new Blob([content]), 'people.csv')
  const headers = { authorization: `Bearer ${await instep.tokenOf('tenant')}` }
  const response = await fetch(`${instep.url}/v1/connectors/${connectorId}/files`, { method: 'POST', headers, body: form })
  return (await response.json()) as SourceFile
}

const paramsOf = (runId: string) => ({ tenantId: instep.world.one.id, runId })
const until = (runId: string, ...states: string[]) =>
  vi.waitFor(
    async () => {
      const { body } = await instep.call('tenant', getRun, { params: paramsOf(runId) })
      expect(states).toContain(body.state)
      return body
    },
    { timeout: 15_000, interval: 20 },
  )
const start = async (content: string, mapping?: Mapping) => {
  const { id } = await upload(content)
  return instep.call('tenant', startRun, { params: { connectorId }, body: { fileId: id, ...(mapping ? { mapping } : {}) } })
}
const plan = async (content: string, mapping?: Mapping) => {
  const { body, status } = await start(content, mapping)
  expect(status).toBe(202)
  const run = await until(body.id, 'planned', 'held')
  const { body: rows } = await instep.call('tenant', listPlanRows, { params: paramsOf(body.id), query: { pageSize: 100 } })
  return { id: body.id, counts: run.counts, rows: rows.data }
}
const apply = async ({ id }: { id: string }) => {
  await instep.call('tenant', applyRun, { params: paramsOf(id), body: { reason: 'as it should be' } })
  await until(id, 'succeeded')
}

interface Person {
  external_id: string
  given_name: string
  family_name: string
  display_name: string
  title: string | null
  department: string | null
  user_type: string | null
  work_email: string | null
  access_code_delivery: string
}
const people = async (): Promise<Person[]> => {
  const { rows } = await sql<Person>`
    select external_id, given_name, family_name, display_name, title, department, user_type, work_email, access_code_delivery
    from users where connector_id = ${connectorId} order by external_id`.execute(instep.database.db as Kysely<unknown>)
  return rows
}

const NAME = { kind: 'split', separator: ',', end: 'start' } as const
const MAPPING: Mapping = {
  fields: {
    externalId: {
      column: 'number',
      transforms: [{ kind: 'concat', parts: [{ from: 'text', text: 'FR-' }, { from: 'value' }], separator: '' }],
    },
    givenName: { column: 'name', transforms: [{ ...NAME, part: 2 }] },
    familyName: {
      column: 'name',
      transforms: [
        { ...NAME, part: 1 },
        { kind: 'case', to: 'title' },
      ],
    },
    displayName: {
      transforms: [
        {
          kind: 'concat',
          parts: [
            { from: 'column', column: 'name' },
            { from: 'column', column: 'number' },
          ],
          separator: ' / ',
        },
      ],
    },
    department: { column: 'dept', transforms: [{ kind: 'lookup', values: { T: 'Toys', F: 'Food' }, others: 'invalid' }] },
    title: { column: 'job', whenEmpty: { policy: 'default', text: 'Clerk' } },
    userType: { transforms: [{ kind: 'constant', text: 'Frontline' }] },
  },
}
const HEAD = 'number,name,dept,job\n'

describe('a mapping is refused', () => {
  it('when its scope asks for what no record says', async () => {
    const refused = await start(`${HEAD}1,"Byron, Ada",T,\n`, { ...MAPPING, scope: { field: 'vip', operator: 'is', value: true } })
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID'])
  })

  it.each<[string, Mapping['fields'], number, string]>([
    ['when a joined column is not in the file', { title: { transforms: [concatOf('gone')] } }, 422, 'MAPPING_COLUMN_MISSING'],
    ['when a step is none', { title: { column: 'job', transforms: [{ kind: 'eval' } as never] } }, 400, 'INVALID'],
    ['when nothing can come of a field', { title: { transforms: [{ kind: 'trim' }] } }, 422, 'MAPPING_INCOMPLETE'],
    [
      'when a default is no value',
      { workEmail: { column: 'job', whenEmpty: { policy: 'default', text: 'x' } } },
      422,
      'MAPPING_INCOMPLETE',
    ],
  ])('%s', async (...[, fields, status, code]) => {
    const refused = await start(`${HEAD}1,"Byron, Ada",T,\n`, { fields: { ...MAPPING.fields, ...fields } })
    expect([refused.status, refused.body.code]).toEqual([status, code])
  })
})

function concatOf(column: string) {
  return { kind: 'concat' as const, parts: [{ from: 'column' as const, column }], separator: '' }
}

describe('a mapping with an expression', () => {
  const titled = (text: string, columns: string[]): Mapping => ({
    fields: { ...MAPPING.fields, title: { transforms: [{ kind: 'expression', text, columns }] } },
  })

  it.each([
    ['that cannot be read', 'job &', ['job'], 'Unexpected end of expression'],
    ['that reaches for more than the record', '$eval(job)', ['job'], '$eval is not known here.'],
    ['that names a column it is not given', 'salary', ['job'], '“salary” is not a column that the expression is given.'],
  ])('%s is refused on its field, with the place', async (...[, text, columns, detail]) => {
    const { status, body } = await start(`${HEAD}1,"Byron, Ada",T,Poet\n`, titled(text, columns))
    expect([status, body.code]).toEqual([422, 'MAPPING_INCOMPLETE'])
    expect(body.fields?.['title']?.[0]).toMatch(/^The expression cannot be used \(at character \d+\): /)
    expect(body.fields?.['title']?.[0]).toContain(detail)
  })

  it('is read by a run and by an explanation alike; whom it fails is invalid, and nobody else', async () => {
    const content = `${HEAD}1,"Byron, Ada",T,Poet\n2,"Doe, Jo",F,loop\n3,"King, Eve",F,none\n`
    const text = 'job = "loop" ? ($f := function($x){ $f($x) }; $f(1)) : job = "none" ? $error("no job") : $uppercase(job)'
    const run = await plan(content, titled(text, ['job']))
    expect(run.counts).toMatchObject({ create: 1, invalid: 2 })
    expect(run.rows.map(({ kind, reasons, after }) => [kind, reasons[0]?.code, reasons[0]?.params?.['detail'], after['title']])).toEqual([
      ['create', undefined, undefined, 'POET'],
      ['invalid', 'expressionLimit', 'It takes too many steps.', undefined],
      ['invalid', 'expression', 'no job', undefined],
    ])
    await apply(run)
    expect((await plan(content)).counts).toMatchObject({ create: 0, update: 0, unchanged: 1, invalid: 2 })
    const { body } = await instep.call('tenant', explainRecord, { params: { connectorId }, body: { text: `${HEAD}9,"Roe, Al",T,cook` } })
    expect(body.fields.find(({ field }) => field === 'title')).toMatchObject({
      cells: [{ column: 'job', text: 'cook' }],
      steps: [{ kind: 'expression', text: 'COOK', wrong: null }],
      value: 'COOK',
    })
  })
})

it('people arrive as the transforms leave them, and one who cannot be read is said why', async () => {
  const run = await plan(`${HEAD}1,"BYRON, Ada",T,\n2,"o'brien, Pat",F,Baker\n3,"Doe, Jo",X,Cook\n`, MAPPING)
  expect(run.counts).toMatchObject({ create: 2, invalid: 1 })
  expect(run.rows.find(({ kind }) => kind === 'invalid')).toMatchObject({
    sourceKey: 'FR-3',
    reasons: [{ code: 'notInTable', field: 'department', params: { value: 'X' } }],
  })
  await apply(run)
  expect(await people()).toMatchObject([
    {
      external_id: 'FR-1',
      given_name: 'Ada',
      family_name: 'Byron',
      display_name: 'BYRON, Ada / 1',
      department: 'Toys',
      title: 'Clerk',
      user_type: 'Frontline',
    },
    {
      external_id: 'FR-2',
      given_name: 'Pat',
      family_name: "O'Brien",
      display_name: "o'brien, Pat / 2",
      department: 'Food',
      title: 'Baker',
    },
  ])
})

it('a changed chain maps everybody anew, the same one nobody, and the next file remembers it', async () => {
  const content = `${HEAD}1,"BYRON, Ada",T,\n2,"Doe, Jo",F,Baker\n`
  await apply(await plan(content, MAPPING))
  expect((await plan(content, MAPPING)).counts).toMatchObject({ update: 0, unchanged: 2 })
  await sql`update runs set state = 'rejected', finished_at = now() where connector_id = ${connectorId} and state = 'planned'`.execute(
    instep.database.db,
  )
  const upper: Mapping = {
    fields: {
      ...MAPPING.fields,
      familyName: {
        column: 'name',
        transforms: [
          { ...NAME, part: 1 },
          { kind: 'case', to: 'upper' },
        ],
      },
    },
  }
  const run = await plan(content, upper)
  expect(run.rows.map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ['update', { familyName: 'Byron' }, { familyName: 'BYRON' }],
    ['update', { familyName: 'Doe' }, { familyName: 'DOE' }],
  ])
  await apply(run)
  const { id } = await upload(content)
  const { body } = await instep.call('tenant', getFile, { params: { connectorId, fileId: id } })
  expect([body.remembered, body.mapping]).toEqual([true, upper])
})

it('a change in a joined column alone is seen', async () => {
  const joined: Mapping = { fields: { ...MAPPING.fields, title: { transforms: [concatOf('job')] } } }
  await apply(await plan(`${HEAD}1,"Byron, Ada",T,Baker\n`, joined))
  const run = await plan(`${HEAD}1,"Byron, Ada",T,Cook\n`)
  expect(run.rows.map(({ after }) => after)).toEqual([{ title: 'Cook' }])
})

describe('an empty cell', () => {
  const head = 'number,first,last,mail,job,shown\n'
  const mappingOf = (policy: 'keep' | 'clear'): Mapping => ({
    fields: {
      externalId: { column: 'number' },
      givenName: { column: 'first' },
      familyName: { column: 'last' },
      displayName: { column: 'shown', whenEmpty: { policy } },
      workEmail: { column: 'mail', whenEmpty: { policy } },
      title: { column: 'job', whenEmpty: { policy } },
    },
  })
  const full = `${head}1,Ada,Byron,ada@example.com,Baker,Countess\n`
  const empty = `${head}1,Ada,Byron,,,\n`

  it('that is to be kept changes nothing, nor what follows from it; somebody new has it empty', async () => {
    await apply(await plan(full, mappingOf('keep')))
    const run = await plan(`${empty}2,Jo,Doe,,,\n`)
    expect(run.rows.map(({ kind, sourceKey }) => [kind, sourceKey])).toEqual([['create', '2']])
    await apply(run)
    expect(await people()).toMatchObject([
      { external_id: '1', display_name: 'Countess', work_email: 'ada@example.com', title: 'Baker', access_code_delivery: 'email.work' },
      { external_id: '2', display_name: 'Jo Doe', work_email: null, title: null, access_code_delivery: 'none' },
    ])
  })

  it('that clears empties the field', async () => {
    await apply(await plan(full, mappingOf('clear')))
    await apply(await plan(empty))
    expect(await people()).toMatchObject([{ display_name: 'Ada Byron', work_email: null, title: null, access_code_delivery: 'none' }])
  })

  it('that is kept one day is cleared when the mapping says so', async () => {
    await apply(await plan(full, mappingOf('keep')))
    await apply(await plan(empty))
    expect((await plan(empty, mappingOf('clear'))).rows.map(({ after }) => after)).toEqual([
      { displayName: 'Ada Byron', workEmail: null, title: null, accessCodeDelivery: 'none' },
    ])
  })
})
