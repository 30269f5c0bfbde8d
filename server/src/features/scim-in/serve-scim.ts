import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Secrets } from '../../platform/crypto/secrets.ts'
import { createPusherCheck } from './authenticate-pusher.ts'
import { createLine } from './create-line.ts'
import { LIMITS } from './discovery.ts'
import type { PushDeps, Pusher } from './push.ts'
import { answerError } from './scim-answers.ts'
import { registerScimRoutes } from './scim-calls.ts'
import { ScimError } from './scim-error.ts'
import { assertPlainText } from './storable-text.rules.ts'

export interface ScimServerDeps extends Omit<PushDeps, 'inLine'> {
  readonly secrets: Pick<Secrets, 'sign'>
  readonly publicUrl: string
  /** Requests a minute from one address to one connector; Entra ID wants at least 25 a second. */
  readonly perMinute?: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token a SCIM request carries; set before anything else is looked at. */
    pusher?: Pusher
  }
}

const PER_MINUTE = 3000
const SCIM_JSON = 'application/scim+json'

const readBodies = (scope: FastifyInstance): void => {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([SCIM_JSON, 'application/json'], { parseAs: 'string', bodyLimit: LIMITS.bodyBytes }, (request, body, done) => {
    // Okta sends a content type with requests that have no body
    if (body === '') return done(null, undefined)
    return parse(request, body as string, done)
  })
}

/** Serves SCIM 2.0 (RFC 7644) to the systems that push: `/scim/v2/{connectorId}`, a scope of its own with its own errors. */
export const serveScim = async (app: FastifyInstance, deps: ScimServerDeps): Promise<void> => {
  const authenticate = createPusherCheck(deps)
  const inLine = createLine()
  await app.register(
    async (scope) => {
      scope.setErrorHandler((error, request, reply) => answerError(deps, { error, request, reply }))
      await scope.register(rateLimit, {
        max: deps.perMinute ?? PER_MINUTE,
        timeWindow: 60_000,
        keyGenerator: (request: FastifyRequest) => `${request.ip} ${connectorIn(request)}`,
        errorResponseBuilder: () => new ScimError(429, 'Too many requests; wait a minute.'),
      })
      readBodies(scope)
      // after the rate limit and before the body
      scope.addHook('preParsing', async (request: FastifyRequest, reply: FastifyReply) => {
        reply.header('cache-control', 'no-store')
        request.pusher = await authenticate(connectorIn(request), request.headers.authorization)
      })
      scope.addHook('preValidation', async (request: FastifyRequest) => {
        assertPlainText(request.query)
        assertPlainText(request.body)
      })
      registerScimRoutes(scope, { ...deps, inLine })
    },
    { prefix: '/scim/v2/:connectorId' },
  )
}

const connectorIn = (request: FastifyRequest): string => String((request.params as { connectorId?: string } | undefined)?.connectorId ?? '')
