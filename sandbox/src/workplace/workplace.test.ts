import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScimCall, sandboxForTests, type TestSandbox } from '../testing/sandbox-for-tests.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const WORKPLACE_GROUP = 'urn:instep:params:scim:schemas:workplace:2.0:Group'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await sandboxForTests()
})
afterAll(() => sandbox.close())

const scim = (call: ScimCall) => sandbox.scim(call)

const account = (name: string, more: object = {}) => ({
  schemas: [USER, ENTERPRISE],
  userName: name,
  externalId: `NW-${name}`,
  active: true,
  name: { givenName: 'Zoë', familyName: "O'Brien" },
  displayName: "Zoë O'Brien",
  title: 'Barista',
  emails: [{ value: `${name}@northwind.example`, type: 'work', primary: true }],
  [ENTERPRISE]: { department: 'Kitchen', employeeNumber: '40114' },
  ...more,
})

const create = async (name: string, more: object = {}) => {
  const answer = await scim({ method: 'POST', path: '/Users', body: account(name, more) })
  expect(answer.status).toBe(201)
  return answer.body
}

const change = (id: string, operation: object, headers: Record<string, string> = {}) =>
  scim({ method: 'PATCH', path: `/Users/${id}`, body: { schemas: [PATCH], Operations: [operation] }, headers })

const setWeather = (weather: string) =>
  fetch(`${sandbox.url()}/workplace/northwind/weather`, {
    method: 'PUT',
    body: JSON.stringify({ weather }),
    headers: { 'content-type': 'application/json' },
  })

interface Stats {
  readonly total: number
  readonly requests: Readonly<Record<string, number>> & { readonly GET: number; readonly POST: number }
  readonly accounts: number
  readonly active: number
}

const stats = async () => (await (await fetch(`${sandbox.url()}/workplace/northwind/stats`)).json()) as Stats

describe('a caller without the right token', () => {
  it.each([
    ['no token', { authorization: '' }],
    ['another scheme', { authorization: 'Basic sandbox-northwind' }],
    ['a wrong token', { authorization: 'Bearer sandbox-northwin' }],
    ["the other company's token", { authorization: 'Bearer sandbox-contoso' }],
  ])('is refused with %s', async (_name, headers) => {
    const answer = await scim({ path: '/Users', headers })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    expect(answer.body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' })
  })
})

describe('an account', () => {
  it.each<[string, unknown, string]>([
    ['is no JSON', '{', 'invalidSyntax'],
    ['is a list', [], 'invalidSyntax'],
    ['does not name its schema', { userName: 'x' }, 'invalidValue'],
    ['has no user name', { schemas: [USER] }, 'invalidValue'],
    ['has a blank user name', { schemas: [USER], userName: ' ' }, 'invalidValue'],
    ['is active in words', { schemas: [USER], userName: 'x', active: 'yes' }, 'invalidValue'],
    [
      'has two primary addresses',
      account('x', {
        emails: [
          { value: 'a', primary: true },
          { value: 'b', primary: true },
        ],
      }),
      'invalidValue',
    ],
    ['has a user name to be rejected', account('x+reject'), 'invalidValue'],
    ['has an external id to be rejected', account('x', { externalId: 'NW+reject' }), 'invalidValue'],
  ])('is refused when it %s', async (_name, body, scimType) => {
    expect(await scim({ method: 'POST', path: '/Users', body })).toMatchObject({ status: 400, body: { scimType } })
  })

  it('is refused when its user name is taken, whatever the case', async () => {
    const first = await create('taken')
    const again = await scim({ method: 'POST', path: '/Users', body: account('TAKEN') })
    expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness', status: '409' } })
    const other = await create('other')
    expect(await change(other.id, { op: 'replace', path: 'userName', value: 'taken' })).toMatchObject({ status: 409 })
    expect((await scim({ path: `/Users/${first.id}` })).body.userName).toBe('taken')
  })

  it('is not found when it is not there', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      expect((await scim({ method, path: '/Users/nobody', ...(method !== 'GET' && { body: account('nobody') }) })).status).toBe(404)
    }
    expect((await scim({ path: '/Nothing' })).status).toBe(404)
  })

  it('of one company is not there for the other', async () => {
    const { id } = await create('ours')
    expect((await scim({ path: `/Users/${id}`, company: 'contoso' })).status).toBe(404)
    expect((await scim({ method: 'POST', path: '/Users', body: account('ours'), company: 'contoso' })).status).toBe(201)
  })

  it('is made with an address, a version and what was said of it', async () => {
    const answer = await scim({ method: 'POST', path: '/Users', body: account('made', { shoeSize: 43, password: 'secret', id: 'mine' }) })
    const location = `${sandbox.url()}/workplace/northwind/scim/v2/Users/${answer.body.id}`
    expect(answer.headers.get('location')).toBe(location)
    expect(answer.headers.get('etag')).toBe('W/"1"')
    expect(answer.headers.get('content-type')).toContain('application/scim+json')
    const { id, meta, ...said } = answer.body
    expect(said).toEqual(account('made'))
    expect(id).not.toBe('mine')
    expect(meta).toMatchObject({ resourceType: 'User', location, version: 'W/"1"' })
    expect(await scim({ path: `/Users/${id}` })).toMatchObject({ status: 200, body: answer.body })
  })

  it('is changed, deactivated and removed', async () => {
    const { id } = await create('changing')
    const changed = await change(id, { op: 'replace', path: `${ENTERPRISE}:department`, value: 'Stock' })
    expect(changed).toMatchObject({ status: 200, body: { [ENTERPRISE]: { department: 'Stock' }, meta: { version: 'W/"2"' } } })
    expect((await change(id, { op: 'replace', value: { active: false } })).body.active).toBe(false)
    const put = await scim({ method: 'PUT', path: `/Users/${id}`, body: { schemas: [USER], userName: 'changed' } })
    expect(put.body).not.toHaveProperty('title')
    expect(put.body.meta.version).toBe('W/"4"')
    expect((await scim({ method: 'DELETE', path: `/Users/${id}` })).status).toBe(204)
    expect((await scim({ path: `/Users/${id}` })).status).toBe(404)
    expect((await scim({ path: `/Users?filter=${encodeURIComponent('userName eq "changed"')}` })).body.totalResults).toBe(0)
  })

  it('keeps its version when a change changes nothing', async () => {
    const { id, meta } = await create('same')
    expect((await change(id, { op: 'replace', path: 'title', value: 'Barista' })).body.meta).toEqual(meta)
    expect((await scim({ method: 'PUT', path: `/Users/${id}`, body: account('same') })).body.meta).toEqual(meta)
  })

  it('is not changed over a change that the caller has not seen', async () => {
    const { id } = await create('versioned')
    await change(id, { op: 'replace', path: 'title', value: 'Cook' })
    expect((await change(id, { op: 'replace', path: 'title', value: 'Porter' }, { 'if-match': 'W/"1"' })).status).toBe(412)
    expect((await change(id, { op: 'replace', path: 'title', value: 'Porter' }, { 'if-match': 'W/"2"' })).status).toBe(200)
    expect((await scim({ path: `/Users/${id}`, headers: { 'if-none-match': 'W/"3"' } })).status).toBe(304)
  })
})

