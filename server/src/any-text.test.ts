import { createConnector } from '@instep/contract/connectors.ts'
import { createLookup } from '@instep/contract/lookups.ts'
import { createView } from '@instep/contract/saved-views.ts'
import { createDefaults, getClaimFields, setClaimFields, updateDefaults } from '@instep/contract/settings.ts'
import { createSite, createSiteGroup, updateSite } from '@instep/contract/sites.ts'
import { lockUser, unlockUser } from '@instep/contract/user-edits.ts'
import { searchUsers } from '@instep/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from './platform/ids.ts'
import { type TestApp, testApp } from './testing/app.ts'
import { addConnector, addPeople } from './testing/people.ts'

let app: TestApp
let tenantId: string
let hr: string
let person: string
let defaults: string
let site: string
beforeAll(async () => {
  app = await testApp()
  tenantId = app.world.one.id
  hr = await addConnector(app.database.db, { tenantId, name: 'HR' })
  person = (await addPeople(app.database.db, { tenantId, connectorId: hr }, [{ site_id: app.world.one.southSite }]))[0] ?? ''
  defaults = (await app.call('tenant', createDefaults, { params: { tenantId }, body: { siteId: null, values: {} } })).body.id ?? ''
  site = (await app.call('tenant', createSite, { params: { tenantId }, body: { name: 'Texts', employeeIdPrefix: 'T' } })).body.id
})
afterAll(() => app.close())

const NAUGHTY = [
  '=HYPERLINK("http://x")',
  '@SUM(A1)',
  "'; drop table users; --",
  '<img src=x onerror=alert(1)>',
  '\u202eright to left\u202c',
  '👩‍👩‍👧‍👦 e\u0301 ﷽ \u200b \u00a0 x',
  '{{user}} %s \\ $&',
  'null',
  '\ufeffmarked!',
]
/** No text: U+0000, and halves of characters. */
const NONE = ['a\0b', '\ud83d', 'x\udc00']

interface Written {
  readonly status: number
  readonly stored: unknown
  readonly fields: object | undefined
}
type Write = (text: string) => Promise<Written>
const told = <Body extends { fields?: object | undefined }>(
  answer: { status: number; body: Body },
  stored: (body: Body) => unknown,
): Written => ({
  status: answer.status,
  stored: answer.status < 300 ? stored(answer.body) : undefined,
  fields: answer.body.fields,
})

const params = () => ({ tenantId })
const WRITES: [string, Write][] = [
  [
    'name of a site',
    async (name) => told(await app.call('tenant', updateSite, { params: { tenantId, id: site }, body: { name } }), (body) => body.name),
  ],
  [
    'code of a site',
    async (externalCode) =>
      told(await app.call('tenant', updateSite, { params: { tenantId, id: site }, body: { externalCode } }), (body) => body.externalCode),
  ],
  [
    'name of a site group',
    async (name) => told(await app.call('tenant', createSiteGroup, { params: params(), body: { name } }), (body) => body.name),
  ],
  [
    'name of a connector',
    async (name) =>
      told(
        await app.call('tenant', createConnector, { params: params(), body: { name, definitionId: 'file', properties: {} } }),
        (body) => body.name,
      ),
  ],
  [
    'default',
    async (department) =>
      told(
        await app.call('tenant', updateDefaults, { params: { tenantId, id: defaults }, body: { values: { department } } }),
        (body) => body.values.department,
      ),
  ],
  [
    'lookup value',
    async (value) =>
      told(await app.call('tenant', createLookup, { params: params(), body: { referenceType: 'Division', value } }), (body) => body.value),
  ],
  [
    'department of a job title',
    async (department) =>
      told(
        await app.call('tenant', createLookup, {
          params: params(),
          body: { referenceType: 'JobTitle', value: uuidv7(), departments: [department] },
        }),
        (body) => body.departments[0],
      ),
  ],
  [
    'name of a view',
    async (name) =>
      told(await app.call('tenant', createView, { params: params(), body: { name, state: { columns: [] } } }), (body) => body.name),
  ],
  [
    'name of a security attribute',
    async (displayName) => {
      const { claimFields } = (await app.call('tenant', getClaimFields, { params: params() })).body
      const kept = claimFields.filter(({ isDefault }) => isDefault).map(({ field: _, isDefault: __, ...one }) => one)
      const body = { claimFields: [...kept, { displayName, type: 'text' as const, enabled: false }] }
      return told(await app.call('tenant', setClaimFields, { params: params(), body }), (answer) => answer.claimFields.at(-1)?.displayName)
    },
  ],
  [
    'reason of a lock',
    async (reason) => {
      const key = { connectorId: hr, id: person }
      const answer = await app.call('tenant', lockUser, { params: key, body: { reason } })
      if (answer.status < 300) await app.call('tenant', unlockUser, { params: key })
      return told(answer, (body) => body.lock?.reason)
    },
  ],
]

describe('any text', () => {
  it.each(WRITES)('as the %s comes back code point for code point, or is refused at its field', async (_, write) => {
    for (const text of NAUGHTY) expect(await write(`  ${text}\r\n`)).toMatchObject({ stored: text.trim() })
    for (const text of [...NONE, 'x'.repeat(10_000)]) {
      const { status, fields } = await write(text)
      expect([status, Object.keys(fields ?? {})]).toEqual([400, [expect.any(String)]])
    }
  })

  it('that is looked for finds whom it names or nobody', async () => {
    for (const searchText of [...NAUGHTY, '%', '_', '\\', "'", '"', 'a'.repeat(200)]) {
      const { status, body } = await app.call('tenant', searchUsers, { params: { connectorId: tenantId }, body: { searchText } })
      expect([status, body.data]).toEqual([200, []])
    }
    for (const searchText of [...NONE, 'a'.repeat(10_000)])
      expect((await app.call('tenant', searchUsers, { params: { connectorId: tenantId }, body: { searchText } })).status).toBe(400)
  })
})
