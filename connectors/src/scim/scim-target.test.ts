import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ConnectorError } from '../kit/problem.ts'
import type { Target, TargetUser } from '../kit/target.ts'
import { describeTarget } from '../kit/target-contract.ts'
import type { ScimOptions } from './scim-client.ts'
import { createScimTarget } from './scim-target.ts'
import { type Misbehaviour, type ScimStandIn, startScimStandIn } from './testing/scim-stand-in.ts'

const NOW = new Date('2026-03-01T12:00:00Z')

for (const updateMethod of ['PATCH', 'PUT']) {
  for (const matchBy of ['userName', 'externalId']) {
    describeTarget(`SCIM 2.0 (${updateMethod}, by ${matchBy})`, async () => {
      const standIn = await startScimStandIn()
      const target = createScimTarget({ baseUrl: `${standIn.baseUrl}/`, updateMethod, matchBy }, { token: standIn.token })
      const close = async () => {
        await target.close()
        await standIn.close()
      }
      return { target, count: () => standIn.accounts.size, close }
    })
  }
}

const answer =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Misbehaviour =>
  (response) => {
    response.writeHead(status, headers)
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
const acceptThen =
  (then: (response: Parameters<Misbehaviour>[0]) => void): Misbehaviour =>
  (response, accept) => {
    accept()
    then(response)
  }
const errorBody = (status: number, detail: string, scimType?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  detail,
  scimType,
})

