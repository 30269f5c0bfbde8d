import { type Endpoint, fillPath } from '@instep/contract/endpoint.ts'
import { ENDPOINTS } from '@instep/contract/endpoints.ts'
import { PERMISSIONS, type Role } from '@instep/contract/roles.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from './platform/ids.ts'
import { TEST_ADMINS, type TestAdmin, type TestApp, testApp } from './testing/app.ts'

/** Walks every declared call with every kind of caller; a call that is declared and not served, or served too widely, shows here. */
let instep: TestApp
let connectors: Record<'one' | 'two', string>

beforeAll(async () => {
  instep = await testApp()
  connectors = { one: await addConnector(instep.world.one.id), two: await addConnector(instep.world.two.id) }
})
afterAll(() => instep.close())

const addConnector = async (tenantId: string): Promise<string> => {
  const id = uuidv7()
  await instep.database.db
    .insertInto('connectors')
    .values({ tenant_id: tenantId, id, name: 'HR', definition_id: 'file', kind: 'source', ingestion_type: 'file' })
    .execute()
  return id
}

const request = async (endpoint: Endpoint, tenant: 'one' | 'two' | 'none', token: string | undefined) => {
  const nowhere = uuidv7()
  const tenantId = tenant === 'none' ? nowhere : instep.world[tenant].id
  const connectorId = tenant === 'none' ? nowhere : connectors[tenant]
  const inTenant = endpoint.within === 'tenant'
  // what the path is inside of exists; what it names further down does not
  const params = {
    tenantId,
    connectorId,
    id: endpoint.path.includes('{tenantId}') || endpoint.path.includes('{connectorId}') ? nowhere : inTenant ? tenantId : connectorId,
    runId: nowhere,
    version: 1,
    fileId: nowhere,
    userId: nowhere,
    tokenId: nowhere,
  }
  const response = await fetch(`${instep.url}/v1${fillPath(endpoint.path, params)}`, {
    method: endpoint.method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(endpoint.bodyKind === 'json' ? { 'content-type': 'application/json' } : {}),
    },
    ...(endpoint.bodyKind === 'json' ? { body: '{}' } : {}),
    signal: AbortSignal.timeout(10_000),
  })
  const body: unknown = response.headers.get('content-type')?.includes('json') ? await response.json() : await response.text()
  return {
    status: response.status,
    code: (body as { code?: string } | null)?.code,
    correlationId: response.headers.get('x-correlation-id'),
    body,
  }
}

const roleOf = (admin: TestAdmin): Role => TEST_ADMINS[admin].role
const everyAdmin = Object.keys(TEST_ADMINS) as TestAdmin[]

describe.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  it('is refused without a session, and says so', async () => {
    const answer = await request(endpoint, 'one', undefined)
    expect(answer).toMatchObject({ status: 401, code: 'SESSION_EXPIRED' })
    expect(answer.correlationId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is refused with an expired token, a token for something else, and an id_token', async () => {
    const expired = await instep.mint.accessToken({ sub: 'x', lifetime: -60 })
    const foreign = await instep.mint.accessToken({ sub: 'x', audience: 'https://elsewhere.example' })
    const idToken = await instep.mint.accessToken({ sub: 'x', typ: 'JWT', claims: { nonce: 'n' } })
    expect(await request(endpoint, 'one', expired)).toMatchObject({ status: 401, code: 'SESSION_EXPIRED' })
    expect(await request(endpoint, 'one', foreign)).toMatchObject({ status: 401, code: 'TOKEN_INVALID' })
    expect(await request(endpoint, 'one', idToken)).toMatchObject({ status: 401, code: 'TOKEN_INVALID' })
  })

  it('is refused to a signed-in person who is no administrator', async () => {
    expect(await request(endpoint, 'one', await instep.mint.accessToken({ sub: uuidv7() }))).toMatchObject({
      status: 401,
      code: 'TOKEN_INVALID',
    })
  })

  it('admits the scope api.basic alone exactly where that is declared', async () => {
    const { rows } = {
      rows: await instep.database.db.selectFrom('admins').select('subject').where('id', '=', instep.adminIds.super).execute(),
    }
    const token = await instep.mint.accessToken({ sub: rows[0]?.subject ?? '', scope: 'openid api.basic' })
    const answer = await request(endpoint, 'one', token)
    if (endpoint.who.basic) expect(answer.code).not.toBe('SCOPE_MISSING')
    else expect(answer).toMatchObject({ status: 403, code: 'SCOPE_MISSING' })
  })

  it.each(everyAdmin.filter((admin) => TEST_ADMINS[admin].tenant === 'one'))(
    'admits %s exactly where the role is declared',
    async (admin) => {
      const answer = await request(endpoint, 'one', await instep.tokenOf(admin))
      if (endpoint.who.roles.includes(roleOf(admin))) expect(answer.status, JSON.stringify(answer.body)).not.toBeOneOf([401, 403, 500])
      else expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    },
  )

  it('answers for another tenant as for one that does not exist', async () => {
    if (endpoint.within === 'self')
      return expect((await request(endpoint, 'two', await instep.tokenOf('otherTenant'))).status).toBeLessThan(500)
    const token = await instep.tokenOf('tenant')
    const [foreign, absent] = [await request(endpoint, 'two', token), await request(endpoint, 'none', token)]
    expect(foreign).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect({ ...(foreign.body as object), correlationId: '' }).toEqual({ ...(absent.body as object), correlationId: '' })
  })

  it('is refused to an administrator without the permission bit it asks for', async () => {
    const { bit, refusal = 'PERMISSION_MISSING' } = endpoint.who
    if (!bit) return expect(endpoint.who).not.toHaveProperty('bit')
    const { db } = instep.database
    const setBits = (permissions: number) =>
      db.updateTable('admins').set({ permissions }).where('id', '=', instep.adminIds.tenant).execute()
    await setBits(1023 & ~PERMISSIONS[bit])
    const answer = await request(endpoint, 'one', await instep.tokenOf('tenant'))
    await setBits(1023)
    return expect(answer).toMatchObject({ status: 403, code: refusal })
  })
})

describe('the table of calls', () => {
  it('names every call once', () => {
    const ids = ENDPOINTS.map(({ id }) => id)
    const calls = ENDPOINTS.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(calls).size).toBe(calls.length)
  })

  it('gives every call at least one role and a summary', () => {
    for (const { id, who, summary } of ENDPOINTS)
      expect({ id, roles: who.roles.length > 0, summary: summary.endsWith('.') }).toEqual({ id, roles: true, summary: true })
  })
})
