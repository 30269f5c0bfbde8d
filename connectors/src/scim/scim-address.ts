import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { isIP } from 'node:net'
import { ConnectorError } from '../kit/problem.ts'
import { isLoopback, isRefusedAddress } from '../kit/refused-addresses.ts'

export const ADDRESS_REFUSED = 'ERR_ADDRESS_REFUSED'

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

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** `dns.lookup` that fails with the code ERR_ADDRESS_REFUSED for a name that leads to a refused address, so that a name cannot hide one. */
export const guardedLookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    if (addresses.some(({ address }) => isRefusedAddress(address))) {
      return callback(Object.assign(new Error(`${hostname} leads to a refused address`), { code: ADDRESS_REFUSED }), [])
    }
    const [first] = addresses
    if (options.all || !first) return callback(null, addresses)
    callback(null, first.address, first.family)
  })
}
