import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindFilter } from './bind-filter.rules.ts'
import { compileFilter } from './compile-filter.ts'
import { parseFilter } from './filter-text.rules.ts'
import type { JsonObject } from './json.ts'
import { matchesFilter } from './matches-filter.rules.ts'
import { ENTERPRISE_ID, USER_KIND } from './scim-schemas.ts'
import { searchDocumentOf } from './search-document.rules.ts'
import { type Connection, type ScimWorld, scimWorld } from './testing/scim-world.ts'

let world: ScimWorld
let entra: Connection
let users: JsonObject[]

const TEXTS = ['', 'Ada', 'ADA', 'ada lovelace', 'Éa', 'É', 'İstanbul', 'ΣΟΦΟΣ', '%_\\', 'a"b', "o'neil", '😀', '\uffee', 'zz'] as const
const text = fc.constantFrom(...TEXTS)

const user = fc.record(
  {
    externalId: text,
    title: text,
    displayName: text,
    active: fc.boolean(),
    name: fc.record({ givenName: text, familyName: text }, { requiredKeys: [] }),
    emails: fc.array(
      fc.record({ type: fc.constantFrom('work', 'Home'), value: text, primary: fc.boolean() }, { requiredKeys: ['value'] }),
      { maxLength: 3 },
    ),
    [ENTERPRISE_ID]: fc.record({ department: text, manager: text }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
)

beforeAll(async () => {
  world = await scimWorld()
  entra = await world.connect()
  const samples = fc.sample(user, { numRuns: 60, seed: 4 })
  for (const [index, each] of samples.entries()) expect((await entra.addUser({ ...each, userName: `User${index}` })).status).toBe(201)
  users = (await entra.request('GET /Users?count=100')).body.Resources
})
afterAll(() => world.close())

const PATHS = [
  'externalId',
  'userName',
  'TITLE',
  'displayName',
  'name.givenName',
  'name.familyName',
  'emails',
  'emails.value',
  'emails.type',
  `${ENTERPRISE_ID}:department`,
  `${ENTERPRISE_ID}:manager`,
  'urn:ietf:params:scim:schemas:core:2.0:User:title',
  'meta.created',
  'id',
] as const
const operator = fc.constantFrom('eq', 'NE', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le')
const quoted = fc.oneof(text, fc.constantFrom('User1', 'user2')).map((value) => JSON.stringify(value))
const comparison = fc.oneof(
  fc.tuple(fc.constantFrom(...PATHS.filter((path) => path !== 'meta.created')), operator, quoted).map((parts) => parts.join(' ')),
  fc.constantFrom(...PATHS, 'active', 'name', 'addresses').map((path) => `${path} pr`),
  fc.constantFrom(
    'active eq true',
    'active ne "False"',
    'title eq null',
    'title ne null',
    'meta.created gt "2020-01-01T00:00:00Z"',
    'meta.lastModified le "2020-01-01"',
    'meta.resourceType eq "User"',
  ),
)
const part = fc.oneof(
  fc.tuple(fc.constantFrom('value', 'type', 'display'), operator, quoted).map((parts) => parts.join(' ')),
  fc.constantFrom('type eq "work"', 'primary eq true', 'primary eq "False"', 'primary pr', 'not (type eq "HOME")'),
)
const parts = fc.oneof(
  part,
  fc.tuple(part, fc.constantFrom('and', 'or'), part).map((each) => each.join(' ')),
)
const bracketed = fc.oneof(
  parts.map((inner) => `emails[${inner}]`),
  fc.tuple(parts, operator, quoted).map(([inner, op, value]) => `emails[${inner}].value ${op} ${value}`),
)
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparison,
    bracketed,
    fc.tuple(tie('filter'), fc.constantFrom('and', 'OR'), tie('filter')).map((each) => each.join(' ')),
    tie('filter').map((inner) => `not (${inner})`),
    tie('filter').map((inner) => `(${inner})`),
  ),
}))

