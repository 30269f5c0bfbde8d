import { createConnector } from '@instep/contract/connectors.ts'
import { createScimToken } from '@instep/contract/scim-in.ts'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/ids.ts'
import { type TestAdmin, type TestApp, testApp } from '../../../testing/app.ts'
import type { JsonObject } from '../json.ts'

export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const CORE_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

export interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonObject & {
    id: string
    Resources: JsonObject[]
    totalResults: number
    Operations: JsonObject[]
    scimType?: string
    detail?: string
  }
}

/** What a pushing system has: an address and a token. */
export interface Connection {
  readonly connectorId: string
  readonly tenantId: string
  readonly url: string
  readonly token: string
  /** `call` is the method and the path: `GET /Users`. */
  request(call: string, body?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>
  addUser(user: object): Promise<ScimAnswer>
  patch(path: string, ...operations: readonly object[]): Promise<ScimAnswer>
}

export interface ScimWorld {
  readonly instep: TestApp
  /** A new connector of a tenant with a token of its own. */
  connect(tenant?: 'one' | 'two'): Promise<Connection>
  close(): Promise<void>
}

const requestAt =
  (url: string, token: string) =>
  async (call: string, body?: unknown, headers: Record<string, string> = {}): Promise<ScimAnswer> => {
    const [, method = '', path = ''] = /^(\w+) (.*)$/s.exec(call) ?? []
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as ScimAnswer['body'] }
  }

/** The same address with another token. */
export const withToken = ({ url }: Connection, token: string) => requestAt(url, token)

/** The real server with connectors that are pushed to. */
export const scimWorld = async (options: { clock?: Clock; workers?: boolean } = {}): Promise<ScimWorld> => {
  const instep = await testApp(options)
  return {
    instep,
    connect: async (tenant = 'one') => {
      const admin: TestAdmin = tenant === 'one' ? 'tenant' : 'otherTenant'
      const tenantId = instep.world[tenant].id
      const created = await instep.call(admin, createConnector, {
        params: { tenantId },
        body: { name: `SCIM ${uuidv7()}`, definitionId: 'scim-in' },
      })
      const connectorId = created.body.id
      const made = await instep.call(admin, createScimToken, { params: { connectorId }, body: { label: 'Entra ID' } })
      const url = `${instep.url}/scim/v2/${connectorId}`
      const request = requestAt(url, made.body.secret)
      return {
        connectorId,
        tenantId,
        url,
        token: made.body.secret,
        request,
        addUser: (user) => request('POST /Users', { schemas: [CORE_USER], ...user }),
        patch: (path, ...operations) => request(`PATCH ${path}`, { schemas: [PATCH_OP], Operations: operations }),
      }
    },
    close: () => instep.close(),
  }
}

/** Types of the events that pushes have left at a connector, oldest first. */
export const pushEvents = async ({ instep }: ScimWorld, { connectorId }: Connection) => {
  const { rows } = await sql<{ type: string; data: JsonObject; before: JsonObject | null; after: JsonObject | null; actor: JsonObject }>`
    select type, data, before, after, actor from events
    where connector_id = ${connectorId} and type like 'scim.%' and type not like 'scim.token.%' order by id`.execute(instep.database.db)
  return rows
}