describe('a list of accounts', () => {
  const find = async (filter: string, more = '') =>
    (await scim({ path: `/Users?filter=${encodeURIComponent(filter)}${more}`, company: 'contoso' })).body

  beforeAll(async () => {
    for (let index = 0; index < 25; index += 1) {
      const body = account(`list-${index}`, { externalId: index < 2 ? 'CO-shared' : `CO-${index}`, active: index % 5 > 0 })
      await scim({ method: 'POST', path: '/Users', body, company: 'contoso' })
    }
  })

  it('refuses a filter or a number that it cannot read', async () => {
    expect(await scim({ path: '/Users?filter=userName' })).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } })
    expect(await scim({ path: '/Users?count=many' })).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  })

  it('finds by user name, external id and anything else', async () => {
    expect((await find('userName eq "LIST-7"')).Resources).toMatchObject([{ userName: 'list-7' }])
    expect((await find('externalId eq "CO-7"')).Resources).toMatchObject([{ userName: 'list-7' }])
    expect(await find('externalId eq "co-7"')).toMatchObject({ totalResults: 0, Resources: [] })
    expect((await find('externalId eq "CO-shared"')).totalResults).toBe(2)
    expect((await find('userName sw "list-" and active eq false')).totalResults).toBe(5)
  })

  it('shows each account on one page only', async () => {
    const seen: string[] = []
    for (let startIndex = 1; startIndex <= 31; startIndex += 10) {
      const page = await find('userName sw "list-"', `&startIndex=${startIndex}&count=10`)
      expect(page).toMatchObject({ totalResults: 25, startIndex })
      expect(page.itemsPerPage).toBe(page.Resources.length)
      seen.push(...page.Resources.map((each: { userName: string }) => each.userName))
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `list-${index}`))
  })

  it('counts without showing, and shows only what is asked for', async () => {
    expect(await find('userName sw "list-"', '&count=0')).toMatchObject({ totalResults: 25, itemsPerPage: 0 })
    const [first] = (await find('userName eq "list-1"', '&attributes=userName')).Resources
    expect(Object.keys(first).sort()).toEqual(['id', 'schemas', 'userName'])
    expect((await find('userName eq "list-1"', '&excludedAttributes=emails,meta')).Resources[0]).not.toHaveProperty('emails')
  })
})

