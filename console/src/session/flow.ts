import type { Provider } from './discover-provider.ts'
import type { IdentityConfig } from './runtime-config.ts'

/** The person who is signed in, as the id_token describes them. */
export interface SessionUser {
  sub: string
  name: string
  email: string
  roles: string[]
}

/** What a sign-in brings. `expiresAt`: milliseconds since 1970. */
export interface SessionTokens {
  accessToken: string
  idToken: string
  expiresAt: number
  user: SessionUser
}

/** What is drawn for one request and must come back with, or belong to, its answer. */
export interface RequestSecrets {
  state: string
  nonce: string
  /** The PKCE verifier; unused by the implicit flow. */
  verifier: string
}

/** What both directions of a sign-in know. */
export interface FlowContext {
  identity: IdentityConfig
  provider: Provider
  redirectUri: string
  secrets: RequestSecrets
  fetch: typeof fetch
  /** Milliseconds since 1970. */
  now: number
}

/** One way of signing in. */
export interface Flow {
  /** The parameters of the authorization request that belong to this flow. */
  requestParameters(secrets: RequestSecrets): Promise<Record<string, string>>
  /** Checks the answer and takes the tokens from it. @throws SignInError */
  readAnswer(answer: URL, context: FlowContext): Promise<SessionTokens>
}
