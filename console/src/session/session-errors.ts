/** Thrown before any request when nobody is signed in or the session is over. The message is the documented one. */
export class SessionExpiredError extends Error {
  constructor() {
    super('User session expired')
    this.name = 'SessionExpiredError'
  }
}

/**
 * Why a sign-in failed. Besides these, an error code of the provider (`access_denied`, `login_required` …) comes as it is.
 *
 * - `insecure_context`: the browser hides what signing in needs, because the page is neither https nor on loopback
 * - `provider_unreachable`: its discovery document, keys or token endpoint could not be read
 * - `unknown_state`: the answer belongs to no sign-in of this tab; start again
 * - `timeout`: a silent renewal got no answer
 * - the rest: the answer failed the check of that name
 */
export type SignInFailure =
  | 'insecure_context'
  | 'provider_unreachable'
  | 'unknown_state'
  | 'timeout'
  | 'token_in_query'
  | 'repeated_parameter'
  | 'issuer'
  | 'token_type'
  | 'token_missing'
  | 'signature'
  | 'claims'
  | 'nonce'
  | 'at_hash'
  | 'another_user'
  | (string & {})

export class SignInError extends Error {
  readonly code: SignInFailure
  /** Where the person wanted to go, when that is known. */
  readonly returnTo: string | undefined
  constructor(code: SignInFailure, options: ErrorOptions & { returnTo?: string | undefined } = {}) {
    super(`signing in failed: ${code}`, options)
    this.name = 'SignInError'
    this.code = code
    this.returnTo = options.returnTo
  }
}
