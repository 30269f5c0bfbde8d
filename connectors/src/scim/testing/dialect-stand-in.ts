import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { isMembers, type Members, pathOf, valueAt, withValue } from '../attribute-path.ts'

/** How a stand-in differs from a SCIM server that does everything. */
export interface Traits {
  /** A second account of the same user name is made. */
  readonly takesDuplicates?: boolean
  /** Attributes that filters work for; any other answers 400. */
  readonly filters?: readonly string[]
  /** Filters are ignored: everybody is answered. */
  readonly ignoresFilters?: boolean
  readonly exactCase?: boolean
  /** Whatever page is asked for, the first is answered. */
  readonly repeatsFirstPage?: boolean
  readonly patch?: 'none' | 'activeOnly'
  readonly put?: 'none'
  /** Lists are changed entry by entry only. */
  readonly entriesOnly?: boolean
  readonly capitalsOnly?: boolean
  /** A path that chooses an entry of a list is refused. */
  readonly noFilterPaths?: boolean
  readonly needsPath?: boolean
  readonly deletes?: 'switchesOff' | 'refused'
  /** Accounts that are off answer 404. */
  readonly hidesOff?: boolean
  readonly versions?: boolean
  /** Attributes that are taken; any other answers 400. */
  readonly attributes?: readonly string[]
  readonly required?: readonly string[]
  readonly groups?: boolean
  readonly refusesNull?: boolean
  /** What the authorisation must be. */
  readonly authorization?: (header: string | undefined) => boolean
  /** So long each answer takes, in milliseconds. */
  readonly delayMs?: number
  /** Answers of the discovery endpoints, by path. */
  readonly discovery?: Readonly<Record<string, unknown>>
}

export interface DialectStandIn {
  readonly baseUrl: string
  readonly accounts: Map<string, Members>
  /** `METHOD path` of every request, queries included. */
  readonly asked: string[]
  close(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly body?: unknown
}

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const refuse = (status: number, detail: string, scimType?: string): Reply => ({
  status,
  body: { schemas: [ERROR], status: String(status), detail, ...(scimType ? { scimType } : {}) },
})

const listed = (all: readonly Members[], query: URLSearchParams, start = Number(query.get('startIndex') ?? 1)): Reply => {
  const Resources = all.slice(start - 1, start - 1 + Number(query.get('count') ?? 100))
  return { status: 200, body: { schemas: [LIST], totalResults: all.length, startIndex: start, itemsPerPage: Resources.length, Resources } }
}

/** Carries out one operation on a copy (RFC 7644 section 3.5.2). */
export const applyOperation = (account: Members, operation: { op: string; path?: string; value?: unknown }): Members => {
  const { path, value } = operation
  const op = operation.op.toLowerCase()
  if (path === undefined) return { ...account, ...(value as Members) }
  const entry = /^(.*\[[^\]]*\])$/.exec(path)
  if (entry) {
    const place = pathOf(`${path}.value`)
    const { filter, attribute, schema } = place
    const holder = (schema === null ? account : account[schema]) as Members
    const kept = (holder[attribute] as Members[]).filter((one) => one[filter?.name ?? ''] !== filter?.value)
    const list = pathOf(schema === null ? attribute : `${schema}:${attribute}`)
    return withValue(account, list, kept.length > 0 ? kept : undefined)
  }
  const place = pathOf(path)
  if (op === 'remove') return withValue(account, place, undefined)
  const now = valueAt(account, place)
  return withValue(account, place, op === 'add' && Array.isArray(now) ? [...now, ...(value as unknown[])] : value)
}

const refusedOperation = (operation: { op: string; path?: string; value?: unknown }, traits: Traits): string | undefined => {
  const { op, path, value } = operation
  if (traits.patch === 'activeOnly' && path !== 'active') return 'only active can be patched'
  if (traits.capitalsOnly && !/^[A-Z]/.test(op)) return `op ${op} is unknown`
  if (traits.needsPath && path === undefined) return 'path is missing'
  if (traits.noFilterPaths && path?.includes('[')) return 'no filters in paths'
  if (traits.entriesOnly && Array.isArray(value) && op.toLowerCase() === 'replace') return 'a list cannot be replaced'
  return undefined
}

