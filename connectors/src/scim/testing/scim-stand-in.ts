import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Resource = Record<string, unknown>

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Resource | undefined
}

/** Answers one request instead of the stand-in; `accept` lets the stand-in do its work first and answers the result. */
export type Misbehaviour = (response: ServerResponse, accept: () => { status: number; body?: Resource }) => void

export interface ScimStandIn {
  readonly baseUrl: string
  readonly token: string
  readonly accounts: Map<string, Resource>
  readonly received: Received[]
  /** The next requests are answered like this, one each. */
  misbehave(...ways: Misbehaviour[]): void
  /** Every request is asked about; what it gets instead of an answer. */
  disturb(rule: (asked: Received) => Misbehaviour | undefined): void
  close(): Promise<void>
}

const TOKEN = 'stand-in-secret-token'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const failed = (status: number, detail: string, scimType?: string) => ({
  status,
  body: { schemas: [ERROR], status: String(status), detail, ...(scimType ? { scimType } : {}) },
})

/** Sets or removes what a path names: `title`, `name.givenName`, `urn:…:User:department`. */
const applyOperation = (account: Resource, operation: { op: string; path: string; value?: unknown }): void => {
  const urn = /^(urn:.*?:User)(?::(.+))?$/.exec(operation.path)
  const [outer, inner] = urn ? [urn[1] ?? '', urn[2]] : (operation.path.split('.') as [string, string?])
  if (inner !== undefined) account[outer] ??= {}
  const holder = inner === undefined ? account : (account[outer] as Resource)
  const member = inner ?? outer
  if (operation.op === 'remove') delete holder[member]
  else holder[member] = operation.value
}

const createAccounts = (unique: boolean) => {
  const accounts = new Map<string, Resource>()
  let last = 0
  const taken = (body: Resource, except?: string) =>
    unique &&
    [...accounts].some(([id, account]) => id !== except && String(account.userName).toLowerCase() === String(body.userName).toLowerCase())

  const create = (body: Resource) => {
    if (taken(body)) return failed(409, `userName ${String(body.userName)} is taken`, 'uniqueness')
    last += 1
    const id = `account/${last}`
    accounts.set(id, { ...body, id, meta: { resourceType: 'User', version: `W/"${last}"` } })
    return { status: 201, body: accounts.get(id) ?? {} }
  }

  const list = (query: URLSearchParams) => {
    const [, key = '', quoted = '""'] = /^(\w+) eq (".*")$/.exec(query.get('filter') ?? '') ?? []
    const wanted = String(JSON.parse(quoted)).toLowerCase()
    const found = [...accounts.values()].filter((account) => key === '' || String(account[key]).toLowerCase() === wanted)
    const start = Number(query.get('startIndex') ?? 1)
    const Resources = found.slice(start - 1, start - 1 + Number(query.get('count') ?? 100))
    return {
      status: 200,
      body: { schemas: [LIST], totalResults: found.length, startIndex: start, itemsPerPage: Resources.length, Resources },
    }
  }

  const change = (method: string, id: string, body: Resource) => {
    const account = accounts.get(id)
    if (!account) return failed(404, 'no such account')
    if (method === 'GET') return { status: 200, body: account }
    if (method === 'DELETE') return accounts.delete(id) && { status: 204 }
    if (method === 'PUT') accounts.set(id, { ...body, id, meta: account.meta })
    else for (const operation of body.Operations as Parameters<typeof applyOperation>[1][]) applyOperation(account, operation)
    return { status: 200, body: accounts.get(id) ?? {} }
  }

  return { accounts, create, list, change }
}

const readJson = async (request: IncomingMessage): Promise<Resource | undefined> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Resource) : undefined
}

/**
 * A small SCIM 2.0 server in memory on a free port of this machine, which can be told to answer badly.
 *
 * @param options `unique`: a name that is taken is refused, by default; a target that does not look doubles whom it is sent twice
 */
export const startScimStandIn = async ({ unique = true }: { unique?: boolean } = {}): Promise<ScimStandIn> => {
  const { accounts, create, list, change } = createAccounts(unique)
  const received: Received[] = []
  const ways: Misbehaviour[] = []
  let rule: Parameters<ScimStandIn['disturb']>[0] = () => undefined

  const respond = ({ method, url, headers, body }: Received): { status: number; body?: Resource } => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return failed(401, 'token not accepted')
    const { pathname, searchParams } = new URL(url, 'http://stand-in')
    const path = /^\/scim\/v2\/Users(?:\/([^/]+))?$/.exec(pathname)
    if (!path) return failed(404, 'no such endpoint')
    if (path[1] !== undefined) return change(method, decodeURIComponent(path[1]), body ?? {}) || failed(404, 'gone')
    return method === 'POST' ? create(body ?? {}) : list(searchParams)
  }

  const server = createServer(async (request, response) => {
    const asked: Received = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: await readJson(request),
    }
    received.push(asked)
    const way = ways.shift() ?? rule(asked)
    if (way) return way(response, () => respond(asked))
    const answer = respond(asked)
    response.writeHead(answer.status, { 'content-type': 'application/scim+json' })
    response.end(answer.body && JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim/v2`,
    token: TOKEN,
    accounts,
    received,
    misbehave: (...more) => void ways.push(...more),
    disturb: (next) => {
      rule = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
