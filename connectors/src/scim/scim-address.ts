import { isIP } from 'node:net'
import { ConnectorError } from '../kit/problem.ts'
import { isLoopback, isRefusedAddress } from '../kit/refused-addresses.ts'
import { guardedSourceLookup } from '../kit/source-address.ts'

const refuse = (reason: string, host: string): ConnectorError =>
  new ConnectorError({ code: 'TARGET_ADDRESS_REFUSED', params: { property: 'baseUrl', reason, host }, detail: `${reason}: ${host}` })

/**
 * Reads the address of a target. Only https, except to this machine or when plain http is allowed; no user information, no link-local or metadata
 * address in whatever notation. Throws TARGET_SETTINGS_INVALID or TARGET_ADDRESS_REFUSED (`params.reason`: http, credentials, linkLocal).
 */
export const readAddress = (text: string, allowHttp: boolean): URL => {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConnectorError({ code: 'TARGET_SETTINGS_INVALID', params: { property: 'baseUrl' } })
  if (url.username !== '' || url.password !== '') throw refuse('credentials', url.host)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && isRefusedAddress(host)) throw refuse('linkLocal', host)
  const local = host === 'localhost' || (isIP(host) !== 0 && isLoopback(host))
  if (url.protocol === 'http:' && !local && !allowHttp) throw refuse('http', host)
  return url
}

/** `dns.lookup` that fails with `ADDRESS_REFUSED` for a name that leads to a refused address, so that a name cannot hide one. */
export const guardedLookup = guardedSourceLookup({ allowPrivate: true })
