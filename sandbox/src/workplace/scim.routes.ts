/** The SCIM 2.0 endpoint of one company's workplace. */
import express, { type NextFunction, type Request, type Response, Router } from 'express'
import { patchDocument } from '../scim/patch.ts'
import { type JsonObject, readDocument } from '../scim/read-document.ts'
import { errorBody, ScimError } from '../scim/scim-error.ts'
import { bears } from './bears-token.ts'
import { LIST_SCHEMA, resourceTypesOf, schemasOf, serviceProviderConfig, wholeList } from './discovery.ts'
import { listResources } from './list-resources.ts'
import { etagOf, type Projection, presentResource } from './present-resource.ts'
import type { Resource, Shelf } from './shelf.ts'
import { RETRY_AFTER_SECONDS, SLOW_MS } from './weather.ts'
import type { Workplace } from './workplace.ts'

const MEDIA_TYPE = 'application/scim+json'
const BODY_LIMIT = '10mb'
const REJECTED = '+reject'

const answer = (response: Response, status: number, body: object) => response.status(status).type(MEDIA_TYPE).send(JSON.stringify(body))

const refuse = (response: Response, error: ScimError) =>
  answer(response, error.status, errorBody(error.status, error.message, error.scimType))

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const names = (value: unknown): string[] => (text(value) ?? '').split(',').flatMap((name) => name.trim() || [])

const projectionOf = (request: Request): Projection => ({
  attributes: names(request.query.attributes),
  excludedAttributes: names(request.query.excludedAttributes),
})

/** Counts each request and its answer, whatever comes of it. */
const counting = (workplace: Workplace) => (request: Request, response: Response, next: NextFunction) => {
  workplace.count(request.method)
  response.on('finish', () => workplace.countAnswer(response.statusCode))
  next()
}

const weathering = (workplace: Workplace) => (_request: Request, response: Response, next: NextFunction) => {
  switch (workplace.weather()) {
    case 'fine':
      return next()
    case 'slow':
      return void setTimeout(next, SLOW_MS)
    case 'failing':
      return refuse(response, new ScimError(500, 'The workplace is out of order.'))
    case 'busy':
      return refuse(response.set('Retry-After', String(RETRY_AFTER_SECONDS)), new ScimError(429, 'Too many requests. Try again later.'))
  }
}

const authorizing = (token: string) => (request: Request, response: Response, next: NextFunction) => {
  if (bears(request, token)) return next()
  refuse(
    response.set('WWW-Authenticate', 'Bearer realm="workplace"'),
    new ScimError(401, 'A valid bearer token of this company is needed.'),
  )
}

/** A way to meet a refusal of one account: anyone can type it. */
const refuseRejected = (document: JsonObject) => {
  for (const name of ['userName', 'externalId'] as const) {
    const value = document[name]
    if (typeof value === 'string' && value.includes(REJECTED)) {
      throw new ScimError(400, `The workplace does not take the ${name} "${value}".`, 'invalidValue')
    }
  }
}

