import { isIP } from 'node:net'
import { ConnectorError } from './problem.ts'
import { isLoopback, isRefusedAddress } from './refused-addresses.ts'
import { type AddressPolicy, assertHostAllowed } from './source-address.ts'

const refuse = (property: string, reason: string, host: string): ConnectorError =>
  new ConnectorError({ code: 'TARGET_ADDRESS_REFUSED', params: { property, reason, host }, detail: `${reason}: ${host}` })

/**
 * Reads an address of a target; `property` is the setting that it stands in. Only https, except to this machine or when plain http is allowed; no user information, no link-local or metadata
 * address in whatever notation. Throws TARGET_SETTINGS_INVALID or TARGET_ADDRESS_REFUSED (`params.reason`: http, credentials, linkLocal).
 */
export const readAddress = (text: string, allowHttp: boolean, property = 'baseUrl'): URL => {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol)) throw new ConnectorError({ code: 'TARGET_SETTINGS_INVALID', params: { property } })
  if (url.username !== '' || url.password !== '') throw refuse(property, 'credentials', url.host)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && isRefusedAddress(host)) throw refuse(property, 'linkLocal', host)
  const local = host === 'localhost' || (isIP(host) !== 0 && isLoopback(host))
  if (url.protocol === 'http:' && !local && !allowHttp) throw refuse(property, 'http', host)
  return url
}

/** Refuses an address inside the operator's own network, where it may not be asked; names are judged when they are looked up. Throws TARGET_ADDRESS_REFUSED. */
export const assertReachable = ({ hostname }: URL, policy: AddressPolicy, property: string): void => {
  try {
    assertHostAllowed(hostname, policy)
  } catch {
    throw refuse(property, 'private', hostname)
  }
}

/** What a name stands for that was found, when it was looked up, to lead where nobody may ask. */
export const refusedName = (property: string, { allowPrivate }: AddressPolicy, cause: unknown): ConnectorError =>
  new ConnectorError({
    code: 'TARGET_ADDRESS_REFUSED',
    params: { property, reason: allowPrivate ? 'linkLocal' : 'private' },
    cause,
  })
