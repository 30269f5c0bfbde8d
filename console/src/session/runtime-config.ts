/** How the console signs people in; the server says so at `GET /config.json`. */
export interface IdentityConfig {
  issuer: string
  clientId: string
  flow: 'implicit' | 'code'
  scopes: string[]
  /** Whether a session is renewed in a hidden frame before it ends. */
  silentRenew: boolean
  /** More parameters of the authorization request, such as `audience` at Auth0. */
  extraAuthorize?: Record<string, string> | undefined
  /** The one origin that is registered for signing in; a console opened elsewhere moves there first. */
  publicUrl?: string | undefined
  /** Where an id_token holds the roles, segment by segment. Absent: the claim `role`. */
  rolePath?: string[] | undefined
  /** The provider's role names → ours. Absent: names are taken as they are. */
  roleMap?: Record<string, string> | undefined
  /** Whether signing out ends the provider's session too. Absent: yes. */
  endSession?: boolean | undefined
}

/** What the console must know before it can do anything. */
export interface RuntimeConfig {
  /** The service's base address with its version. */
  apiBase: string
  identity: IdentityConfig
  /** Where the sandbox's HR system gives its exports; null outside of the sandbox. */
  hrSystem: string | null
}

/**
 * Asks the server for the configuration.
 *
 * @throws when the server cannot be reached or answers with an error
 */
export const fetchRuntimeConfig = async (): Promise<RuntimeConfig> => {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`the configuration answered ${response.status}`)
  return (await response.json()) as RuntimeConfig
}
