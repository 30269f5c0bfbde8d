import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

interface ConsoleIdentity {
  readonly issuer: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly extraAuthorize?: Readonly<Record<string, string>>
  /** Where sign-in must begin, because the provider knows only this address. */
  readonly publicUrl?: string
  readonly rolePath?: readonly string[]
  readonly roleMap?: Readonly<Record<string, string>>
  readonly endSession?: boolean
}

interface RuntimeParts {
  readonly config: Config
  readonly sandboxUrl: string | undefined
}

/** The address of the service for a console opened at `host`: as `SERVICE_BASES` says, else the same origin. Always ends in `/v1`. */
export const serviceBase = (bases: Readonly<Record<string, string>>, host: string): string =>
  `${(bases[host] ?? '').replace(/\/+$/, '')}/v1`

/**
 * `GET /config.json`: what the console must know before anything else. It is chosen by the host name that the console was opened at
 * (production, integration, a customer's own, development), so one build serves all of them.
 */
export const serveRuntimeConfig = (app: FastifyInstance, { config, sandboxUrl }: RuntimeParts, identity: ConsoleIdentity): void => {
  app.get('/config.json', (request, reply) =>
    reply.header('cache-control', 'no-store').send({
      apiBase: serviceBase(config.SERVICE_BASES, request.hostname),
      identity: { ...identity, flow: config.IDENTITY_FLOW, silentRenew: config.IDENTITY_SILENT_RENEW },
      hrSystem: sandboxUrl ? `${sandboxUrl}/hr` : null,
    }),
  )
}
