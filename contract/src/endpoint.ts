/**
 * One declaration per call: method, path, who may, what goes in, what comes out, what can go wrong.
 * The server's router, the typed client, OpenAPI and the permission matrix read the same object.
 */
import { z } from 'zod'
import { COMMON_PROBLEMS, type ProblemCode } from './problem.ts'
import type { Permission, Role } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call. `basic`: the scope `api.basic` alone is enough. `bit`: a permission bit the caller must carry as well; `refusal`: the problem that
 * a missing bit answers with, where it is not `PERMISSION_MISSING`.
 */
export interface Access {
  readonly roles: readonly Role[]
  readonly basic?: boolean
  readonly bit?: Permission
  readonly refusal?: ProblemCode
}

/**
 * What the path is inside of. `tenant`: `{tenantId}` (or `{id}` on tenant calls); `connector`: `{connectorId}`; `tenantOrConnector`:
 * `{connectorId}` or `{id}` holding either id; `tenantOrOfferedConnector`: the same without the connectors that are kept from whoever is not at
 * tenant level; `self`: the caller only. The server resolves it to one tenant before the handler runs,
 * and answers 404 for what the caller may not see.
 */
export type Within = 'tenant' | 'connector' | 'tenantOrConnector' | 'tenantOrOfferedConnector' | 'self'

/** How the body travels; `multipart` bodies are read as a stream by the handler. */
export type BodyKind = 'json' | 'multipart' | 'none'
/** How the answer travels; `events` is a stream of server-sent events whose data matches `response`; `file` is a download. */
export type ResponseKind = 'json' | 'events' | 'file' | 'none'

export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  /** Feature and verb, `users.list`; unique; the OpenAPI operation id. */
  readonly id: string
  readonly method: Method
  /** Below `/v1`, parameters in braces as `routes.tsv` writes them. */
  readonly path: `/${string}`
  /** One sentence for the API reference. */
  readonly summary: string
  readonly who: Access
  readonly within: Within
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly bodyKind: BodyKind
  readonly response: Response
  readonly responseKind: ResponseKind
  /** The media types that a download may have. */
  readonly fileTypes: readonly string[]
  readonly status: 200 | 201 | 202 | 204
  /** Problems beyond `COMMON_PROBLEMS` and the refusal of a missing bit; `problemsOf` has them all. */
  readonly problems: readonly ProblemCode[]
}

const nothing = z.object({})
type Nothing = typeof nothing

interface Declaration<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> {
  id: string
  method: Method
  path: `/${string}`
  summary: string
  who: Access
  within: Within
  params?: P
  query?: Q
  body?: B
  bodyKind?: BodyKind
  response?: R
  responseKind?: ResponseKind
  fileTypes?: readonly string[]
  status?: 200 | 201 | 202 | 204
  problems?: readonly ProblemCode[]
}

/** Completes a declaration; what is left out takes nothing, answers nothing, adds no problem. */
export const endpoint = <
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  R extends z.ZodType = Nothing,
>(
  given: Declaration<P, Q, B, R>,
): Endpoint<P, Q, B, R> => ({
  id: given.id,
  method: given.method,
  path: given.path,
  summary: given.summary,
  who: given.who,
  within: given.within,
  params: given.params ?? (nothing as unknown as P),
  query: given.query ?? (nothing as unknown as Q),
  body: given.body ?? (nothing as unknown as B),
  bodyKind: given.bodyKind ?? (given.body ? 'json' : 'none'),
  response: given.response ?? (nothing as unknown as R),
  responseKind: given.responseKind ?? (given.response ? 'json' : 'none'),
  fileTypes: given.fileTypes ?? (given.responseKind === 'file' ? ['text/csv'] : []),
  status: given.status ?? (given.response || given.responseKind ? 200 : 204),
  problems: given.problems ?? [],
})

/** Every problem that a call may answer with. */
export const problemsOf = ({ who, problems }: Endpoint): ProblemCode[] => [
  ...new Set([...COMMON_PROBLEMS, ...(who.refusal ? [who.refusal] : []), ...problems]),
]

/** What a caller passes, before defaults and coercion. */
export type InputOf<E extends Endpoint> = {
  params: z.input<E['params']>
  query: z.input<E['query']>
  body: z.input<E['body']>
}
/** What a handler gets, after defaults and coercion. */
export type ParsedOf<E extends Endpoint> = {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
}
/** What a call answers. */
export type ResponseOf<E extends Endpoint> = z.output<E['response']>

/** Fills `{name}` in a contract path; every value is URL-encoded. */
export const fillPath = (path: string, params: Record<string, unknown>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
