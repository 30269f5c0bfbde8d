import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectSecure } from 'node:tls'
import { ConnectorError } from '../kit/problem.ts'
import { type AddressPolicy, guardedSourceLookup } from '../kit/source-address.ts'
import { connectionFailure } from '../kit/source-failure.ts'
import type { LdapSettings } from './ldap-settings.ts'

export interface SocketLimits {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const tlsOptions = ({ host, authorities }: LdapSettings): ConnectionOptions => ({
  host,
  minVersion: 'TLSv1.2',
  ...(isIP(host) === 0 ? { servername: host } : {}),
  ...(authorities ? { ca: authorities } : {}),
})

/** Waits for a socket to be connected; it is destroyed when that fails, takes too long, or the signal is aborted. */
const connected = (socket: Socket, event: 'connect' | 'secureConnect', at: { host: string } & SocketLimits): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { host, timeoutMs, signal } = at
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      socket.off(event, done).off('error', failed).off('close', closed)
    }
    const fail = (error: unknown) => {
      settle()
      socket.on('error', () => undefined).destroy()
      reject(error)
    }
    const done = () => {
      settle()
      resolve(socket)
    }
    const failed = (error: Error) => fail(connectionFailure(host, error))
    const closed = () => fail(connectionFailure(host, { code: 'ECONNRESET' }))
    const aborted = () => fail(signal.reason)
    const timer = setTimeout(
      () => fail(new ConnectorError({ code: 'SOURCE_TIMEOUT', params: { host, page: 1 }, retryable: true })),
      timeoutMs,
    )
    signal.addEventListener('abort', aborted, { once: true })
    socket.once(event, done).once('error', failed).once('close', closed)
  })

/** Connects to the directory: TLS at once (ldaps), or in plain. */
export const openSocket = (settings: LdapSettings, limits: SocketLimits & AddressPolicy): Promise<Socket> => {
  const { host, port, encryption } = settings
  const to = { host, port, lookup: guardedSourceLookup(limits) }
  if (encryption === 'tls') return connected(connectSecure({ ...to, ...tlsOptions(settings) }), 'secureConnect', { host, ...limits })
  return connected(connectPlain(to), 'connect', { host, ...limits })
}

/** Puts TLS over a connection for which the directory agreed to StartTLS. */
export const secureSocket = (socket: Socket, settings: LdapSettings, limits: SocketLimits): Promise<Socket> =>
  connected(connectSecure({ socket, ...tlsOptions(settings) }), 'secureConnect', { host: settings.host, ...limits })
