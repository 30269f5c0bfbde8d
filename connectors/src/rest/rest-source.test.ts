import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '../kit/fetching-source.ts'
import { describeFetchedPeople, readFetched } from '../kit/testing/fetched-people.ts'
import { TEST_CERTIFICATE } from '../kit/testing/test-certificate.ts'
import { createRestSource } from './rest-source.ts'
import type { RestOptions } from './rest-transport.ts'
import { answer, json, type RestStandIn, type StandInRequest, startRestStandIn } from './testing/rest-stand-in.ts'

const TOKEN = 'stand-in-t0ken+/='
const WRONG = 'not-the-t0ken'
const NEVER = new AbortController().signal

interface Person {
  readonly id: string
  readonly name: { readonly givenName: string }
  readonly changed: string
}

/** Pages of two by cursor, changes by `since`, for whoever has the token. */
const startHr = (people: Map<string, Person>): Promise<RestStandIn> =>
  startRestStandIn((response, { headers, query, path }) => {
    if (headers.authorization !== `Bearer ${TOKEN}`)
      return answer(401, JSON.stringify({ message: `no access with ${headers.authorization}` }))(response, undefined as never)
    if (path !== '/people') {
      const one = people.get(decodeURIComponent(path.replace('/people/', '')))
      return one ? json(response, { data: one }) : answer(404)(response, undefined as never)
    }
    const since = query.get('since') ?? ''
    const found = [...people.values()].filter(({ changed }) => changed >= since)
    const from = Number(query.get('cursor') ?? 0)
    const next = from + 2 < found.length ? from + 2 : null
    json(response, { data: { people: found.slice(from, from + 2) }, next })
  })

const cutAnswer = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
  response.write('{"data":{"people":[{"id":"P1"')
  setTimeout(() => response.destroy(), 5)
}

describeFetchedPeople('rest', async () => {
  const people = new Map<string, Person>()
  const server = await startHr(people)
  const properties = {
    url: `${server.origin}/people?fields=all`,
    recordsPath: 'data.people',
    authentication: 'bearer',
    paging: 'cursor',
    nextPath: 'next',
    changedParameter: 'since',
    recordPath: 'data',
  }
  const open = (url: string, bearerToken: string) =>
    createRestSource(
      { properties: { ...properties, url, recordUrl: `${new URL(url).origin}/people/{id}` }, secrets: { bearerToken } },
      { allowPrivate: true, sleep: async () => undefined },
    )
  return {
    open: () => open(properties.url, TOKEN),
    openWithWrongCredentials: () => open(properties.url, WRONG),
    openUnreachable: () => open('http://127.0.0.1:9/people', TOKEN),
    put: async (id, at) => {
      people.set(id, { id, name: { givenName: `Zoé ${id}` }, changed: at.toISOString() })
    },
    cutNext: () => server.misbehave(undefined, cutAnswer, cutAnswer, cutAnswer, cutAnswer, cutAnswer),
    stallNext: (stalled) => server.misbehave(stalled),
    idColumn: 'id',
    secrets: [TOKEN, WRONG, encodeURIComponent(TOKEN)],
    close: () => server.close(),
  }
})

