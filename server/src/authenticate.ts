import { permits } from '@instep/contract/roles.ts'
import type { Actor } from './platform/http/actor.ts'
import { problem } from './platform/http/problem.ts'
import type { RoutesDeps } from './platform/http/register-routes.ts'
import { TokenError } from './platform/identity/token-verifier.ts'

const REFUSALS = { expired: 'SESSION_EXPIRED', invalid: 'TOKEN_INVALID', unavailable: 'UNAVAILABLE' } as const

/** What a verified access token says. */
export interface Verified {
  readonly iss: string
  readonly sub: string
  readonly scopes: readonly string[]
}

interface AuthenticateDeps {
  /** Throws a TokenError. */
  readonly verify: (token: string) => Promise<Verified>
  /** The administrator's record as it is now; undefined for an unknown or disabled one. */
  readonly loadActor: (identity: { issuer: string; subject: string }) => Promise<Actor | undefined>
}

/** Who calls: the token is verified, then the administrator's own record is read, so that one who is disabled is out at once. */
export const createAuthenticate =
  ({ verify, loadActor }: AuthenticateDeps): RoutesDeps['authenticate'] =>
  async (token) => {
    const verified = await verify(token).catch((error: unknown) => {
      if (error instanceof TokenError) throw problem(REFUSALS[error.reason], { detail: error.message })
      throw error
    })
    const actor = await loadActor({ issuer: verified.iss, subject: verified.sub })
    if (!actor) throw problem('TOKEN_INVALID', { detail: `no administrator for ${verified.sub}` })
    if (!permits('signIn', actor.permissions)) throw problem('PERMISSION_MISSING', { detail: 'may not sign in' })
    return { actor, scopes: verified.scopes }
  }
