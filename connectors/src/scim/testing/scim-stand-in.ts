import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { failed, listed, type Resource, type StandInAnswer } from './stand-in-answers.ts'
import { createGroups, type HeldGroup } from './stand-in-groups.ts'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Resource | undefined
}

/** Answers one request instead of the stand-in; `accept` lets the stand-in do its work first and answers the result. */
export type Misbehaviour = (response: ServerResponse, accept: () => StandInAnswer) => void

export interface ScimStandIn {
  readonly baseUrl: string
  readonly token: string
  readonly accounts: Map<string, Resource>
  readonly groups: Map<string, HeldGroup>
  readonly received: Received[]
  /** The next requests are answered like this, one each. */
  misbehave(...ways: Misbehaviour[]): void
  /** Every request is asked about; what it gets instead of an answer. */
  disturb(rule: (asked: Received) => Misbehaviour | undefined): void
  close(): Promise<void>
}

const TOKEN = 'stand-in-secret-token'

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

  const create = (body: Resource): StandInAnswer => {
    if (taken(body)) return failed(409, `userName ${String(body.userName)} is taken`, 'uniqueness')
    last += 1
    const id = `account/${last}`
    accounts.set(id, { ...body, id, meta: { resourceType: 'User', version: `W/"${last}"` } })
    return { status: 201, body: accounts.get(id) ?? {} }
  }

  const change = (method: string, id: string, body: Resource): StandInAnswer => {
    const account = accounts.get(id)
    if (!account) return failed(404, 'no such account')
    if (method === 'GET') return { status: 200, body: account }
    if (method === 'DELETE') {
      accounts.delete(id)
      return { status: 204 }
    }
    if (method === 'PUT') accounts.set(id, { ...body, id, meta: account.meta })
    else for (const operation of body.Operations as Parameters<typeof applyOperation>[1][]) applyOperation(account, operation)
    return { status: 200, body: accounts.get(id) ?? {} }
  }

  return { accounts, create, change }
}

/** Everything that the stand-in holds, and its good answers. */
const createDirectory = (unique: boolean) => {
  const { accounts, create, change } = createAccounts(unique)
  const groups = createGroups({ unique, isAccount: (id) => accounts.has(id) })
  const respondGroups = (method: string, id: string | undefined, asked: { body: Resource; query: URLSearchParams }): StandInAnswer => {
    if (id !== undefined) return groups.change({ method, id, ...asked })
    return method === 'POST' ? groups.create(asked.body, asked.query) : groups.list(asked.query)
  }
  const respondUsers = (method: string, id: string | undefined, { body, query }: { body: Resource; query: URLSearchParams }) => {
    if (id === undefined) return method === 'POST' ? create(body) : listed(accounts.values(), query)
    if (method === 'DELETE') groups.forget(id)
    return change(method, id, body)
  }
  const respond = ({ method, url, headers, body = {} }: Received): StandInAnswer => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return failed(401, 'token not accepted')
    const { pathname, searchParams: query } = new URL(url, 'http://stand-in')
    const [, kind, name] = /^\/scim\/v2\/(Users|Groups)(?:\/([^/]+))?$/.exec(pathname) ?? []
    const id = name === undefined ? undefined : decodeURIComponent(name)
    if (kind === undefined) return failed(404, 'no such endpoint')
    return kind === 'Users' ? respondUsers(method, id, { body, query }) : respondGroups(method, id, { body, query })
  }
  return { accounts, groups: groups.groups, respond }
}

const readJson = async (request: IncomingMessage): Promise<Resource | undefined> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Resource) : undefined
}

/**
 * A small SCIM 2.0 server of people and groups in memory on a free port of this machine, which can be told to answer badly.
 *
 * @param options `unique`: a name that is taken is refused, by default; a target that does not look doubles whom it is sent twice
 */
export const startScimStandIn = async ({ unique = true }: { unique?: boolean } = {}): Promise<ScimStandIn> => {
  const { accounts, groups, respond } = createDirectory(unique)
  const received: Received[] = []
  const ways: Misbehaviour[] = []
  let rule: Parameters<ScimStandIn['disturb']>[0] = () => undefined

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
    groups,
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