describe('a group', () => {
  it('refuses a member that is no account, and a name that is taken', async () => {
    const body = { schemas: [GROUP], displayName: 'Bakers', members: [{ value: 'nobody' }] }
    expect(await scim({ method: 'POST', path: '/Groups', body })).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    await scim({ method: 'POST', path: '/Groups', body: { ...body, members: [] } })
    expect((await scim({ method: 'POST', path: '/Groups', body: { ...body, members: [] } })).status).toBe(409)
  })

  it('has members, who know of it, until they go', async () => {
    const [one, two] = [await create('member-1'), await create('member-2')]
    const body = { schemas: [GROUP], displayName: 'Kitchen', members: [{ value: one.id }] }
    const group = (await scim({ method: 'POST', path: '/Groups', body })).body
    expect(group.members).toMatchObject([{ value: one.id, display: "Zoë O'Brien", $ref: expect.stringContaining(`/Users/${one.id}`) }])
    const add = { schemas: [PATCH], Operations: [{ op: 'add', path: 'members', value: [{ value: two.id }] }] }
    expect((await scim({ method: 'PATCH', path: `/Groups/${group.id}`, body: add })).body.members).toHaveLength(2)
    expect((await scim({ path: `/Users/${two.id}` })).body.groups).toMatchObject([{ value: group.id, display: 'Kitchen' }])
    await scim({ method: 'DELETE', path: `/Users/${one.id}` })
    const found = (await scim({ path: `/Groups?filter=${encodeURIComponent('displayName eq "kitchen"')}` })).body.Resources[0]
    expect(found.members.map((member: { value: string }) => member.value)).toEqual([two.id])
    await scim({ method: 'DELETE', path: `/Groups/${group.id}` })
    expect((await scim({ path: `/Users/${two.id}` })).body).not.toHaveProperty('groups')
  })
})

describe('the endpoint', () => {
  it('says what it can do', async () => {
    const config = (await scim({ path: '/ServiceProviderConfig' })).body
    expect(config).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true },
      etag: { supported: true },
    })
    const types = (await scim({ path: '/ResourceTypes' })).body
    expect(types.Resources.map((type: { endpoint: string }) => type.endpoint)).toEqual(['/Users', '/Groups'])
    const schemas = (await scim({ path: '/Schemas' })).body
    expect(schemas.Resources.map((schema: { id: string }) => schema.id)).toEqual([USER, ENTERPRISE, GROUP, WORKPLACE_GROUP])
    expect((await scim({ path: `/Schemas/${ENTERPRISE}` })).body.name).toBe('EnterpriseUser')
    expect((await scim({ path: '/Schemas/none' })).status).toBe(404)
  })

  it('answers as its weather is', async () => {
    expect((await setWeather('foggy')).status).toBe(400)
    await setWeather('failing')
    expect((await scim({ path: '/Users' })).status).toBe(500)
    await setWeather('busy')
    const busy = await scim({ path: '/Users' })
    expect(busy.status).toBe(429)
    expect(busy.headers.get('retry-after')).toBe('1')
    expect((await scim({ path: '/Users', company: 'contoso' })).status).toBe(200)
    await setWeather('slow')
    const start = performance.now()
    expect((await scim({ path: '/Users' })).status).toBe(200)
    expect(performance.now() - start).toBeGreaterThan(190)
    await setWeather('fine')
    expect((await scim({ path: '/Users' })).status).toBe(200)
  })

  it('counts SCIM requests and nothing else', async () => {
    const before = await stats()
    await fetch(`${sandbox.url()}/workplace/northwind`)
    expect(await stats()).toEqual(before)
    const { id } = await create('counted')
    await scim({ path: '/Users', headers: { authorization: '' } })
    const after = await stats()
    expect(after.requests).toEqual({ ...before.requests, POST: before.requests.POST + 1, GET: before.requests.GET + 1 })
    expect(after).toMatchObject({ total: before.total + 2, accounts: before.accounts + 1, active: before.active + 1 })
    await change(id, { op: 'replace', path: 'active', value: false })
    expect(await stats()).toMatchObject({ accounts: after.accounts, active: after.active - 1 })
  })
})

describe('after a restart', () => {
  it('the same accounts, groups, weather and day are there, though the last line was cut', async () => {
    const kept = await create('kept')
    const { id: gone } = await create('gone')
    await scim({ method: 'DELETE', path: `/Users/${gone}` })
    await scim({ method: 'POST', path: '/Groups', body: { schemas: [GROUP], displayName: 'Keepers', members: [{ value: kept.id }] } })
    const before = (await scim({ path: '/Users?count=1000&excludedAttributes=meta,groups' })).body
    const day = await fetch(`${sandbox.url()}/hr/northwind/next-day`, { method: 'POST', headers: { accept: 'application/json' } })
    const told = await (await fetch(`${sandbox.url()}/hr/northwind/export.csv`)).text()
    await setWeather('busy')
    appendFileSync(join(sandbox.dataDir, 'sandbox.jsonl'), '["northwind/Users","cut-in-the-midd')
    await sandbox.restart()
    expect((await scim({ path: '/Users' })).status).toBe(429)
    await setWeather('fine')
    expect((await scim({ path: '/Users?count=1000&excludedAttributes=meta,groups' })).body).toEqual(before)
    expect((await scim({ path: `/Users/${gone}` })).status).toBe(404)
    expect((await scim({ path: `/Users/${kept.id}` })).body.groups).toMatchObject([{ display: 'Keepers' }])
    expect((await scim({ method: 'POST', path: '/Users', body: account('kept') })).status).toBe(409)
    expect(await (await fetch(`${sandbox.url()}/hr/northwind/status`)).json()).toEqual(await day.json())
    expect(await (await fetch(`${sandbox.url()}/hr/northwind/export.csv`)).text()).toBe(told)
  })
})
