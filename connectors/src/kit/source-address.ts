import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { isIP } from 'node:net'
import { ConnectorError } from './problem.ts'
import { isPrivateAddress, isRefusedAddress } from './refused-addresses.ts'

/** Where sources may be fetched from. */
export interface AddressPolicy {
  /** Whether machines inside the operator's own network (this one too) may be asked. */
  readonly allowPrivate: boolean
}

/** The code of the error that a guarded look-up fails with. */
export const ADDRESS_REFUSED = 'ERR_ADDRESS_REFUSED'

/** SOURCE_ADDRESS_REFUSED for a host that may not be asked. */
export const addressRefused = (host: string, cause?: unknown): ConnectorError =>
  new ConnectorError({ code: 'SOURCE_ADDRESS_REFUSED', params: { host }, detail: `${host} may not be asked from here`, cause })

/** Whether an error of a connection is the refusal of `guardedSourceLookup`. */
export const isAddressRefusal = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === ADDRESS_REFUSED

const isBarred = (address: string, { allowPrivate }: AddressPolicy): boolean =>
  isRefusedAddress(address) || (!allowPrivate && isPrivateAddress(address))

/** Refuses a host that is written as an address which may not be asked; names are judged when they are looked up. */
export const assertHostAllowed = (host: string, policy: AddressPolicy): void => {
  const bare = host.replace(/^\[|\]$/g, '')
  if ((isIP(bare) !== 0 && isBarred(bare, policy)) || (!policy.allowPrivate && /(^|\.)localhost\.?$/i.test(bare)))
    throw addressRefused(bare)
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** `dns.lookup` that fails for a name behind which an address stands that may not be asked, at the moment of the connection. */
export const guardedSourceLookup =
  (policy: AddressPolicy) =>
  (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      if (addresses.some(({ address }) => isBarred(address, policy)))
        return callback(Object.assign(new Error(`${hostname} leads to a refused address`), { code: ADDRESS_REFUSED }), [])
      const [first] = addresses
      if (options.all || !first) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
}

/** SOURCE_UNREACHABLE (or the refusal of the address) for a connection that was never made. */
export const unreachable = (host: string, error: unknown): ConnectorError => {
  if (isAddressRefusal(error)) return addressRefused(host, error)
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  const tls = /CERT|TLS|SSL|SELF_SIGNED|ERR_OSSL/.test(code)
  const reason = REASONS[code] ?? (tls ? 'tls' : 'network')
  return new ConnectorError({
    code: 'SOURCE_UNREACHABLE',
    params: { host, reason },
    retryable: true,
    detail: `${reason}: ${host}`,
    cause: error,
  })
}