describe('a REST source', () => {
  const dir = mkdtempSync(join(tmpdir(), 'instep-rest-'))
  const servers: RestStandIn[] = []
  let files = 0
  let pauses: number[] = []
  afterEach(async () => {
    pauses = []
    await Promise.all(servers.splice(0).map((server) => server.close()))
    expect(readdirSync(dir).filter((name) => !name.endsWith('.csv'))).toEqual([])
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  const serve = async (handle: (response: ServerResponse, request: StandInRequest) => void): Promise<RestStandIn> => {
    const server = await startRestStandIn(handle)
    servers.push(server)
    return server
  }

  type Given = {
    settings?: Record<string, unknown>
    secrets?: Record<string, string>
    options?: RestOptions
    watermark?: JsonValue
    now?: Date
  }
  const fetch = async (
    { origin }: RestStandIn,
    { settings = {}, secrets = {}, options = {}, watermark = null, now = new Date() }: Given = {},
  ) => {
    files += 1
    const path = join(dir, `${files}.csv`)
    const sleep = async (ms: number) => void pauses.push(ms)
    const source = createRestSource(
      { properties: { url: `${origin}/people`, ...settings }, secrets },
      { allowPrivate: true, sleep, ...options },
    )
    try {
      const fetched = await source.fetch({ path, watermark, limit: 2 ** 30, now, signal: NEVER })
      return { fetched, rows: fetched ? await readFetched(path) : [] }
    } finally {
      await source.close()
    }
  }
  const ids = async (server: RestStandIn, given: Given = {}) => (await fetch(server, given)).rows.map(({ id }) => id)
  const all = Array.from({ length: 7 }, (_, index) => ({ id: `P${index}`, name: 'n' }))

  describe('reads pages', () => {
    it('by number, whose size the system may cut, until one is empty', async () => {
      const server = await serve((response, { query }) => {
        const from = (Number(query.get('p')) - 1) * 3
        json(response, all.slice(from, from + 3))
      })
      const settings = { paging: 'page', pageParameter: 'p', sizeParameter: 'limit', pageSize: 50 }
      expect(await ids(server, { settings })).toEqual(all.map(({ id }) => id))
      expect(server.received.map(({ query }) => query.toString())).toContain('limit=50&p=4')
    })

    it('until there is no content, a byte order mark aside', async () => {
      const server = await serve((response, { query }) =>
        answer(query.get('page') === '1' ? 200 : 204, '\ufeff[{"id":"P1","name":"n"}]')(response, undefined as never),
      )
      expect(await ids(server, { settings: { paging: 'page' } })).toEqual(['P1'])
    })

    it('by offset, counted by what came', async () => {
      const server = await serve((response, { query }) => {
        const from = Number(query.get('offset'))
        json(response, { total: 7, items: all.slice(from, from + 3) })
      })
      expect(await ids(server, { settings: { paging: 'offset', recordsPath: 'items', totalPath: 'total' } })).toHaveLength(7)
    })

    it('by the Link header', async () => {
      const server = await serve((response, { query }) => {
        const from = Number(query.get('after') ?? 0)
        const link = `</people?page=first>; title="a, <b>; rel=next"; rel="first", </people?after=${from + 3}>; rel="prev next"`
        json(response, all.slice(from, from + 3), from + 3 < all.length ? { link } : {})
      })
      expect(await ids(server, { settings: { paging: 'link' } })).toHaveLength(7)
    })

    it('by the address in the body', async () => {
      const server = await serve((response, { query }) => {
        const from = Number(query.get('skip') ?? 0)
        json(response, { value: all.slice(from, from + 3), '@odata.nextLink': from + 3 < 7 ? `people?skip=${from + 3}` : null })
      })
      expect(await ids(server, { settings: { paging: 'nextUrl', recordsPath: 'value', nextPath: '"@odata.nextLink"' } })).toHaveLength(7)
    })

    it('of records with other columns than before, each in its own', async () => {
      const server = await serve((response) =>
        json(response, [
          { id: '1', a: 'x' },
          { id: '2', b: { c: null, d: ['p', 'q'] } },
        ]),
      )
      expect((await fetch(server)).rows).toEqual([
        { id: '1', a: 'x', 'b.c': '', 'b.d': '' },
        { id: '2', a: '', 'b.c': '', 'b.d': 'p; q' },
      ])
    })

    it('with every digit of a number', async () => {
      const server = await serve((response) => answer(200, '[{"id":12345678901234567890,"fte":1.50}]')(response, undefined as never))
      expect((await fetch(server)).rows).toEqual([{ id: '12345678901234567890', fte: '1.50' }])
    })
  })

  describe('says what is wrong with page 2:', () => {
    const bad: [string, string, Parameters<RestStandIn['misbehave']>[0], Record<string, unknown>?][] = [
      ['a sign-in page', 'SOURCE_WEB_PAGE', answer(200, '<!DOCTYPE html><html>', { 'content-type': 'text/html' })],
      ['no JSON', 'SOURCE_NOT_JSON', answer(200, '{"items":[')],
      ['nothing at all', 'SOURCE_NOT_JSON', answer(200)],
      ['no content', 'SOURCE_NOT_JSON', answer(204)],
      ['other letters than UTF-8', 'SOURCE_NOT_JSON', (response) => response.end(Buffer.from('{"items":[{"id":"Zo\xe9"}]}', 'latin1'))],
      ['no records at the path', 'SOURCE_RECORDS_ABSENT', (response) => json(response, { people: [] })],
      ['records that are none', 'SOURCE_RECORDS_ABSENT', (response) => json(response, { items: ['P1'] })],
      ['a lead to another origin', 'SOURCE_REDIRECTED', answer(302, '', { location: 'https://elsewhere.example.com/people' })],
      ['a next page elsewhere', 'SOURCE_NEXT_FOREIGN', (response) => json(response, { items: [{ id: 'x' }], next: 'http://127.0.0.1:1/' })],
      ['the same page again', 'SOURCE_LOOP', (response) => json(response, { items: all.slice(0, 2), next: '/people?at=9' })],
      ['a cursor that leads back', 'SOURCE_LOOP', (response) => json(response, { items: [{ id: 'x' }], next: '/people?at=2' })],
      ['more pages than allowed', 'SOURCE_PAGES_TOO_MANY', undefined, { mostPages: 2 }],
      ['fewer records than it counts', 'SOURCE_INCOMPLETE', (response) => json(response, { items: [], total: 7 }), { totalPath: 'total' }],
      ['a page too large', 'SOURCE_PAGE_TOO_LARGE', (response) => json(response, { items: [{ id: 'x'.repeat(5000) }] })],
      ['a length too large', 'SOURCE_PAGE_TOO_LARGE', answer(200, '', { 'content-length': '5000' })],
      ['an address that is gone', 'SOURCE_REFUSED', answer(404, '{"error":{"message":"no such page"}}')],
      ['no permission', 'SOURCE_FORBIDDEN', answer(403)],
      ['a rest longer than an hour', 'SOURCE_THROTTLED', answer(429, '', { 'retry-after': '3601' })],
    ]
    it.each(bad)('%s (%s)', async (...[, code, way, settings]) => {
      const server = await serve((response, { query }) => {
        const at = Number(query.get('at') ?? 0)
        json(response, { items: all.slice(at, at + 2), next: at + 2 < 7 ? `/people?at=${at + 2}` : null })
      })
      server.misbehave(undefined, way)
      const given = { settings: { recordsPath: 'items', paging: 'nextUrl', nextPath: 'next', ...settings }, options: { pageLimit: 2000 } }
      await expect(fetch(server, given)).rejects.toMatchObject({ code, params: { page: 2 } })
    })

    it('nobody at all, where everybody was asked for', async () => {
      const server = await serve((response) => json(response, []))
      await expect(fetch(server)).rejects.toMatchObject({ code: 'SOURCE_EMPTY' })
    })

    it('a thousand columns, which are no columns', async () => {
      const server = await serve((response) => json(response, [Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`k${n}`, 1]))]))
      await expect(fetch(server)).rejects.toMatchObject({ code: 'SOURCE_COLUMNS_TOO_MANY' })
    })

    it('no answer in time', async () => {
      const server = await serve(() => undefined)
      await expect(fetch(server, { options: { timeoutMs: 30 } })).rejects.toMatchObject({ code: 'SOURCE_TIMEOUT' })
      expect(pauses).toEqual([1000, 2000, 4000, 8000])
    })
  })

  it('trusts a certificate that an own authority vouches for, and no other', async () => {
    const server = await startRestStandIn((response) => json(response, all), { tls: true })
    servers.push(server)
    expect(await ids(server, { settings: { certificateAuthority: TEST_CERTIFICATE } })).toHaveLength(7)
    await expect(fetch(server)).rejects.toMatchObject({ code: 'SOURCE_CERTIFICATE', params: { reason: 'self-signed' } })
    expect(pauses).toEqual([])
  })

  it('says when the other side does not encrypt, and when nobody has the name', async () => {
    const server = await serve((response) => json(response, all))
    const encrypted = { url: server.origin.replace('http:', 'https:') }
    await expect(fetch(server, { settings: encrypted })).rejects.toMatchObject({ params: { reason: 'no TLS at this port' } })
    const nowhere = { url: 'https://nobody.invalid/' }
    await expect(fetch(server, { settings: nowhere })).rejects.toMatchObject({
      code: 'SOURCE_HOST_UNKNOWN',
      params: { host: 'nobody.invalid' },
    })
  })

  it('ends a pause by the signal', async () => {
    const server = await serve(answer(503, '', { 'retry-after': '250' }))
    const source = createRestSource({ properties: { url: server.origin }, secrets: {} }, { allowPrivate: true })
    const controller = new AbortController()
    const tried = source.test(controller.signal)
    setTimeout(() => controller.abort('enough'), 60)
    await expect(tried).rejects.toBe('enough')
    await source.close()
  })

  it('waits as it is told, or ever longer, and goes on where it was', async () => {
    const server = await serve((response) => json(response, all))
    server.misbehave(answer(429, '', { 'retry-after': '7' }), answer(503), answer(500), answer(429))
    expect(await ids(server)).toHaveLength(7)
    expect(pauses).toEqual([7000, 2000, 4000, 8000])
  })

  it('follows a lead within the same origin', async () => {
    const server = await serve((response, { path }) =>
      path === '/people' ? answer(307, '', { location: '/v2' })(response, undefined as never) : json(response, all),
    )
    expect(await ids(server)).toHaveLength(7)
  })

  describe('signs in', () => {
    const people = (response: ServerResponse) => json(response, all)

    it('with a user name, a password and a colon in it', async () => {
      const server = await serve(people)
      await fetch(server, { settings: { authentication: 'basic', userName: 'zoé' }, secrets: { password: 'p:w' } })
      expect(server.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('zoé:p:w').toString('base64')}`)
    })

    it('with a key that is taken as the user name', async () => {
      const server = await serve(people)
      await fetch(server, { settings: { authentication: 'basic' }, secrets: { apiKey: 'k3y', password: 'x' } })
      expect(server.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('k3y:x').toString('base64')}`)
    })

    it('with a key in a header, or where nothing else is taken in the address', async () => {
      const server = await serve(people)
      const secrets = { apiKey: 'k3y' }
      await fetch(server, { settings: { authentication: 'apiKey', apiKeyHeader: 'X-Key' }, secrets })
      await fetch(server, { settings: { authentication: 'apiKey', apiKeyParameter: 'key' }, secrets })
      expect(server.received.map(({ headers, query }) => [headers['x-key'], query.get('key')])).toEqual([
        ['k3y', null],
        [undefined, 'k3y'],
      ])
    })

    const startOAuth = (life: number) => {
      let issued = 0
      return serve((response, { path, headers }) => {
        if (path === '/token') issued += 1
        if (path === '/token') return json(response, { access_token: `t${issued}`, token_type: 'Bearer', expires_in: life })
        if (headers.authorization !== `Bearer t${issued}`) return answer(401)(response, undefined as never)
        return json(response, { items: all.slice(0, 1), next: null })
      })
    }
    const oauth = (server: RestStandIn) => ({
      settings: {
        authentication: 'oauth',
        tokenUrl: `${server.origin}/token`,
        clientId: 'c:id',
        tokenScope: 'people',
        recordsPath: 'items',
      },
      secrets: { clientSecret: 's e+c' },
    })

    it('with client credentials, once for all pages', async () => {
      const server = await startOAuth(3600)
      server.misbehave(undefined, (response) => json(response, { items: [{ id: 'x' }], next: 'a' }))
      const given = oauth(server)
      await fetch(server, { ...given, settings: { ...given.settings, paging: 'cursor', nextPath: 'next' } })
      expect(server.received.map(({ path }) => path)).toEqual(['/token', '/people', '/people'])
      expect(server.received[0]).toMatchObject({ body: 'grant_type=client_credentials&scope=people' })
      expect(server.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('c%3Aid:s+e%2Bc').toString('base64')}`)
    })

    it('with a new token when the old one ends or is withdrawn, and gives up when that is refused too', async () => {
      const server = await startOAuth(60)
      let clock = 0
      const source = createRestSource(
        {
          properties: { url: `${server.origin}/people`, ...oauth(server).settings, clientAuthentication: 'body' },
          secrets: oauth(server).secrets,
        },
        { allowPrivate: true, now: () => new Date(clock), sleep: async () => undefined },
      )
      await source.test(NEVER)
      clock = 11_000
      await source.test(NEVER)
      server.misbehave(answer(401))
      await source.test(NEVER)
      server.misbehave(answer(401), undefined, answer(401))
      await expect(source.test(NEVER)).rejects.toMatchObject({ code: 'SOURCE_UNAUTHORISED' })
      expect(server.received.filter(({ path }) => path === '/token')).toHaveLength(4)
      expect(server.received[0]?.body).toContain('client_secret=s+e%2Bc')
      await source.close()
    })

    it('and says when the client is not known', async () => {
      const server = await serve(answer(400, '{"error":"invalid_client","error_description":"s e+c is wrong"}'))
      const refused = fetch(server, oauth(server))
      await expect(refused).rejects.toMatchObject({ code: 'SOURCE_UNAUTHORISED', params: { message: '*** is wrong', page: 0 } })
    })
  })

  describe('asks for changes', () => {
    const now = new Date('2026-03-01T12:00:00.000Z')
    it.each([
      ['iso', '2026-03-01T11:50:00Z'],
      ['date', '2026-02-28'],
      ['epochSeconds', '1772365800'],
      ['epochMilliseconds', '1772365800000'],
    ])('as %s', async (changedFormat, text) => {
      const server = await serve((response) => json(response, all))
      const settings = { changedParameter: 'since', changedFormat }
      const { fetched } = await fetch(server, { settings, now })
      const second = await fetch(server, { settings, now, watermark: fetched?.watermark ?? null })
      expect(server.received.map(({ query }) => query.get('since'))).toEqual([null, text])
      expect(second.fetched?.extent).toBe('changes')
    })

    it('never against other settings', async () => {
      const server = await serve((response) => json(response, all))
      const { fetched } = await fetch(server, { settings: { changedParameter: 'since' }, now })
      const settings = { changedParameter: 'since', recordsPath: '' }
      const other = await fetch(server, {
        settings: { ...settings, url: `${server.origin}/leavers` },
        now,
        watermark: fetched?.watermark ?? null,
      })
      expect(other.fetched?.extent).toBe('full')
    })

    it('keeps the columns that the changed records do not have', async () => {
      const server = await serve((response) =>
        json(response, [
          { id: '1', a: 'x' },
          { id: '2', title: 'y' },
        ]),
      )
      const given = { settings: { changedParameter: 'since' }, now }
      const { fetched } = await fetch(server, given)
      server.misbehave((response) => json(response, [{ id: '2', b: 'z' }]))
      const { rows } = await fetch(server, { ...given, watermark: fetched?.watermark ?? null })
      expect(rows).toEqual([{ id: '2', a: '', title: '', b: 'z' }])
    })
  })

  it('tells how many people there are, where the system counts them', async () => {
    const server = await serve((response) => json(response, { items: all.slice(0, 2), meta: { total: 7 } }))
    const properties = { url: `${server.origin}/people`, recordsPath: 'items', totalPath: 'meta.total', paging: 'page' }
    const source = createRestSource({ properties, secrets: {} }, { allowPrivate: true })
    expect(await source.test(NEVER)).toMatchObject({ found: { size: 7 } })
    await source.close()
  })
})

describe('a REST source inside the operator’s own network', () => {
  it.each(['https://127.0.0.1/people', 'https://localhost/people', 'https://10.0.0.7/people', 'https://[fd12::1]/people'])(
    'is not asked at %s unless the operator allows it',
    async (url) => {
      const source = createRestSource({ properties: { url }, secrets: {} })
      await expect(source.test(new AbortController().signal)).rejects.toMatchObject({ code: 'SOURCE_ADDRESS_REFUSED' })
      await source.close()
    },
  )
})

describe('one person of a REST source', () => {
  const readOne = async (body: unknown, settings: Record<string, unknown> = {}) => {
    const server = await startRestStandIn((response) => json(response, body))
    const properties = { url: `${server.origin}/people`, recordUrl: `${server.origin}/people?number={id}&all=1`, ...settings }
    const source = createRestSource({ properties, secrets: {} }, { allowPrivate: true })
    try {
      const one = await source.readOne?.({ column: 'number', value: '7' }, NEVER)
      return { one: one && Object.fromEntries(one.columns.map((name, place) => [name, one.cells[place]])), asked: server.received }
    } finally {
      await source.close()
      await server.close()
    }
  }

  it('cannot be asked for where no address is set', async () => {
    const source = createRestSource({ properties: { url: 'https://hr.example.com/people' }, secrets: {} })
    expect(source.readOne).toBeUndefined()
    await source.close()
  })

  it.each(['https://hr.example.com/people', 'https://other.example.com/people/{id}', 'https://{id}.example.com/people', '{id}'])(
    'is not asked for at %s, which has no place for the id or would be given the credentials of another',
    (recordUrl) => {
      const open = () => createRestSource({ properties: { url: 'https://hr.example.com/people', recordUrl }, secrets: {} })
      expect(open).toThrow(expect.objectContaining({ code: 'SOURCE_SETTINGS_INVALID', params: { property: 'recordUrl' } }))
    },
  )

  it('is taken from an answer of its own, from a list of one, and from a search that gives others as well', async () => {
    const ada = { number: 7, name: { givenName: 'Ada' } }
    const cells = { number: '7', 'name.givenName': 'Ada' }
    const { one, asked } = await readOne(ada)
    expect([one, asked[0]?.query.toString()]).toEqual([cells, 'number=7&all=1'])
    expect((await readOne({ found: [ada] }, { recordPath: 'found' })).one).toEqual(cells)
    expect((await readOne([{ number: 77 }, ada])).one).toEqual(cells)
    expect((await readOne([{ number: 77 }])).one).toBeUndefined()
    expect((await readOne([])).one).toBeUndefined()
  })

  it('is nobody where two have the key, where nobody’s key can be seen, and where no record is found in the answer', async () => {
    await expect(readOne([{ number: 7 }, { number: '7' }])).rejects.toMatchObject({ code: 'SOURCE_RECORD_UNCLEAR', params: { count: 2 } })
    await expect(readOne({ id: 7 })).rejects.toMatchObject({ code: 'SOURCE_RECORD_UNCLEAR', params: { count: 1, column: 'number' } })
    await expect(readOne({ data: { number: 7 } }, { recordPath: 'dta' })).rejects.toMatchObject({ code: 'SOURCE_RECORDS_ABSENT' })
  })
})
