import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBulk } from './bulk-operations.rules.ts'
import { bulkAnswer, carryOutBulk, WRITES } from './carry-out-bulk.ts'
import { LIMITS, resourceTypes, schemaDocuments, serviceProviderConfig } from './discovery.ts'
import { isObject } from './json.ts'
import { type BaseUrl, locationOf, presentResources } from './present-resource.ts'
import { carryOutPush, type Push, type PushDeps, type Pusher } from './push.ts'
import { isResourceId } from './resource-id.rules.ts'
import { findResource, type StoredResource } from './resources.store.ts'
import { sendScim } from './scim-answers.ts'
import { refuse, ScimError } from './scim-error.ts'
import { GROUP_KIND, RESOURCE_KINDS, type ResourceKind } from './scim-schemas.ts'
import { listAnswer, projectionOf, type SearchRequest, searchResources } from './search-resources.ts'
import { etagOf, matchesEtag, notFound } from './wanted-resource.ts'

interface CallDeps extends PushDeps {
  readonly publicUrl: string
}

const pusherOf = ({ pusher }: FastifyRequest): Pusher => {
  if (!pusher) throw new ScimError(401, 'The bearer token is not valid here.')
  return pusher
}

const queryOf = ({ query }: FastifyRequest): SearchRequest => (isObject(query) ? query : {})
const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join() : value
}

const nowhere = () => new ScimError(404, 'There is nothing at this address.')

/** Serves discovery, searches and writes below the scope's prefix; whoever asks is known by then. */
export const registerScimRoutes = (scope: FastifyInstance, deps: CallDeps): void => {
  const baseOf = (request: FastifyRequest): BaseUrl => `${deps.publicUrl}/scim/v2/${pusherOf(request).connectorId}`
  registerDiscovery(scope, baseOf)
  for (const kind of RESOURCE_KINDS) {
    registerReads(scope, kind, { deps, baseOf })
    registerWrites(scope, kind, { deps, baseOf })
  }
  scope.post('/Bulk', async (request, reply) => {
    const bulk = readBulk(request.body)
    if (bulk.operations.length > LIMITS.bulkOperations) throw new ScimError(413, `More than ${LIMITS.bulkOperations} operations.`)
    const work = (push: Push) => carryOutBulk(push, bulk, baseOf(request))
    const outcomes = await carryOutPush(deps, { by: pusherOf(request), correlationId: request.id }, work)
    return sendScim(reply, 200, bulkAnswer(outcomes))
  })
  scope.all('/Me', () => {
    throw new ScimError(501, 'Tokens are no users: there is no /Me.')
  })
  scope.all('/*', () => {
    throw nowhere()
  })
}

const registerDiscovery = (scope: FastifyInstance, baseOf: (request: FastifyRequest) => BaseUrl): void => {
  scope.get('/ServiceProviderConfig', (request, reply) => sendScim(reply, 200, serviceProviderConfig(baseOf(request))))
  const lists = { ResourceTypes: resourceTypes, Schemas: schemaDocuments }
  for (const [name, documents] of Object.entries(lists)) {
    scope.get(`/${name}`, (request, reply) => {
      if (queryOf(request)['filter'] !== undefined) throw new ScimError(403, 'Discovery cannot be filtered.')
      const found = documents(baseOf(request))
      return sendScim(reply, 200, listAnswer(found, { total: found.length, startIndex: 1 }))
    })
    scope.get<{ Params: { id: string } }>(`/${name}/:id`, (request, reply) => {
      const found = documents(baseOf(request)).find(({ id }) => id === request.params.id)
      if (!found) throw nowhere()
      return sendScim(reply, 200, found)
    })
  }
}

interface Serving {
  readonly deps: CallDeps
  readonly baseOf: (request: FastifyRequest) => BaseUrl
}

type Named = { Params: { id: string } }

const registerReads = (scope: FastifyInstance, kind: ResourceKind, { deps, baseOf }: Serving): void => {
  const search = async (request: FastifyRequest, reply: FastifyReply, asked: SearchRequest) =>
    sendScim(reply, 200, await searchResources(deps.db, kind, { request: asked, base: baseOf(request), place: pusherOf(request) }))
  scope.get(kind.endpoint, (request, reply) => search(request, reply, queryOf(request)))
  scope.post(`${kind.endpoint}/.search`, (request, reply) => {
    if (!isObject(request.body)) throw refuse('invalidSyntax', 'The body must be a JSON object.')
    return search(request, reply, request.body)
  })
  scope.get<Named>(`${kind.endpoint}/:id`, async (request, reply) => {
    const { id } = request.params
    const stored = isResourceId(id) ? await findResource(deps.db, kind, { ...pusherOf(request), id }) : undefined
    if (!stored) throw notFound(kind)
    reply.header('etag', etagOf(stored.version))
    const seen = headerOf(request, 'if-none-match')
    if (seen !== undefined && matchesEtag(seen, stored.version)) return reply.status(304).send()
    return sendOne(request, reply, { kind, stored, status: 200, serving: { deps, baseOf } })
  })
}

interface One {
  readonly kind: ResourceKind
  readonly stored: StoredResource
  readonly status: number
  readonly serving: Serving
}

const sendOne = async (request: FastifyRequest, reply: FastifyReply, { kind, stored, status, serving }: One) => {
  const base = serving.baseOf(request)
  const shown = { rows: [stored], base, place: pusherOf(request), projection: projectionOf(kind, queryOf(request)) }
  const [resource] = await presentResources(serving.deps.db, kind, shown)
  reply.header('etag', etagOf(stored.version))
  if (status === 201) reply.header('location', locationOf(base, kind, stored.id))
  return sendScim(reply, status, resource ?? {})
}

const registerWrites = (scope: FastifyInstance, kind: ResourceKind, serving: Serving): void => {
  const writes = WRITES[kind.name]
  const push = <T>(request: FastifyRequest, work: (push: Push) => Promise<T>) =>
    carryOutPush(serving.deps, { by: pusherOf(request), correlationId: request.id }, work)
  const wanted = (request: FastifyRequest<Named>) => ({ id: request.params.id, ifMatch: headerOf(request, 'if-match') })

  scope.post(kind.endpoint, async (request, reply) => {
    const stored = await push(request, (one) => writes.POST(one, request.body))
    return sendOne(request, reply, { kind, stored, status: 201, serving })
  })
  scope.put<Named>(`${kind.endpoint}/:id`, async (request, reply) => {
    const stored = await push(request, (one) => writes.PUT(one, wanted(request), request.body))
    return sendOne(request, reply, { kind, stored, status: 200, serving })
  })
  scope.patch<Named>(`${kind.endpoint}/:id`, async (request, reply) => {
    const stored = await push(request, (one) => writes.PATCH(one, wanted(request), request.body))
    // the members of a large group are not told back for every change of one of them (RFC 7644 section 3.5.2 admits 204)
    if (kind === GROUP_KIND && queryOf(request)['attributes'] === undefined)
      return reply.header('etag', etagOf(stored.version)).status(204).send()
    return sendOne(request, reply, { kind, stored, status: 200, serving })
  })
  scope.delete<Named>(`${kind.endpoint}/:id`, async (request, reply) => {
    await push(request, (one) => writes.DELETE(one, wanted(request)))
    return reply.status(204).send()
  })
}