describe('a SCIM target', () => {
  let standIn: ScimStandIn
  let target: Target
  const open = (properties: object = {}, options: ScimOptions = {}) =>
    createScimTarget({ baseUrl: standIn.baseUrl, ...properties }, { token: standIn.token }, { now: () => NOW, ...options })
  const user: TargetUser = {
    active: true,
    fields: { externalId: 'E1', givenName: 'Ana', familyName: 'Silva', workEmail: 'ana@example.com' },
  }
  const create = () => target.create(target.documentOf(user))

  beforeAll(async () => {
    standIn = await startScimStandIn()
    target = open()
  })
  afterEach(() => {
    standIn.accounts.clear()
    standIn.received.length = 0
  })
  afterAll(async () => {
    await target.close()
    await standIn.close()
  })

  const uncertain: [string, Misbehaviour, string][] = [
    ['a page instead of JSON', acceptThen((response) => response.end('<html>Sign in</html>')), 'notJson'],
    ['a list instead of an account', answer(201, []), 'notJson'],
    ['nothing', answer(201), 'noId'],
    ['an account without an id', answer(201, { userName: 'ana@example.com' }), 'noId'],
    ['an account of somebody else', answer(201, { id: '9', externalId: 'E9' }), 'wrongId'],
    ['success with an error in it', answer(200, errorBody(409, 'taken')), 'errorBody'],
    ['a redirect', answer(302, '', { location: 'http://elsewhere.example.com/Users' }), 'redirect'],
    ['two megabytes', acceptThen((response) => response.end(`{"id":"1","x":"${'x'.repeat(2_000_000)}"}`)), 'tooLarge'],
    ['a closed connection', acceptThen((response) => response.destroy()), 'reset'],
    [
      'half an answer',
      acceptThen((response) => response.writeHead(201, { 'content-length': '100' }).write('{"id":', () => response.destroy())),
      'reset',
    ],
  ]
  it.each(uncertain)('does not know whether an account was created when it is answered by %s', async (_name, way, reason) => {
    standIn.misbehave(way)
    await expect(create()).rejects.toMatchObject({ code: 'TARGET_UNCERTAIN', params: { reason }, retryable: true })
    expect(standIn.received).toHaveLength(1)
  })

  it.each([500, 502, 504])('does not know it either after a %s', async (status) => {
    standIn.misbehave(answer(status, 'oops'))
    await expect(create()).rejects.toMatchObject({ code: 'TARGET_UNCERTAIN', params: { status }, retryable: true })
  })

  it('does not know it when no answer comes in time, and finds the account when it looks', async () => {
    const hurried = open({}, { timeoutMs: 100 })
    standIn.misbehave((_response, accept) => void accept())
    await expect(hurried.create(hurried.documentOf(user))).rejects.toMatchObject({
      code: 'TARGET_UNCERTAIN',
      params: { reason: 'timeout' },
    })
    expect(await hurried.find(hurried.documentOf(user))).toMatchObject({ document: hurried.documentOf(user) })
    await hurried.close()
  })

  it('does not know it when the answer drips on and on', async () => {
    const hurried = open({}, { timeoutMs: 150 })
    standIn.misbehave(async (response) => {
      response.writeHead(201)
      while (!response.destroyed) {
        response.write(' ')
        await wait(10)
      }
    })
    await expect(hurried.create(hurried.documentOf(user))).rejects.toMatchObject({
      code: 'TARGET_UNCERTAIN',
      params: { reason: 'timeout' },
    })
    await hurried.close()
  })

  it('is told to stop in the middle of a request', async () => {
    const controller = new AbortController()
    standIn.misbehave(() => controller.abort())
    await expect(target.create(target.documentOf(user), { signal: controller.signal })).rejects.toMatchObject({ code: 'TARGET_ABORTED' })
  })

  const refusals: [string, Misbehaviour, object][] = [
    ['409', answer(409, 'x'), { code: 'TARGET_EXISTS', retryable: false }],
    [
      '400 uniqueness',
      answer(400, errorBody(400, 'taken', 'uniqueness')),
      { code: 'TARGET_EXISTS', params: { status: 400, scimType: 'uniqueness', message: 'taken' } },
    ],
    [
      '400',
      answer(400, errorBody(400, 'title is too long', 'invalidValue')),
      { code: 'TARGET_REFUSED', retryable: false, params: { status: 400, scimType: 'invalidValue', message: 'title is too long' } },
    ],
    ['401', answer(401, '<html>'), { code: 'TARGET_UNAUTHORISED' }],
    ['403', answer(403), { code: 'TARGET_FORBIDDEN' }],
    ['404 on the collection', answer(404), { code: 'TARGET_UNEXPECTED', params: { status: 404 } }],
    ['413', answer(413), { code: 'TARGET_REFUSED' }],
    ['501', answer(501), { code: 'TARGET_REFUSED' }],
    ['429 in seconds', answer(429, '', { 'retry-after': '17' }), { code: 'TARGET_THROTTLED', retryable: true, retryAfterSeconds: 17 }],
    [
      '429 until a time',
      answer(429, '', { 'retry-after': 'Sun, 01 Mar 2026 12:01:30 GMT' }),
      { code: 'TARGET_THROTTLED', retryAfterSeconds: 90 },
    ],
    [
      '429 until a past time',
      answer(429, '', { 'retry-after': 'Sun, 01 Mar 2020 12:01:30 GMT' }),
      { code: 'TARGET_THROTTLED', retryAfterSeconds: 0 },
    ],
    ['429 without a word', answer(429, '', { 'retry-after': 'soon' }), { code: 'TARGET_THROTTLED', retryAfterSeconds: undefined }],
    ['503', answer(503, '', { 'retry-after': '5' }), { code: 'TARGET_UNAVAILABLE', retryable: true, retryAfterSeconds: 5 }],
  ]
  it.each(refusals)('takes a %s for what it is', async (_name, way, expected) => {
    standIn.misbehave(way)
    await expect(create()).rejects.toMatchObject(expected)
  })

  const reads: [string, Misbehaviour, object][] = [
    ['a page', answer(200, '<html>'), { code: 'TARGET_UNEXPECTED', params: { reason: 'notJson' } }],
    ['another list', answer(200, { data: [] }), { code: 'TARGET_UNEXPECTED', params: { reason: 'notScim' } }],
    [
      'a list of nonsense',
      answer(200, { totalResults: 1, Resources: [null] }),
      { code: 'TARGET_UNEXPECTED', params: { reason: 'notScim' } },
    ],
    [
      'everybody, the filter ignored',
      answer(200, { totalResults: 1, Resources: [{ id: '1', userName: 'bo' }] }),
      { code: 'TARGET_UNEXPECTED', params: { reason: 'filterIgnored' } },
    ],
    [
      'two of the name',
      answer(200, {
        totalResults: 2,
        Resources: [
          { id: '1', userName: 'Ana@example.com' },
          { id: '2', userName: 'ana@example.com' },
        ],
      }),
      { code: 'TARGET_AMBIGUOUS' },
    ],
    ['a 500', answer(500), { code: 'TARGET_UNAVAILABLE', retryable: true }],
    ['a redirect', answer(301, '', { location: '/elsewhere' }), { code: 'TARGET_UNEXPECTED', params: { reason: 'redirect' } }],
  ]
  it.each(reads)('finds nobody for certain in %s', async (_name, way, expected) => {
    standIn.misbehave(way)
    await expect(target.find(target.documentOf(user))).rejects.toMatchObject(expected)
  })

  it('checks that an update was answered for the same account', async () => {
    const { remoteId } = await create()
    const before = target.documentOf(user)
    const document = { ...before, title: 'Baker' }
    standIn.misbehave(answer(200, { id: 'other' }), answer(200), answer(204))
    await expect(target.update(remoteId, document, { before })).rejects.toMatchObject({
      code: 'TARGET_UNCERTAIN',
      params: { reason: 'wrongId' },
    })
    await expect(target.update(remoteId, document, { before })).rejects.toMatchObject({
      code: 'TARGET_UNCERTAIN',
      params: { reason: 'notJson' },
    })
    await expect(target.update(remoteId, document, { before })).resolves.toEqual({ remoteId, etag: null })
  })

  it('sends only what changed, and nothing when nothing did', async () => {
    const { remoteId } = await create()
    const before = target.documentOf(user)
    const after = target.documentOf({
      active: true,
      fields: { ...user.fields, givenName: 'Anna', displayName: 'Ana Silva', department: 'Bakery' },
    })
    standIn.received.length = 0
    await target.update(remoteId, before, { before })
    expect(standIn.received).toHaveLength(0)
    await target.update(remoteId, after, { before })
    expect(standIn.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'PATCH /scim/v2/Users/account%2F1'.replace('1', remoteId.split('/')[1] ?? ''),
    ])
    expect(standIn.received[0]?.body?.Operations).toEqual([
      { op: 'replace', path: 'name.formatted', value: 'Anna Silva' },
      { op: 'replace', path: 'name.givenName', value: 'Anna' },
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Bakery' },
    ])
  })

  it('leaves alone what a target keeps on its own', async () => {
    const { remoteId } = await create()
    Object.assign(standIn.accounts.get(remoteId) ?? {}, { nickName: 'A', groups: [{ value: 'g1' }], roles: [{ value: 'r' }] })
    await target.update(remoteId, { ...target.documentOf(user), title: 'Baker' })
    expect(standIn.accounts.get(remoteId)).toMatchObject({ nickName: 'A', groups: [{ value: 'g1' }], title: 'Baker' })
  })

  it('never repeats its token, even when the target does', async () => {
    standIn.misbehave(answer(400, errorBody(400, `bad header Bearer ${standIn.token}`)))
    const error = await create().then(
      () => undefined,
      (problem: unknown) => problem,
    )
    expect(error).toBeInstanceOf(ConnectorError)
    expect(JSON.stringify({ ...(error as ConnectorError), message: (error as ConnectorError).message })).not.toContain(standIn.token)
    expect((error as ConnectorError).params.message).toBe('bad header Bearer ***')
  })

  it('keeps an odd remote id in its one place of the path', async () => {
    await expect(target.update('..', target.documentOf(user))).rejects.toMatchObject({ code: 'TARGET_GONE' })
    await target.delete('../Groups/1?x=#')
    expect(standIn.received.map((request) => request.url)).toEqual(['/scim/v2/Users/%2E%2E', '/scim/v2/Users/..%2FGroups%2F1%3Fx%3D%23'])
  })

  it('says what is wrong with address and token', async () => {
    const wrongPath = open({ baseUrl: `${standIn.baseUrl}/nothing` })
    await expect(wrongPath.check()).rejects.toMatchObject({ code: 'TARGET_UNEXPECTED', params: { status: 404 } })
    const wrongToken = createScimTarget({ baseUrl: standIn.baseUrl }, { token: 'wrong' })
    await expect(wrongToken.check()).rejects.toMatchObject({ code: 'TARGET_UNAUTHORISED' })
    await expect(target.check()).resolves.toEqual({ detail: 'SCIM 2.0, 0 accounts' })
    await Promise.all([wrongPath.close(), wrongToken.close()])
  })

  it('knows that nothing was sent when there is nobody to connect to', async () => {
    const closed = createServer()
    const port = await new Promise<number>((resolve) =>
      closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port)),
    )
    await new Promise((resolve) => closed.close(resolve))
    const tls = standIn.baseUrl.replace('http:', 'https:')
    const cases = [
      [`http://127.0.0.1:${port}`, 'refused'],
      ['https://no-such-host.invalid', 'dns'],
      [tls, 'tls'],
    ] as const
    for (const [baseUrl, reason] of cases) {
      const lost = open({ baseUrl })
      await expect(lost.create(lost.documentOf(user))).rejects.toMatchObject({
        code: 'TARGET_UNREACHABLE',
        params: { reason },
        retryable: true,
      })
      await lost.close()
    }
  })
})