describe('a filter', () => {
  it('finds by SQL whom JavaScript finds, whatever it asks', async () => {
    await fc.assert(
      fc.asyncProperty(filter, async (given) => {
        const bound = bindFilter(USER_KIND, parseFilter(given))
        const wanted = users.filter((each) => {
          const { created, lastModified } = each['meta'] as { created: string; lastModified: string }
          const document = { ...searchDocumentOf(USER_KIND, each), meta: { created, lastmodified: lastModified, resourcetype: 'User' } }
          return matchesFilter(bound, document)
        })
        const found = await entra.request(`GET /Users?count=100&attributes=userName&filter=${encodeURIComponent(given)}`)
        expect([found.status, found.body.totalResults]).toEqual([200, wanted.length])
        expect(found.body.Resources.map(({ userName }) => userName)).toEqual(wanted.map(({ userName }) => userName))
      }),
      { numRuns: 250, seed: 20_260_301 },
    )
  })

  const REFUSED = [
    'title',
    'title is "x"',
    'title eq x',
    'title eq "x',
    'title eq "x" and',
    '(title eq "x"',
    'title eq "x")',
    'title eq "x" title',
    'shoeSize eq 4',
    'password eq "x"',
    'active gt true',
    'active eq "perhaps"',
    'name eq "x"',
    'title co null',
    'meta.created gt "yesterday"',
    'meta.created co "2020"',
    'name[givenName eq "x"]',
    'emails[emails[type eq "x"]]',
    'emails[shoe eq "x"]',
    'groups.display co "x"',
    'urn:contoso:2.0:User:badge eq "x"',
    'title eq "\\u0000"',
    'title eq "\\ud800"',
    'not title eq "x"',
    `${'('.repeat(21)}title pr${')'.repeat(21)}`,
    Array.from({ length: 200 }, () => 'title pr').join(' and '),
    `title eq "${'x'.repeat(20_000)}"`,
  ]
  it.each(REFUSED.map((given) => [given.slice(0, 60), given]))('that cannot be answered is refused: %s', async (_, given) => {
    const { status, body } = await entra.request(`GET /Users?filter=${encodeURIComponent(given.slice(0, 7000))}`)
    expect([status, body.scimType]).toEqual([400, 'invalidFilter'])
    expect(() => compileFilter(USER_KIND, bindFilter(USER_KIND, parseFilter(given)))).toThrow(
      expect.objectContaining({ scimType: 'invalidFilter' }),
    )
  })

  it('may stand in the body of a search', async () => {
    const { body } = await entra.request('POST /Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'userName eq "USER3" or userName eq "user4"',
      attributes: ['userName'],
      startIndex: 2,
      count: 1,
    })
    expect(body).toMatchObject({ totalResults: 2, startIndex: 2, itemsPerPage: 1, Resources: [{ userName: 'User4' }] })
  })
})

describe('a list', () => {
  it('is read page by page, in the order asked for, each user once', async () => {
    const names: unknown[] = []
    for (let start = 1; start <= 60; start += 25) {
      const { body } = await entra.request(
        `GET /Users?sortBy=userName&sortOrder=descending&startIndex=${start}&count=25&excludedAttributes=emails,name.givenName`,
      )
      names.push(...body.Resources.map(({ userName }) => userName))
      expect(body.Resources.some((each) => 'emails' in each || 'givenName' in ((each['name'] ?? {}) as object))).toBe(false)
    }
    expect(names).toEqual(
      Array.from({ length: 60 }, (_, index) => `User${index}`)
        .sort()
        .reverse(),
    )
  })

  it('may be asked only for how many there are, and not for what is no number', async () => {
    expect((await entra.request('GET /Users?count=0')).body).toMatchObject({ totalResults: 60, itemsPerPage: 0, Resources: [] })
    expect((await entra.request('GET /Users?startIndex=-4&count=1')).body).toMatchObject({ startIndex: 1, itemsPerPage: 1 })
    expect((await entra.request('GET /Users?startIndex=99999999999999999999')).body).toMatchObject({ totalResults: 60, itemsPerPage: 0 })
    expect((await entra.request('GET /Users?count=many')).body.scimType).toBe('invalidValue')
    expect((await entra.request('GET /Users?sortBy=title')).body.scimType).toBe('invalidPath')
  })

  it('tells of each user only what is asked for', async () => {
    const found = users.find((each) => ENTERPRISE_ID in each && 'name' in each)
    const { body } = await entra.request(
      `GET /Users/${found?.['id']}?attributes=USERNAME,name.familyName,${ENTERPRISE_ID}:department,shoeSize`,
    )
    expect(Object.keys(body).every((name) => ['schemas', 'id', 'userName', 'name', ENTERPRISE_ID].includes(name))).toBe(true)
    expect(body['userName']).toBe(found?.['userName'])
  })
})