const createStore = (traits: Traits) => {
  const accounts = new Map<string, Members>()
  let made = 0
  const keep = (id: string, account: Members): Members => {
    made += 1
    const meta = { resourceType: 'User', ...(traits.versions ? { version: `W/"${made}"` } : {}) }
    const kept = { ...account, id, meta }
    accounts.set(id, kept)
    return kept
  }
  const refusal = (body: Members): Reply | undefined => {
    const missing = traits.required?.find((name) => body[name] === undefined)
    if (missing) return refuse(400, `${missing} is required`, 'invalidValue')
    if (traits.refusesNull && JSON.stringify(body).includes(':null')) return refuse(400, 'null is not taken', 'invalidValue')
    const unknown = Object.keys(body).find((name) => traits.attributes && ![...traits.attributes, 'schemas', 'id'].includes(name))
    return unknown ? refuse(400, `${unknown} is not taken`, 'invalidSyntax') : undefined
  }
  const isTaken = (body: Members) =>
    !traits.takesDuplicates &&
    [...accounts.values()].some((account) => String(account.userName).toLowerCase() === String(body.userName).toLowerCase())
  const create = (body: Members): Reply => {
    const refused = refusal(body)
    if (refused) return refused
    if (isTaken(body)) return refuse(409, `${String(body.userName)} is taken`, 'uniqueness')
    return { status: 201, body: keep(`a${accounts.size + made + 1}`, body) }
  }
  const patch = (id: string, account: Members, body: Members): Reply => {
    if (traits.patch === 'none') return refuse(501, 'no PATCH')
    const operations = body.Operations as { op: string; path?: string; value?: unknown }[]
    const refused = operations.map((operation) => refusedOperation(operation, traits)).find((reason) => reason !== undefined)
    if (refused) return refuse(400, refused, 'invalidSyntax')
    return { status: 200, body: keep(id, operations.reduce(applyOperation, account)) }
  }
  const remove = (id: string, account: Members): Reply => {
    if (traits.deletes === 'refused') return refuse(405, 'no DELETE')
    if (traits.deletes === 'switchesOff') keep(id, { ...account, active: false })
    else accounts.delete(id)
    return { status: 204 }
  }
  const one = (method: string, id: string, given: { body: Members; ifMatch: string | undefined }): Reply => {
    const account = accounts.get(id)
    if (!account || (traits.hidesOff && account.active === false && method === 'GET')) return refuse(404, 'no such account')
    if (method === 'GET') return { status: 200, body: account }
    const { version } = account.meta as Members
    if (traits.versions && given.ifMatch !== undefined && given.ifMatch !== version) return refuse(412, 'another version')
    if (method === 'DELETE') return remove(id, account)
    if (method === 'PATCH') return patch(id, account, given.body)
    if (traits.put === 'none') return refuse(501, 'no PUT')
    return refusal(given.body) ?? { status: 200, body: keep(id, given.body) }
  }
  const search = (query: URLSearchParams): Reply => {
    const filter = query.get('filter')
    const all = [...accounts.values()]
    if (filter === null || traits.ignoresFilters) return traits.repeatsFirstPage ? listed(all, query, 1) : listed(all, query)
    const [, key = '', quoted = '""'] = /^([\w.]+) eq (".*")$/.exec(filter) ?? []
    if (traits.filters && !traits.filters.includes(key)) return refuse(400, `no filter by ${key}`, 'invalidFilter')
    const fold = (text: unknown) => (traits.exactCase ? String(text) : String(text).toLowerCase())
    const wanted = fold(JSON.parse(quoted))
    const textsOf = (account: Members) =>
      key === 'emails.value' ? ((account.emails ?? []) as Members[]).map((email) => email.value) : [account[key]]
    return listed(
      all.filter((account) => textsOf(account).some((text) => fold(text) === wanted)),
      query,
    )
  }
  return { accounts, create, one, search }
}

const readBody = async (request: IncomingMessage): Promise<Members> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}
  return isMembers(body) ? body : {}
}

/** A SCIM server in memory on a free port of this machine, that does everything but what its traits say. */
export const startDialectStandIn = async (traits: Traits = {}): Promise<DialectStandIn> => {
  const { accounts, create, one, search } = createStore(traits)
  const asked: string[] = []
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const { method = '', url = '', headers } = request
    const body = await readBody(request)
    asked.push(`${method} ${url}`)
    if (traits.authorization && !traits.authorization(headers.authorization)) return refuse(401, `not let in: ${headers.authorization}`)
    const { pathname, searchParams } = new URL(url, 'http://stand-in')
    if (traits.discovery && pathname in traits.discovery) return { status: 200, body: traits.discovery[pathname] }
    if (pathname === '/Groups' && traits.groups !== false) return listed([], searchParams)
    const path = /^\/Users(?:\/([^/]+))?$/.exec(pathname)
    if (!path) return refuse(404, 'no such endpoint')
    if (path[1] !== undefined) return one(method, decodeURIComponent(path[1]), { body, ifMatch: headers['if-match'] })
    return method === 'POST' ? create(body) : search(searchParams)
  }
  const server = createServer((request, response) => {
    answer(request).then(async ({ status, body }) => {
      if (traits.delayMs) await setTimeout(traits.delayMs)
      response.writeHead(status, { 'content-type': 'application/scim+json' })
      response.end(body === undefined ? '' : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
