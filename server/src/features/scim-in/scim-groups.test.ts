import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CORE_GROUP, type Connection, pushEvents, type ScimWorld, scimWorld } from './testing/scim-world.ts'

let world: ScimWorld
let entra: Connection
let ada: string
let bob: string

beforeAll(async () => {
  world = await scimWorld()
  entra = await world.connect()
  ada = (await entra.addUser({ userName: 'ada', displayName: 'Ada B.' })).body.id
  bob = (await entra.addUser({ userName: 'bob' })).body.id
})
afterAll(() => world.close())

const addGroup = (displayName: string, members: readonly string[]) =>
  entra.request('POST /Groups', { schemas: [CORE_GROUP], displayName, members: members.map((value) => ({ value })) })
const membersOf = async (id: string) => (await entra.request(`GET /Groups/${id}`)).body['members'] ?? []

describe('a group', () => {
  it('is stored with its members, who tell of it', async () => {
    const { status, body } = await addGroup('Bakers', [bob, ada])
    expect(status).toBe(201)
    expect(body['members']).toEqual([
      { value: ada, $ref: expect.stringContaining(`/Users/${ada}`), display: 'Ada B.', type: 'User' },
      { value: bob, $ref: expect.stringContaining(`/Users/${bob}`), display: 'bob', type: 'User' },
    ])
    expect((await entra.request(`GET /Users/${ada}`)).body['groups']).toEqual([
      { value: body.id, $ref: expect.stringContaining(`/Groups/${body.id}`), display: 'Bakers', type: 'direct' },
    ])
    const asked = await entra.request(`GET /Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "bakers"')}`)
    expect(asked.body.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })])
  })

  it.each([
    ['of another connector', async () => (await (await world.connect()).addUser({ userName: 'zoe' })).body.id],
    ['who is not there', async () => '0195f0c0-0000-7000-8000-000000000000'],
    ['whose id is none', async () => 'zoe'],
  ])('does not take a member %s, and stays as it was', async (_, someone) => {
    const stranger = await someone()
    const { id } = (await addGroup('Cooks', [ada])).body
    for (const refused of [
      await addGroup('Strangers', [ada, stranger]),
      await entra.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: bob }, { value: stranger }] }),
    ])
      expect([refused.status, refused.body.scimType, refused.body.detail]).toEqual([
        400,
        'invalidValue',
        `members: no user has the id "${stranger}".`,
      ])
    expect(await membersOf(id)).toHaveLength(1)
    expect((await entra.request(`GET /Groups?filter=${encodeURIComponent('displayName eq "Strangers"')}`)).body.totalResults).toBe(0)
  })

  it('takes and loses members one by one, and tells nothing back', async () => {
    const { id } = (await addGroup('Guests', [])).body
    const added = await entra.patch(`/Groups/${id}`, { op: 'Add', path: 'members', value: [{ $ref: null, value: ada }, { value: bob }] })
    expect([added.status, added.headers.get('etag')]).toEqual([204, 'W/"2"'])
    await entra.patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: [{ value: ada }] })
    expect(await membersOf(id)).toMatchObject([{ value: bob }])
    await entra.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${bob}"]` })
    expect(await membersOf(id)).toEqual([])
    await entra.patch(`/Groups/${id}`, { op: 'replace', value: { id, displayName: 'Guests', members: [{ value: ada, display: 'x' }] } })
    expect(await membersOf(id)).toMatchObject([{ value: ada }])
    const same = await entra.patch(
      `/Groups/${id}`,
      { op: 'replace', value: { id, displayName: 'Guests' } },
      { op: 'add', path: 'members', value: [{ value: ada }] },
    )
    expect(same.headers.get('etag')).toBe('W/"5"')
    const events = (await pushEvents(world, entra)).filter(({ data }) => data['group'] === 'Guests')
    expect(events.map(({ type, data }) => [type, data['added'], data['removed']])).toEqual([
      ['scim.group.pushed', 0, 0],
      ['scim.group.changed', 2, 0],
      ['scim.group.changed', 0, 1],
      ['scim.group.changed', 0, 1],
      ['scim.group.changed', 1, 0],
    ])
    expect(events[2]?.before).toEqual({ members: [ada] })
  })

  it('is replaced with its members by a PUT', async () => {
    const { id } = (await addGroup('Night', [ada])).body
    const put = await entra.request(`PUT /Groups/${id}`, { displayName: 'Late', members: [{ value: bob }] })
    expect(put.body).toMatchObject({ displayName: 'Late', members: [{ value: bob }], meta: { version: 'W/"2"' } })
    expect((await entra.request(`PUT /Groups/${id}`, { displayName: 'Late', members: [{ value: bob }] })).body).toEqual(put.body)
    expect((await entra.request(`PUT /Groups/${id}`, { members: [] })).body.scimType).toBe('invalidValue')
  })

  it('is found by a member, and a member by a group, as Entra ID asks', async () => {
    const { id } = (await addGroup('Asked', [ada])).body
    const ask = async (path: string, filter: string) =>
      (await entra.request(`GET ${path}?attributes=id&filter=${encodeURIComponent(filter)}`)).body.Resources.map((each) => each['id'])
    expect(await ask('/Groups', `id eq "${id}" and members eq "${ada}"`)).toEqual([id])
    expect(await ask('/Groups', `id eq "${id}" and members[value eq "${bob}"]`)).toEqual([])
    expect(await ask('/Groups', `id eq "${id}" and not (members.value eq "${bob}")`)).toEqual([id])
    expect(await ask('/Users', `groups.value eq "${id}"`)).toEqual([ada])
  })

  it('loses whoever is removed, and its members stay when it is removed', async () => {
    const carla = (await entra.addUser({ userName: 'carla' })).body.id
    const { id } = (await addGroup('Short', [carla, bob])).body
    await entra.request(`DELETE /Users/${carla}`)
    const left = (await entra.request(`GET /Groups/${id}`)).body
    expect(left).toMatchObject({ members: [{ value: bob }], meta: { version: 'W/"2"' } })
    expect((await entra.request(`DELETE /Groups/${id}`)).status).toBe(204)
    expect((await entra.request(`DELETE /Groups/${id}`)).status).toBe(404)
    expect((await entra.request(`GET /Users/${bob}`)).status).toBe(200)
  })
})

