import { ENDPOINTS } from '@instep/contract/endpoints.ts'
import { EVERY_PERMISSION, PERMISSIONS } from '@instep/contract/roles.ts'
import { getMe } from '@instep/contract/tenants.ts'
import { searchUsers } from '@instep/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceBase } from './runtime-config.ts'
import { type TestApp, testApp } from './testing/app.ts'

/** What every answer of the server has in common. */
let instep: TestApp
beforeAll(async () => {
  instep = await testApp({
    env: { METRICS_TOKEN: 'a-token-for-metrics', SERVICE_BASES: '{"console.customer.example":"https://api.customer.example/"}' },
  })
})
afterAll(() => instep.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${instep.url}${path}`, { headers, redirect: 'manual' })
const search = async (body: string, type = 'application/json') => {
  const response = await fetch(`${instep.url}/v1/connectors/${instep.world.one.id}/users/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await instep.tokenOf('tenant')}`, 'content-type': type },
    body,
  })
  return { status: response.status, body: (await response.json()) as { code: string; fields?: Record<string, string[]> } }
}

describe('a request that cannot be read', () => {
  it.each([
    ['broken JSON', '{"a":', 'application/json', 400, 'BODY_UNREADABLE'],
    ['another type', 'a=b', 'application/x-www-form-urlencoded', 400, 'BODY_UNREADABLE'],
    ['too much', JSON.stringify({ searchText: 'x'.repeat(1_200_000) }), 'application/json', 413, 'BODY_TOO_LARGE'],
    ['a null byte', '{"searchText":"a\\u0000b"}', 'application/json', 400, 'INVALID'],
    ['half a character', '{"searchText":"\\ud800"}', 'application/json', 400, 'INVALID'],
    ['a prototype', '{"__proto__":{"roles":["admin.super"]}}', 'application/json', 400, 'BODY_UNREADABLE'],
  ] as const)('(%s) is refused in words', async (...[, body, type, status, code]) => {
    expect(await search(body, type)).toMatchObject({ status, body: { code } })
  })

  it('is none when it is empty, whatever type it names', async () => {
    expect(await search('')).toMatchObject({ status: 200 })
    expect(await search('', 'text/csv')).toMatchObject({ status: 400, body: { code: 'BODY_UNREADABLE' } })
  })

  it('names the field that is wrong', async () => {
    expect((await search('{"pageSize":100000}')).body).toMatchObject({ code: 'INVALID', fields: { pageSize: [expect.any(String)] } })
  })

  it('is answered with a problem where there is no such call, and never with a page', async () => {
    const response = await get('/v1/nothing', { accept: 'text/html' })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND', message: 'Error 404: Not Found / Oops, something went wrong' })
  })
})

describe('every answer', () => {
  it.each(['/healthz', '/config.json', '/v1/me', '/docs/', '/identity/.well-known/openid-configuration'])(
    'of %s carries the security headers',
    async (path) => {
      const { headers } = await get(path)
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'|default-src 'self'/)
      expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      // the sign-in pages tell their own origin, by which they know their own posts
      expect(headers.get('referrer-policy')).toBe(path.startsWith('/identity') ? 'same-origin' : 'no-referrer')
    },
  )

  it('carries the correlation id that its problem names', async () => {
    const response = await get('/v1/me')
    expect(((await response.json()) as { correlationId: string }).correlationId).toBe(response.headers.get('x-correlation-id'))
  })
})

describe('the server', () => {
  it('says that it lives and that it is ready', async () => {
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' })
    expect(await (await get('/readyz')).json()).toEqual({ status: 'ready' })
  })

  it('says that it is not ready while a migration is missing', async () => {
    const { db } = instep.database
    const [last] = await db
      .selectFrom('instep_migrations' as never)
      .selectAll()
      .orderBy('name' as never, 'desc')
      .limit(1)
      .execute()
    await db
      .deleteFrom('instep_migrations' as never)
      .where('name' as never, '=', (last as { name: string }).name as never)
      .execute()
    const response = await get('/readyz')
    await db
      .insertInto('instep_migrations' as never)
      .values(last as never)
      .execute()
    expect(response.status).toBe(503)
    expect(JSON.stringify(await response.json())).not.toContain('migration')
  })

  it('tells the console where its service and its provider are, by host name', async () => {
    expect(await (await get('/config.json')).json()).toMatchObject({
      apiBase: '/v1',
      hrSystem: null,
      identity: { clientId: 'console', flow: 'implicit' },
    })
    expect(serviceBase({ 'console.customer.example': 'https://api.customer.example/' }, 'console.customer.example')).toBe(
      'https://api.customer.example/v1',
    )
  })

  it('opens its metrics to the token only', async () => {
    expect((await get('/metrics')).status).toBe(401)
    expect((await get('/metrics', { authorization: 'Bearer another' })).status).toBe(401)
    const metrics = await (await get('/metrics', { authorization: 'Bearer a-token-for-metrics' })).text()
    expect(metrics).toContain('instep_http_request_seconds_bucket')
  })

  it('shows every call in openapi.json', async () => {
    const document = (await (await get('/v1/openapi.json')).json()) as { paths: Record<string, Record<string, { operationId: string }>> }
    const shown = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    expect(shown.sort()).toEqual(ENDPOINTS.map(({ id }) => id).sort())
    expect((await get('/docs/')).status).toBe(200)
  })

  it('tells there of each download every type that it may have', async () => {
    type Answers = { responses: Record<string, { content?: Record<string, unknown> }> }
    const { paths } = (await (await get('/v1/openapi.json')).json()) as { paths: Record<string, Record<string, Answers>> }
    const typesOf = (path: string) => Object.keys(paths[path]?.['get']?.responses['200']?.content ?? {})
    expect(typesOf('/connectors/{tenantId}/list-runs/{runId}/file')).toEqual([
      'text/csv',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ])
    expect(typesOf('/connectors/{connectorId}/config/versions/{version}/export')).toEqual(['application/json'])
    expect(typesOf('/connectors/{tenantId}/runs/{runId}/plan/download')).toEqual(['text/csv'])
  })

  it('refuses an administrator whose permissions do not include signing in', async () => {
    const { db } = instep.database
    const setBits = (permissions: number) =>
      db.updateTable('admins').set({ permissions }).where('id', '=', instep.adminIds.siteGroup).execute()
    await setBits(EVERY_PERMISSION & ~PERMISSIONS.signIn)
    expect(await instep.call('siteGroup', getMe)).toMatchObject({ status: 403, body: { code: 'PERMISSION_MISSING' } })
    await setBits(EVERY_PERMISSION)
    expect((await instep.call('siteGroup', getMe)).status).toBe(200)
  })

  it('puts an administrator who was disabled out at once', async () => {
    const { db } = instep.database
    expect((await instep.call('site', getMe)).status).toBe(200)
    await db.updateTable('admins').set({ disabled_at: new Date() }).where('id', '=', instep.adminIds.site).execute()
    expect((await instep.call('site', getMe)).status).toBe(401)
    expect((await instep.call('tenant', searchUsers, { params: { connectorId: instep.world.one.id } })).status).toBe(200)
  })
})
