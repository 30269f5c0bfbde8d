import * as oauth from 'oauth4webapi'
import type { Flow, FlowContext, SessionTokens } from './flow.ts'
import { readUser } from './read-user.ts'
import { SignInError } from './session-errors.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Plain http is for trying the product out on one's own machine, never for a network. */
const isLoopback = (address: string): boolean => LOOPBACK.has(new URL(address).hostname)

const failureOf = (cause: unknown): SignInError => {
  if (cause instanceof oauth.AuthorizationResponseError || cause instanceof oauth.ResponseBodyError)
    return new SignInError(cause.error, { cause })
  if (cause instanceof oauth.OperationProcessingError) return new SignInError('claims', { cause })
  return new SignInError('provider_unreachable', { cause })
}

const exchange = async (answer: URL, context: FlowContext): Promise<SessionTokens> => {
  const { identity, provider, redirectUri, secrets, now } = context
  const client: oauth.Client = { client_id: identity.clientId }
  const parameters = oauth.validateAuthResponse(provider, client, answer, secrets.state)
  const response = await oauth.authorizationCodeGrantRequest(provider, client, oauth.None(), parameters, redirectUri, secrets.verifier, {
    [oauth.customFetch]: context.fetch,
    [oauth.allowInsecureRequests]: isLoopback(provider.issuer),
  })
  const tokens = await oauth.processAuthorizationCodeResponse(provider, client, response, {
    expectedNonce: secrets.nonce,
    requireIdToken: true,
  })
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims === undefined || tokens.id_token === undefined) throw new SignInError('token_missing')
  const seconds = tokens.expires_in ?? claims.exp - Math.floor(now / 1000)
  return { accessToken: tokens.access_token, idToken: tokens.id_token, expiresAt: now + seconds * 1000, user: readUser(claims, identity) }
}

/** Signing in by the authorization code flow with PKCE (RFC 6749, RFC 7636). */
export const flow: Flow = {
  requestParameters: async ({ verifier }) => ({
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }),
  readAnswer: async (answer, context) => {
    if (new URLSearchParams(answer.hash.slice(1)).has('access_token')) throw new SignInError('token_type')
    try {
      return await exchange(answer, context)
    } catch (cause) {
      throw cause instanceof SignInError ? cause : failureOf(cause)
    }
  },
}