describe('a bulk request', () => {
  const bulk = (operations: readonly object[], more: object = {}) =>
    entra.request('POST /Bulk', { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], ...more, Operations: operations })
  const statuses = (answer: { body: { Operations: { status?: unknown }[] } }) => answer.body.Operations.map(({ status }) => status)

  it('makes what refers to each other, in whatever order, and answers in the order asked', async () => {
    const answer = await bulk([
      { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName: 'Bulk', members: [{ value: 'bulkId:u' }, { value: ada }] } },
      { method: 'post', path: '/Users', bulkId: 'u', data: { userName: 'bulk-u' } },
      { method: 'PATCH', path: '/Groups/bulkId:g', data: { Operations: [{ op: 'Remove', path: 'members[value eq "bulkId:u"]' }] } },
    ])
    expect(statuses(answer)).toEqual(['201', '201', '200'])
    expect(answer.body.Operations[0]).toMatchObject({
      bulkId: 'g',
      method: 'POST',
      version: 'W/"1"',
      location: expect.stringContaining('/Groups/'),
    })
    const group = String(answer.body.Operations[0]?.['location']).split('/').at(-1) ?? ''
    expect(await membersOf(group)).toMatchObject([{ value: ada }])
  })

  it('refuses each operation on its own, and leaves nothing of it', async () => {
    const answer = await bulk([
      { method: 'POST', path: '/Users', bulkId: '1', data: { userName: 'ADA' } },
      { method: 'POST', path: '/Users', data: { userName: 'nobody' } },
      { method: 'POST', path: '/Users/x', bulkId: '2', data: {} },
      { method: 'PUT', path: '/Users/bulkId:1', data: { userName: 'x' } },
      { method: 'DELETE', path: `/Users/${ada}`, version: 'W/"77"' },
      { method: 'PATCH', path: '/Groups/bulkId:loop', bulkId: 'loop', data: {} },
      ['no operation'],
      { method: 'POST', path: '/Users', bulkId: '3', data: { userName: 'kept' } },
    ])
    expect(statuses(answer)).toEqual(['409', '400', '400', '409', '412', '409', '400', '201'])
    expect(answer.body.Operations[0]).toMatchObject({ bulkId: '1', response: { status: '409', scimType: 'uniqueness' } })
    // RFC 7644 section 3.7: all but a POST that failed say where the resource is
    const places = answer.body.Operations.map((operation) =>
      String(operation['location'] ?? '')
        .split('/scim/v2/')[1]
        ?.replace(/^[^/]+/, ''),
    )
    expect(places.slice(0, 7)).toEqual([undefined, undefined, undefined, undefined, `/Users/${ada}`, undefined, undefined])
    expect((await entra.request(`GET /Users?filter=${encodeURIComponent('userName eq "kept"')}`)).body.totalResults).toBe(1)
  })

  it('stops after as many failures as it says', async () => {
    const wrong = (bulkId: string) => ({ method: 'POST', path: '/Users', bulkId, data: {} })
    const answer = await bulk(
      [
        wrong('1'),
        { method: 'POST', path: '/Users', bulkId: '2', data: { userName: 'before' } },
        wrong('3'),
        { method: 'POST', path: '/Users', bulkId: '4', data: { userName: 'after' } },
      ],
      { failOnErrors: 2 },
    )
    expect(statuses(answer)).toEqual(['400', '201', '400'])
  })

  it('takes no more than it announces', async () => {
    const limits = (await entra.request('GET /ServiceProviderConfig')).body['bulk'] as { maxOperations: number }
    const operations = Array.from({ length: limits.maxOperations + 1 }, () => ({ method: 'DELETE', path: '/Users/x' }))
    expect((await bulk(operations)).status).toBe(413)
    expect((await bulk(operations.slice(1))).body.Operations).toHaveLength(limits.maxOperations)
    expect((await bulk([], { failOnErrors: 0 })).body.scimType).toBe('invalidSyntax')
    expect((await entra.request('POST /Bulk', {})).body.scimType).toBe('invalidSyntax')
  })

  it('makes a thousand users in one transaction, each with its event', async () => {
    const okta = await world.connect()
    const operations = Array.from({ length: 1000 }, (_, index) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `b${index}`,
      data: { userName: `u${index}` },
    }))
    const { body } = await okta.request('POST /Bulk', { Operations: operations })
    expect(body.Operations).toHaveLength(1000)
    const events = await pushEvents(world, okta)
    expect(events).toHaveLength(1000)
  })
})
