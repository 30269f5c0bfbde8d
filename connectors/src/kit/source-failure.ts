/** What a failed connection to a source means, in words that an administrator can act on. */

import { ConnectorError, type SourceCode } from './problem.ts'
import { readAddress } from './target-address.ts'

const CODES: Readonly<Record<string, SourceCode>> = {
  ENOTFOUND: 'SOURCE_HOST_UNKNOWN',
  EAI_AGAIN: 'SOURCE_HOST_UNKNOWN',
  EAI_FAIL: 'SOURCE_HOST_UNKNOWN',
  ECONNREFUSED: 'SOURCE_CONNECTION_REFUSED',
  UND_ERR_CONNECT_TIMEOUT: 'SOURCE_TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'SOURCE_TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'SOURCE_TIMEOUT',
  ETIMEDOUT: 'SOURCE_TIMEOUT',
  EHOSTUNREACH: 'SOURCE_NETWORK',
  ENETUNREACH: 'SOURCE_NETWORK',
  EADDRNOTAVAIL: 'SOURCE_NETWORK',
  EPROTO: 'SOURCE_CERTIFICATE',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'SOURCE_CERTIFICATE',
  SELF_SIGNED_CERT_IN_CHAIN: 'SOURCE_CERTIFICATE',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'SOURCE_CERTIFICATE',
  UNABLE_TO_GET_ISSUER_CERT: 'SOURCE_CERTIFICATE',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'SOURCE_CERTIFICATE',
  HOSTNAME_MISMATCH: 'SOURCE_CERTIFICATE',
  ERR_ADDRESS_REFUSED: 'SOURCE_ADDRESS_REFUSED',
}

/** The names that Node gives to what is wrong with a certificate, in words. */
const CERTIFICATE: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'self-signed authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown authority',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'made out to another name',
  HOSTNAME_MISMATCH: 'made out to another name',
  EPROTO: 'no TLS at this port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS at this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no TLS at this port',
}

/** Node's or undici's code of an error. */
export const errorCode = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'ERR_UNKNOWN'
}

/** The error that a failed connection to `host` stands for; SOURCE_CUT when it had been made and broke off. */
export const connectionFailure = (host: string, error: unknown, page = 1): ConnectorError => {
  const named = errorCode(error)
  const code = CODES[named] ?? (/^(ERR_TLS_|ERR_SSL_|CERT_)/.test(named) ? 'SOURCE_CERTIFICATE' : 'SOURCE_CUT')
  const reason = CERTIFICATE[named] ?? named
  return new ConnectorError({ code, params: { host, reason, page }, retryable: true, detail: `${host}: ${named}` })
}

/** A setting that cannot be used. */
export const invalidSetting = (property: string): ConnectorError =>
  new ConnectorError({ code: 'SOURCE_SETTINGS_INVALID', params: { property } })

/** Reads the address of a source by the rule that targets have. Throws SOURCE_SETTINGS_INVALID or SOURCE_ADDRESS_REFUSED. */
export const readSourceAddress = (property: string, text: unknown, allowHttp: boolean): URL => {
  if (typeof text !== 'string') throw invalidSetting(property)
  try {
    return readAddress(text, allowHttp)
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code === 'TARGET_SETTINGS_INVALID') throw invalidSetting(property)
    const { host = '', reason = '' } = error.params
    throw new ConnectorError({ code: 'SOURCE_ADDRESS_REFUSED', params: { property, host, reason }, detail: error.detail })
  }
}

/** Authorities in PEM. Line breaks lost on the way through a one-line field are put back. Undefined when nothing is set. */
export const readAuthorities = (property: string, text: unknown): string[] | undefined => {
  if (text === undefined || text === null || text === '') return undefined
  const found = [...String(text).matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g)]
  if (found.length === 0) throw invalidSetting(property)
  return found.map(([, body = '']) => {
    const base64 = body.replace(/\s+/g, '')
    return `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})(?=.)/g, '$1\n')}\n-----END CERTIFICATE-----\n`
  })
}
