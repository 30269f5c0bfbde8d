import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CORE_USER, type Connection, ENTERPRISE, pushEvents, type ScimWorld, scimWorld } from './testing/scim-world.ts'

let world: ScimWorld
let entra: Connection

beforeAll(async () => {
  world = await scimWorld()
  entra = await world.connect()
})
afterAll(() => world.close())

describe('a user', () => {
  it('is refused without a userName, with words that say so', async () => {
    const { status, body, headers } = await entra.addUser({ displayName: 'Nobody' })
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '400',
        scimType: 'invalidValue',
        detail: 'userName is required.',
      },
    })
    expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    expect(headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is stored as pushed and answered with meta, whole and at once', async () => {
    const made = await entra.addUser({
      schemas: [CORE_USER, ENTERPRISE],
      externalId: 'E-1',
      userName: 'Ada@example.com',
      password: 'never kept',
      NAME: { GivenName: 'Ada', familyName: 'Byron', unknown: 'x' },
      active: 'True',
      emails: [{ primary: true, type: 'work', value: 'ada@example.com' }],
      roles: [],
      title: '',
      favourite: 'ignored',
      [ENTERPRISE]: { department: 'Engines', manager: 'E-9' },
      'urn:contoso:2.0:User': { badge: 7, floors: [{ value: '2' }] },
      meta: { resourceType: 'User' },
    })
    expect(made.status).toBe(201)
    const { id, meta, ...rest } = made.body
    expect(rest).toEqual({
      schemas: [CORE_USER, ENTERPRISE, 'urn:contoso:2.0:User'],
      externalId: 'E-1',
      userName: 'Ada@example.com',
      name: { givenName: 'Ada', familyName: 'Byron' },
      active: true,
      emails: [{ primary: true, type: 'work', value: 'ada@example.com' }],
      [ENTERPRISE]: { department: 'Engines', manager: { value: 'E-9' } },
      'urn:contoso:2.0:User': { badge: 7, floors: [{ value: '2' }] },
    })
    expect(made.headers.get('location')).toContain(`/scim/v2/${entra.connectorId}/Users/${id}`)
    expect(made.headers.get('etag')).toBe('W/"1"')
    expect(meta).toMatchObject({ resourceType: 'User', version: 'W/"1"' })
    expect((await entra.request(`GET /Users/${id}`)).body).toEqual(made.body)
  })

  it('has a userName of its own within the connector, whatever its case; another connector may have it too', async () => {
    const refused = await entra.addUser({ userName: 'ADA@EXAMPLE.COM' })
    expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness'])
    const okta = await world.connect()
    expect((await okta.addUser({ userName: 'ADA@EXAMPLE.COM' })).status).toBe(201)
    const bob = await entra.addUser({ userName: 'bob' })
    const renamed = await entra.patch(`/Users/${bob.body.id}`, { op: 'replace', path: 'userName', value: 'ada@example.com' })
    expect([renamed.status, renamed.body.scimType]).toEqual([409, 'uniqueness'])
  })

  it('is replaced by a PUT; one that says the same leaves no version and no event', async () => {
    const okta = await world.connect()
    const { id } = (await okta.addUser({ userName: 'carla', title: 'Baker' })).body
    const whole = { schemas: [CORE_USER], id, userName: 'carla', active: false, groups: [{ value: 'x' }] }
    const first = await okta.request(`PUT /Users/${id}`, whole)
    expect(first.body).toMatchObject({ active: false, meta: { version: 'W/"2"' } })
    expect(first.body).not.toHaveProperty('title')
    const again = await okta.request(`PUT /Users/${id}`, whole)
    expect(again.body).toEqual(first.body)
    await okta.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
    expect(
      (await pushEvents(world, okta)).map(({ type, data, before, after, actor }) => ({ type, data, before, after, by: actor['name'] })),
    ).toEqual([
      {
        type: 'scim.user.pushed',
        data: { user: 'carla' },
        before: null,
        after: { userName: 'carla', title: 'Baker', active: true },
        by: 'Entra ID',
      },
      {
        type: 'scim.user.changed',
        data: { user: 'carla', changed: 'active, title' },
        before: { active: true, title: 'Baker' },
        after: { active: false, title: null },
        by: 'Entra ID',
      },
    ])
  })

  it('is removed by a DELETE, and then not there', async () => {
    const { id } = (await entra.addUser({ userName: 'dora' })).body
    expect((await entra.request(`DELETE /Users/${id}`)).status).toBe(204)
    const body = { userName: 'x', Operations: [{ op: 'remove', path: 'title' }] }
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH'])
      expect([method, (await entra.request(`${method} /Users/${id}`, method === 'GET' ? undefined : body)).status]).toEqual([method, 404])
  })

  it.each(['nobody', '%00', '0195f0c0-0000-7000-8000-000000000000', 'a'.repeat(200)])(
    'of an id that there is not is a 404: %s',
    async (id) => {
      expect((await entra.request(`GET /Users/${id}`)).status).toBe(404)
    },
  )
})

describe('versions', () => {
  it('refuse a change of what has moved on, and spare what has not', async () => {
    const { id } = (await entra.addUser({ userName: 'erin' })).body
    const etag = (await entra.request(`GET /Users/${id}`)).headers.get('etag') ?? ''
    expect((await entra.request(`GET /Users/${id}`, undefined, { 'if-none-match': etag })).status).toBe(304)
    const change = (title: string, ifMatch: string) =>
      entra.request(`PATCH /Users/${id}`, { Operations: [{ op: 'replace', path: 'title', value: title }] }, { 'if-match': ifMatch })
    expect((await change('Baker', etag)).status).toBe(200)
    expect((await change('Cook', etag)).status).toBe(412)
    expect((await change('Cook', '"nothing", W/"2"')).status).toBe(200)
    expect((await change('Chef', '*')).status).toBe(200)
    expect((await entra.request(`GET /Users/${id}`, undefined, { 'if-none-match': etag })).status).toBe(200)
  })

  it('let one of two pass who change the same version at once', async () => {
    const { id } = (await entra.addUser({ userName: 'fritz' })).body
    const answers = await Promise.all(
      ['Baker', 'Cook'].map((title) =>
        entra.request(`PATCH /Users/${id}`, { Operations: [{ op: 'add', path: 'title', value: title }] }, { 'if-match': 'W/"1"' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  it('let one of two pass who add the same userName at once', async () => {
    const answers = await Promise.all(['gil', 'GIL', 'Gil'].map((userName) => entra.addUser({ userName })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
})
