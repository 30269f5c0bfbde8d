import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { ConnectorError } from '../kit/problem.ts'

/** Addresses that no workplace has, but cloud machines answer secrets on: link-local, metadata services, "this machine" and multicast. */
const REFUSED = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['224.0.0.0', 4],
] as const) {
  REFUSED.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['fd00:ec2::', 32],
  ['ff00::', 8],
  ['64:ff9b::', 96],
] as const) {
  REFUSED.addSubnet(network, bits, 'ipv6')
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
const isRefused = (address: string): boolean => REFUSED.check(address, family(address))

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
  if (isIP(host) !== 0 && isRefused(host)) throw refuse('linkLocal', host)
  const local = host === 'localhost' || (isIP(host) !== 0 && LOOPBACK.check(host, family(host)))
  if (url.protocol === 'http:' && !local && !allowHttp) throw refuse('http', host)
  return url
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** `dns.lookup` that fails with the code ERR_ADDRESS_REFUSED for a name that leads to a refused address, so that a name cannot hide one. */
export const guardedLookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    if (addresses.some(({ address }) => isRefused(address))) {
      return callback(Object.assign(new Error(`${hostname} leads to a refused address`), { code: ADDRESS_REFUSED }), [])
    }
    const [first] = addresses
    if (options.all || !first) return callback(null, addresses)
    callback(null, first.address, first.family)
  })
}
