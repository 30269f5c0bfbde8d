import type { Endpoint, ParsedOf, ResponseOf } from '@instep/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from './actor.ts'

/** What a handler gets: everything checked, nothing left to find out about the caller. */
export interface Context<E extends Endpoint> {
  readonly actor: Actor
  /** The one tenant that the call is inside of; the caller may see it. */
  readonly tenantId: string
  /** Set where the path names a connector; it belongs to `tenantId`. */
  readonly connectorId: string | undefined
  readonly params: ParsedOf<E>['params']
  readonly query: ParsedOf<E>['query']
  readonly body: ParsedOf<E>['body']
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly correlationId: string
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal
}

/** A download: its type, the name the browser saves it under, its bytes. */
export interface Download {
  readonly contentType: string
  readonly fileName: string
  readonly body: AsyncIterable<string | Buffer>
}

/** What a handler answers; an endpoint with `events` gives each event's data, one with `file` a download. */
type Answer<E extends Endpoint> = ResponseOf<E> | AsyncIterable<ResponseOf<E>> | Download | undefined

export type Handler<E extends Endpoint> = (context: Context<E>) => Promise<Answer<E>> | Answer<E>

export interface Route {
  readonly endpoint: Endpoint
  readonly handle: (context: Context<Endpoint>) => unknown
}

/** Binds a handler to its declaration. */
export const route = <E extends Endpoint>(endpoint: E, handler: Handler<E>): Route => ({
  endpoint,
  handle: handler as unknown as Route['handle'],
})
