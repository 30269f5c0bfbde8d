import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Clock } from './platform/clock.ts'
import type { Secrets } from './platform/crypto/secrets.ts'
import type { Db } from './platform/db/database.ts'
import { CONSOLE_CLIENT, IDENTITY_DEFAULTS, issuerOf, type SandboxSignIn } from './platform/identity/identity-settings.ts'
import { mountIdentity } from './platform/identity/mount-identity.ts'
import { createTokenVerifier, type TokenVerifier } from './platform/identity/token-verifier.ts'
import { serveRuntimeConfig } from './runtime-config.ts'

const SCOPES = ['openid', 'profile', 'api', 'api.basic']

interface IdentityParts {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly sandboxSignIns?: readonly SandboxSignIn[]
  readonly sandboxUrl?: string
  /** Roles of an administrator as the directory of administrators has them. */
  readonly rolesOf: (issuer: string, sub: string) => Promise<{ roles: string[]; disabled: boolean } | undefined>
}

/** Signing in: the embedded provider at `/identity`, or an external one by settings; and what the console must know of either. */
export const serveIdentity = async (http: FastifyInstance, parts: IdentityParts): Promise<TokenVerifier> => {
  const { config, db, clock, secrets, sandboxSignIns, sandboxUrl, rolesOf } = parts
  const runtime = { config, sandboxUrl }
  const external = config.IDENTITY_EXTERNAL
  if (external) {
    const { issuer, clientId, scopes, extraAuthorize, rolePath, roleMap, endSession } = external
    serveRuntimeConfig(http, runtime, {
      issuer,
      clientId,
      scopes,
      rolePath,
      endSession,
      ...(extraAuthorize ? { extraAuthorize } : {}),
      ...(roleMap ? { roleMap } : {}),
    })
    return createTokenVerifier({ kind: 'external', provider: external, clock })
  }
  const publicUrl = config.PUBLIC_URL
  const issuer = issuerOf(publicUrl)
  await mountIdentity(http, {
    db,
    clock,
    secrets,
    log: http.log,
    settings: { ...IDENTITY_DEFAULTS, publicUrl, flow: config.IDENTITY_FLOW },
    accounts: { rolesOf: (sub) => rolesOf(issuer, sub) },
    ...(sandboxSignIns ? { sandboxSignIns } : {}),
  })
  serveRuntimeConfig(http, runtime, { issuer, clientId: CONSOLE_CLIENT, scopes: SCOPES, publicUrl })
  return createTokenVerifier({ kind: 'embedded', publicUrl, db, clock })
}
