/** What a result code of the directory (RFC 4511 appendix A) means. */
import { createSecretHider } from '../kit/hide-secrets.ts'
import { ConnectorError, type SourceCode } from '../kit/problem.ts'
import type { LdapSettings } from './ldap-settings.ts'

type LdapStep = 'bind' | 'search' | 'startTls'

interface LdapResult {
  readonly status: number
  readonly errorMessage: string
}

const CODES: Readonly<Record<number, SourceCode>> = {
  1: 'SOURCE_FORBIDDEN',
  3: 'SOURCE_TIMEOUT',
  4: 'SOURCE_SIZE_LIMIT',
  10: 'SOURCE_REFERRAL',
  11: 'SOURCE_SIZE_LIMIT',
  12: 'SOURCE_PAGING_ABSENT',
  17: 'SOURCE_FILTER_INVALID',
  18: 'SOURCE_FILTER_INVALID',
  21: 'SOURCE_FILTER_INVALID',
  32: 'SOURCE_BASE_UNKNOWN',
  34: 'SOURCE_BASE_UNKNOWN',
  48: 'SOURCE_UNAUTHORISED',
  49: 'SOURCE_UNAUTHORISED',
  50: 'SOURCE_FORBIDDEN',
  51: 'SOURCE_UNAVAILABLE',
  52: 'SOURCE_UNAVAILABLE',
}

/** Refused at sign-in, the DN is not one or nobody's. */
const BIND_CODES: Readonly<Record<number, SourceCode>> = { 32: 'SOURCE_UNAUTHORISED', 34: 'SOURCE_UNAUTHORISED' }

const LONGEST_WORDS = 200

/** The directory's own words in one line, without the password should it repeat it. */
const said = ({ errorMessage }: LdapResult, { credentials }: LdapSettings): string => {
  const hide = createSecretHider(credentials ? [credentials.password] : [])
  return hide(errorMessage)
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, LONGEST_WORDS)
    .toWellFormed()
}

/** The error that a result other than success stands for. */
export const resultProblem = (result: LdapResult, step: LdapStep, settings: LdapSettings): ConnectorError => {
  const bind = step === 'bind' ? BIND_CODES[result.status] : undefined
  const code = step === 'startTls' ? 'SOURCE_STARTTLS_ABSENT' : (bind ?? CODES[result.status] ?? 'SOURCE_REFUSED')
  const message = said(result, settings)
  return new ConnectorError({
    code,
    params: { host: settings.host, page: 1, status: result.status, message, base: settings.baseDn, filter: settings.filterText },
    retryable: code === 'SOURCE_UNAVAILABLE' || code === 'SOURCE_TIMEOUT',
    detail: `${settings.host}: ${step} ${result.status}${message ? ` ${message}` : ''}`,
  })
}
