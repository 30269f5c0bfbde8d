/// <reference types="node" />
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { applyRun, listRuns, watchRun } from '@instep/contract/sync.ts'
import { updateUser } from '@instep/contract/user-edits.ts'
import { searchUsers } from '@instep/contract/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { addressOf, createApi } from './create-api.ts'

const TENANT = '019a0000-0000-7000-8000-000000000001'
const RUN = '019a0000-0000-7000-8000-000000000002'

interface Seen {
  method: string
  url: string
  authorization: string | undefined
  ifMatch: string | undefined
  body: string
}

let answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end()
const seen: Seen[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  seen.push({
    method: request.method ?? '',
    url: request.url ?? '',
    authorization: request.headers.authorization,
    ifMatch: request.headers['if-match'],
    body,
  })
  answer(request, response)
})
let baseUrl = ''

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => void server.close())
beforeEach(() => void seen.splice(0))

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
const api = (onExpired = () => undefined) => createApi({ baseUrl, accessToken: () => 'token', language: () => 'fr-FR', onExpired })
const list = { params: { tenantId: TENANT } }

test('an expired session is refused before any request', async () => {
  const onExpired = vi.fn()
  const accessToken = () => {
    throw new Error('User session expired')
  }
  await expect(createApi({ baseUrl, accessToken, language: () => 'fr-FR', onExpired }).call(listRuns, list)).rejects.toThrow(
    'User session expired',
  )
  expect(onExpired).toHaveBeenCalledOnce()
  expect(seen).toEqual([])
})

test('a session that the server calls expired is told too', async () => {
  const onExpired = vi.fn()
  answer = json(401, { code: 'SESSION_EXPIRED', message: '', correlationId: 'c1' })
  await expect(api(onExpired).call(listRuns, list)).rejects.toMatchObject({ code: 'SESSION_EXPIRED', status: 401 })
  expect(onExpired).toHaveBeenCalledOnce()
})

test('a problem carries its code, fields, figures and correlation id', async () => {
  answer = json(400, { code: 'INVALID', message: 'no', correlationId: 'c2', fields: { pageSize: ['too big'] }, params: { most: 250 } })
  await expect(api().call(listRuns, list)).rejects.toMatchObject({
    code: 'INVALID',
    status: 400,
    correlationId: 'c2',
    fields: { pageSize: ['too big'] },
    params: { most: 250 },
  })
})

test.each([
  [500, 'INTERNAL'],
  [502, 'UNAVAILABLE'],
  [504, 'UNAVAILABLE'],
])('an answer of %d that is no problem of ours is %s, with the correlation id of its header', async (status, code) => {
  answer = (_request, response) => response.writeHead(status, { 'x-correlation-id': 'c3' }).end('<html>')
  await expect(api().call(listRuns, list)).rejects.toMatchObject({ code, correlationId: 'c3' })
})

test('a server that is away is offline', async () => {
  const away = createApi({
    baseUrl: 'http://127.0.0.1:9/v1',
    accessToken: () => 'token',
    language: () => 'fr-FR',
    onExpired: () => undefined,
  })
  await expect(away.call(listRuns, list)).rejects.toMatchObject({ code: 'OFFLINE', status: 0 })
})

test('an answer that is no JSON is unreadable', async () => {
  answer = (_request, response) => response.end('hello')
  await expect(api().call(listRuns, list)).rejects.toMatchObject({ code: 'UNREADABLE' })
})

test('a call carries token, path, query and body', async () => {
  answer = json(200, { data: [], continuationToken: null })
  await api().call(listRuns, { ...list, query: { pageSize: 25, state: 'held' } })
  await api().call(searchUsers, { params: { connectorId: TENANT }, body: { searchText: 'é & co' } })
  await api().call(applyRun, { params: { tenantId: TENANT, runId: RUN }, body: {} })
  expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', `/v1/connectors/${TENANT}/runs?pageSize=25&state=held`, ''],
    ['POST', `/v1/connectors/${TENANT}/users/search`, '{"searchText":"é & co"}'],
    ['POST', `/v1/connectors/${TENANT}/runs/${RUN}/apply`, '{}'],
  ])
  expect(seen[0]?.authorization).toBe('Bearer token')
})

test('empty and absent query values are left out, parameters are encoded', () => {
  const address = addressOf('/v1', listRuns, {
    params: { tenantId: 'a/b' },
    query: { state: undefined, connectorId: '', continuationToken: 'x=y&z' },
  })
  expect(address).toBe('/v1/connectors/a%2Fb/runs?continuationToken=x%3Dy%26z')
})

test('watching hands over every event, whole even when it comes in pieces, and ends when the server ends', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': hello\n\nevent: run\ndata: {"version"')
    response.write(':1}\n\ndata: {"version":\ndata: 2}\r\n\r\n')
    response.end('data: {"version":3}\n\n')
  }
  const versions: number[] = []
  await api().watch(watchRun, { params: { tenantId: TENANT, runId: RUN } }, (run) => versions.push(run.version))
  expect(versions).toEqual([1, 2, 3])
  expect(seen.length).toBe(1)
})

test('watching takes a broken connection up again, and stops when it is told to', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: false })
  try {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: {"version":${seen.length}}\n\n`, () => response.destroy())
    }
    const stop = new AbortController()
    const versions: number[] = []
    const watching = api().watch(watchRun, { params: { tenantId: TENANT, runId: RUN }, signal: stop.signal }, (run) => {
      versions.push(run.version)
      if (run.version === 3) stop.abort()
    })
    while (versions.length < 3) {
      await vi.advanceTimersByTimeAsync(100)
      await new Promise((next) => setImmediate(next))
    }
    await watching
    expect(versions).toEqual([1, 2, 3])
  } finally {
    vi.useRealTimers()
  }
})

test('what the server refuses is not asked again while watching', async () => {
  answer = json(404, { code: 'NOT_FOUND', message: '', correlationId: 'c4' })
  const watching = api().watch(watchRun, { params: { tenantId: TENANT, runId: RUN } }, () => undefined)
  await expect(watching).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(seen.length).toBe(1)
})

test('a change that names the version it was made on is refused with what stands there now', async () => {
  answer = json(412, { code: 'USER_CHANGED', message: '', correlationId: 'c1', current: { user: { version: 8 }, changes: [] } })
  const call = api().call(updateUser, { params: { connectorId: TENANT, id: RUN }, body: { title: 'Driver' }, ifMatch: 7 })
  await expect(call).rejects.toMatchObject({ code: 'USER_CHANGED', status: 412, current: { user: { version: 8 } } })
  expect(seen[0]).toMatchObject({ method: 'PUT', ifMatch: '"7"' })
})

test('a call that names no version sends none', async () => {
  answer = json(200, { data: [], continuationToken: null })
  await api().call(listRuns, list)
  expect(seen[0]?.ifMatch).toBeUndefined()
})
