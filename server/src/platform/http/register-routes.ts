import { once } from 'node:events'
import { Readable } from 'node:stream'
import { type Endpoint, problemsOf } from '@instep/contract/endpoint.ts'
import { ASKING, type FieldMessage, messageOf } from '@instep/contract/field-message.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { assertMay, assertNoMaintenance, type Places, placeOf } from './access.ts'
import type { Actor } from './actor.ts'
import { Problem, problem } from './problem.ts'
import type { Context, Download, Route } from './route.ts'

export interface RoutesDeps {
  /** The caller behind a bearer token; throws `SESSION_EXPIRED` or `TOKEN_INVALID`. */
  readonly authenticate: (token: string) => Promise<{ actor: Actor; scopes: readonly string[] }>
  readonly places: Places
  /** Checks every answer against its schema, and every problem against the declared ones (tests); in production they go out as they are. */
  readonly checkResponses: boolean
}

/** Serves contract endpoints below the instance's prefix: session, role, permission, tenant, input, handler, answer, in that order. */
export const registerRoutes = (app: FastifyInstance, routes: readonly Route[], deps: RoutesDeps): void => {
  for (const route of routes) {
    const { endpoint } = route
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: endpoint.id },
      handler: (request, reply) => {
        const served = serve(route, { request, reply, deps })
        return deps.checkResponses ? served.catch((error: unknown) => throwDeclared(endpoint, error)) : served
      },
    })
  }
}

/** Lets the problems through that the call declares; any other is a bug. */
const throwDeclared = (endpoint: Endpoint, error: unknown): never => {
  if (error instanceof Problem && !problemsOf(endpoint).includes(error.code))
    throw new Error(`${endpoint.id} does not declare the problem ${error.code}`, { cause: error })
  throw error
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly deps: RoutesDeps
}

/** Aborted when the caller goes away before the answer is complete. The request alone does not tell: it closes as soon as its body was read. */
const untilGone = ({ raw }: FastifyReply): AbortSignal => {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

const serve = async ({ endpoint, handle }: Route, { request, reply, deps }: Exchange): Promise<unknown> => {
  const signal = untilGone(reply)
  const caller = await deps.authenticate(bearerOf(request))
  assertMay(endpoint.who, caller)
  // an id that cannot be one belongs to nothing
  const params = endpoint.params.safeParse(request.params)
  if (!params.success) throw problem('NOT_FOUND')
  const place = await placeOf(endpoint, params.data as Record<string, string>, { actor: caller.actor, places: deps.places })
  await assertNoMaintenance(endpoint, place.tenantId, deps.places)
  const context: Context<Endpoint> = {
    actor: caller.actor,
    ...place,
    params: params.data as never,
    ...inputOf(endpoint, request),
    request,
    reply,
    correlationId: request.id,
    signal,
  }
  return answer(endpoint, await handle(context), { context, deps })
}

const bearerOf = (request: FastifyRequest): string => {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !token) throw problem('SESSION_EXPIRED')
  return token
}

const inputOf = (endpoint: Endpoint, request: FastifyRequest) => ({
  query: parsed(endpoint.query, request.query) as never,
  body: endpoint.bodyKind === 'json' ? (parsed(endpoint.body, request.body ?? {}) as never) : ({} as never),
})

/** What PostgreSQL's text cannot hold, and what is half a character. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** No body of the contract is nested half as deep; a hostile one would exhaust the stack. */
const DEEPEST = 20

const fieldsThatCannotBeStored = (value: unknown, path: readonly string[] = []): string[] => {
  const name = path.join('.')
  if (typeof value === 'string') return isStorable(value) ? [] : [name]
  if (typeof value !== 'object' || value === null) return []
  if (path.length > DEEPEST) throw problem('BODY_UNREADABLE', { detail: 'nested too deep' })
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(isStorable(key) ? [] : [name]),
    ...fieldsThatCannotBeStored(inner, [...path, key]),
  ])
}

const parsed = (schema: z.ZodType, value: unknown): unknown => {
  const unstorable = fieldsThatCannotBeStored(value)
  if (unstorable.length > 0)
    throw problem('INVALID', { fields: Object.fromEntries(unstorable.map((name) => [name, ['characters'] as const])) })
  const result = schema.safeParse(value, ASKING)
  if (result.success) return result.data
  const fields: Record<string, FieldMessage[]> = {}
  for (const issue of result.error.issues) {
    const name = issue.path.join('.')
    fields[name] = [...(fields[name] ?? []), messageOf(issue)]
  }
  throw problem('INVALID', { fields })
}

const answer = async (endpoint: Endpoint, given: unknown, { context, deps }: { context: Context<Endpoint>; deps: RoutesDeps }) => {
  const { reply } = context
  reply.header('cache-control', 'no-store')
  if (endpoint.responseKind === 'events') return sendEvents(given as AsyncIterable<unknown>, context)
  if (endpoint.responseKind === 'file') {
    const download = given as Download
    if (deps.checkResponses && !endpoint.fileTypes.includes(download.contentType.replace(/;.*/, '')))
      throw new Error(`${endpoint.id} does not declare files of the type ${download.contentType}`)
    return sendFile(download, reply)
  }
  if (endpoint.responseKind === 'none') return reply.status(endpoint.status).send()
  return reply.status(endpoint.status).send(deps.checkResponses ? endpoint.response.parse(given) : given)
}

const sendFile = ({ contentType, fileName, body }: Download, reply: FastifyReply) =>
  reply
    .header('content-type', contentType)
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`)
    .send(Readable.from(body))

/** Server-sent events (WHATWG HTML section 9.2): one `data` line a value, a comment every 15 s so that proxies keep the line open. */
const sendEvents = async (values: AsyncIterable<unknown>, { reply, signal }: Context<Endpoint>): Promise<FastifyReply> => {
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
  const beat = setInterval(() => raw.write(': still here\n\n'), 15_000)
  try {
    for await (const value of values) {
      if (signal.aborted) break
      if (!raw.write(`data: ${JSON.stringify(value)}\n\n`)) await once(raw, 'drain', { signal }).catch(() => undefined)
    }
  } finally {
    clearInterval(beat)
    raw.end()
  }
  return reply
}
