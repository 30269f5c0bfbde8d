import { type Filter, FilterParser } from 'ldapts'
import { fingerprint } from '../kit/change-window.ts'
import { choice, type StoredSettings, secret, text, wholeNumber } from '../kit/read-settings.ts'
import { invalidSetting, readAuthorities, readSourceAddress } from '../kit/source-failure.ts'

export const DIRECTORIES = ['activeDirectory', 'openLdap'] as const
export const SCOPES = ['sub', 'one', 'base'] as const
export const CHANGE_ATTRIBUTES = ['none', 'whenChanged', 'uSNChanged', 'modifyTimestamp', 'entryCSN'] as const

export const LDAP_BOUNDS = {
  // Active Directory gives 1,000 at most
  resultsPerPage: { min: 1, max: 1000, fallback: 500 },
  overlapMinutes: { min: 0, max: 10_080, fallback: 10 },
  fullEveryDays: { min: 1, max: 90, fallback: 1 },
} as const

/** What is asked for where nothing else is set, by kind of directory. */
const STANDARDS: Readonly<Record<(typeof DIRECTORIES)[number], { readonly filter: string; readonly attributes: string }>> = {
  activeDirectory: {
    filter: '(&(objectCategory=person)(objectClass=user))',
    attributes:
      'objectGUID, sAMAccountName, userPrincipalName, employeeID, employeeNumber, givenName, sn, displayName, mail, telephoneNumber, mobile, title, department, company, division, physicalDeliveryOfficeName, l, co, manager, accountExpires, userAccountControl',
  },
  openLdap: {
    filter: '(objectClass=inetOrgPerson)',
    attributes:
      'entryUUID, uid, employeeNumber, employeeType, givenName, sn, cn, displayName, mail, telephoneNumber, mobile, title, departmentNumber, ou, o, l, preferredLanguage, manager',
  },
}

export interface LdapSettings {
  readonly host: string
  readonly port: number
  readonly encryption: 'tls' | 'startTls' | 'none'
  readonly authorities: string[] | undefined
  /** Undefined: anonymous. */
  readonly credentials: { readonly dn: string; readonly password: string } | undefined
  readonly baseDn: string
  readonly scope: (typeof SCOPES)[number]
  readonly filter: Filter
  readonly filterText: string
  readonly attributes: readonly string[]
  readonly managerAttribute: string | undefined
  readonly pageSize: number
  readonly changes: {
    readonly attribute: (typeof CHANGE_ATTRIBUTES)[number]
    readonly overlapMinutes: number
    readonly fullEveryDays: number
  }
  /** Of what decides who is found and how an entry looks. */
  readonly fingerprint: string
}

const readServer = (settings: StoredSettings): Pick<LdapSettings, 'host' | 'port' | 'encryption'> => {
  const written = text(settings, 'server')
  const [, secure] = /^ldap(s?):\/\/[^/?#]+\/?$/i.exec(written) ?? []
  if (secure === undefined) throw invalidSetting('server')
  const url = readSourceAddress('server', written.replace(/^ldaps?:/i, 'http:'), true)
  // the port that a URL leaves out is the one of its scheme, which here is another
  const port = /:(\d+)\/?$/.exec(written)?.[1]
  const plain = settings.properties['allowPlain'] === true ? 'none' : 'startTls'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: port === undefined ? (secure ? 636 : 389) : Number(port),
    encryption: secure ? 'tls' : plain,
  }
}

/** A filter of RFC 4515. Throws SOURCE_SETTINGS_INVALID. */
const parseFilter = (written: string): Filter => {
  try {
    return FilterParser.parseString(written)
  } catch {
    throw invalidSetting('filter')
  }
}

// RFC 4512 section 2.5: a name or a dotted number
const ATTRIBUTE = /^(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)+)$/

const readAttributes = (written: string): string[] => {
  const seen = new Set<string>()
  const names = written.split(/[\s,;]+/).filter((name) => name !== '')
  for (const name of names) if (!ATTRIBUTE.test(name)) throw invalidSetting('attributes')
  return names.filter((name) => name.toLowerCase() !== 'dn' && !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()))
}

const readManagerAttribute = (settings: StoredSettings): string | undefined => {
  const name = text(settings, 'managerAttribute')
  if (name !== '' && !ATTRIBUTE.test(name)) throw invalidSetting('managerAttribute')
  return name === '' ? undefined : name
}

/** Reads the stored settings of an LDAP source. Throws SOURCE_SETTINGS_INVALID or SOURCE_ADDRESS_REFUSED with `params.property`. */
export const readLdapSettings = (settings: StoredSettings): LdapSettings => {
  const server = readServer(settings)
  const standard = STANDARDS[choice(settings, 'directory', DIRECTORIES)]
  const filterText = text(settings, 'filter', standard.filter)
  const managerAttribute = readManagerAttribute(settings)
  const attributes = readAttributes(`${text(settings, 'attributes', standard.attributes)}${managerAttribute ? ',manager' : ''}`)
  const baseDn = text(settings, 'baseDn')
  if (baseDn === '') throw invalidSetting('baseDn')
  const dn = text(settings, 'bindDn')
  const scope = choice(settings, 'searchScope', SCOPES)
  const attribute = choice(settings, 'changeAttribute', CHANGE_ATTRIBUTES)
  return {
    ...server,
    authorities: readAuthorities('certificateAuthority', settings.properties['certificateAuthority']),
    // a DN with an empty password would be let in as nobody (RFC 4513 section 5.1.2)
    credentials: dn === '' ? undefined : { dn, password: secret(settings, 'password') },
    baseDn,
    scope,
    filter: parseFilter(filterText),
    filterText,
    attributes,
    managerAttribute,
    pageSize: wholeNumber(settings, 'resultsPerPage', LDAP_BOUNDS.resultsPerPage),
    changes: {
      attribute,
      overlapMinutes: wholeNumber(settings, 'overlapMinutes', LDAP_BOUNDS.overlapMinutes),
      fullEveryDays: wholeNumber(settings, 'fullEveryDays', LDAP_BOUNDS.fullEveryDays),
    },
    fingerprint: fingerprint([server.host, server.port, baseDn, scope, filterText, attributes, managerAttribute ?? '', attribute]),
  }
}
