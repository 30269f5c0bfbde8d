/** Errors of a connection that was never made, so that nothing can have happened. */
const NOT_SENT: Readonly<Record<string, string>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'network',
  ENETUNREACH: 'network',
  EADDRNOTAVAIL: 'network',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  HOSTNAME_MISMATCH: 'tls',
}

/** Why a request was never sent, by Node's or undici's code; undefined where it may have been. */
export const notSentReason = (code: string): string | undefined =>
  NOT_SENT[code] ?? (/^(ERR_TLS_|ERR_SSL_|CERT_)/.test(code) ? 'tls' : undefined)
