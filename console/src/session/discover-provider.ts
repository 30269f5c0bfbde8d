import { SignInError } from './session-errors.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** A discovery document with what the console cannot do without. */
export interface Provider {
  issuer: string
  authorization_endpoint: string
  jwks_uri: string
  end_session_endpoint?: string
  [more: string]: Json | undefined
}

/**
 * Reads the provider's discovery document (OpenID Connect Discovery 1.0). The document must name the issuer we asked.
 *
 * @throws SignInError `provider_unreachable` or `issuer`
 */
export const discoverProvider = async (issuer: string, fetcher: typeof fetch): Promise<Provider> => {
  let found: Partial<Provider>
  try {
    const response = await fetcher(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    if (!response.ok) throw new Error(`discovery answered ${response.status}`)
    found = (await response.json()) as Partial<Provider>
  } catch (cause) {
    throw new SignInError('provider_unreachable', { cause })
  }
  const { authorization_endpoint, jwks_uri } = found
  if (found.issuer !== issuer) throw new SignInError('issuer')
  if (authorization_endpoint === undefined || jwks_uri === undefined) throw new SignInError('provider_unreachable')
  return { ...found, issuer, authorization_endpoint, jwks_uri }
}