/** The calls on one kind of resource. */
const resourceRoutes = (workplace: Workplace, shelf: Shelf): Router => {
  const { directory } = workplace
  const { kind } = shelf
  const router = Router({ mergeParams: true })
  const baseOf = (request: Request) => `${request.protocol}://${request.headers.host}${request.baseUrl.slice(0, -kind.endpoint.length)}`
  const present = (request: Request, resource: Resource) =>
    presentResource(resource, { kind, directory, base: baseOf(request) }, projectionOf(request))
  const send = (request: Request, response: Response, resource: Resource) => {
    const status = request.method === 'POST' ? 201 : 200
    if (status === 201) response.location(`${baseOf(request)}${kind.endpoint}/${resource.id}`)
    return answer(response.set('ETag', etagOf(resource)), status, present(request, resource))
  }
  const find = (request: Request): Resource => {
    const resource = shelf.get(String(request.params.id))
    if (!resource) throw new ScimError(404, `There is no ${kind.name.toLowerCase()} "${request.params.id}" here.`)
    const wanted = request.headers['if-match']
    if (request.method !== 'GET' && wanted !== undefined && wanted !== '*' && wanted !== etagOf(resource)) {
      throw new ScimError(412, `It was changed in between: it is at version ${etagOf(resource)}.`)
    }
    return resource
  }
  const checked = (document: JsonObject): JsonObject => {
    refuseRejected(document)
    if (kind.name === 'Group') directory.refuseUnfitGroup(document)
    return document
  }
  router.get('/', (request, response) => {
    const { filter, startIndex, count } = request.query
    const query = { filter: text(filter), startIndex: text(startIndex), count: text(count) }
    const base = baseOf(request)
    const page = listResources(shelf, query, (resource) => presentResource(resource, { kind, directory, base }))
    const resources = page.resources.map((resource) => present(request, resource))
    answer(response, 200, { ...wholeList(resources), totalResults: page.totalResults, startIndex: page.startIndex, schemas: [LIST_SCHEMA] })
  })
  router.post('/', (request, response) => send(request, response, shelf.create(checked(readDocument(kind, request.body)))))
  router.get('/:id', (request, response) => {
    const resource = find(request)
    if (request.headers['if-none-match'] === etagOf(resource)) return void response.set('ETag', etagOf(resource)).status(304).end()
    send(request, response, resource)
  })
  router.put('/:id', (request, response) => {
    const { id } = find(request)
    send(request, response, shelf.replace(id, checked(readDocument(kind, request.body))))
  })
  router.patch('/:id', (request, response) => {
    const { id, document } = find(request)
    send(request, response, shelf.replace(id, checked(patchDocument(kind, document, request.body))))
  })
  router.delete('/:id', (request, response) => {
    const { id } = find(request)
    if (kind.name === 'User') directory.removeUser(id)
    else shelf.remove(id)
    response.status(204).end()
  })
  return router
}

const discoveryRoutes = (): Router => {
  const router = Router()
  const baseOf = (request: Request) => `${request.protocol}://${request.headers.host}${request.baseUrl}`
  const one = <T extends { readonly id: string }>(response: Response, found: readonly T[], id: string) => {
    const each = found.find((resource) => resource.id.toLowerCase() === id.toLowerCase())
    if (!each) throw new ScimError(404, `There is no "${id}" here.`)
    answer(response, 200, each)
  }
  router.get('/ServiceProviderConfig', (request, response) => answer(response, 200, serviceProviderConfig(baseOf(request))))
  router.get('/Schemas', (request, response) => answer(response, 200, wholeList(schemasOf(baseOf(request)))))
  router.get('/Schemas/:id', (request, response) => one(response, schemasOf(baseOf(request)), request.params.id))
  router.get('/ResourceTypes', (request, response) => answer(response, 200, wholeList(resourceTypesOf(baseOf(request)))))
  router.get('/ResourceTypes/:id', (request, response) => one(response, resourceTypesOf(baseOf(request)), request.params.id))
  return router
}

const asScimError = (error: unknown): ScimError => {
  if (error instanceof ScimError) return error
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') return new ScimError(413, `The body is larger than ${BODY_LIMIT}.`)
  if (type === 'entity.parse.failed') return new ScimError(400, 'The body is no JSON.', 'invalidSyntax')
  process.stderr.write(`Workplace: ${error instanceof Error ? error.stack : String(error)}\n`)
  return new ScimError(500, 'The workplace made a mistake.')
}

/** Mount at `/workplace/{company}/scim/v2`. */
export const scimRoutes = (workplace: Workplace): Router => {
  const router = Router()
  router.use(counting(workplace), weathering(workplace), authorizing(workplace.company.token))
  router.use(express.json({ type: [MEDIA_TYPE, 'application/json'], limit: BODY_LIMIT }))
  router.use(discoveryRoutes())
  for (const shelf of [workplace.directory.users, workplace.directory.groups])
    router.use(shelf.kind.endpoint, resourceRoutes(workplace, shelf))
  router.use(() => {
    throw new ScimError(404, 'There is no such endpoint.')
  })
  // biome-ignore lint/complexity/useMaxParams: Express tells an error handler by its four parameters
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => void refuse(response, asScimError(error)))
  return router
}
