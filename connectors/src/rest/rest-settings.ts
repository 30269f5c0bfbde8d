import { fingerprint } from '../kit/change-window.ts'
import { CLIENT_AUTHENTICATIONS, type ClientCredentials } from '../kit/client-credentials.ts'
import { IN_A_HEADER } from '../kit/definition.ts'
import { choice, type StoredSettings, secret, text, wholeNumber } from '../kit/read-settings.ts'
import { invalidSetting, readAuthorities, readSourceAddress } from '../kit/source-failure.ts'
import { type JsonPath, parsePath } from './json-path.ts'

export const AUTHENTICATIONS = ['none', 'basic', 'bearer', 'apiKey', 'oauth'] as const
export const PAGINGS = ['none', 'page', 'offset', 'cursor', 'link', 'nextUrl'] as const
export const CHANGED_FORMATS = ['iso', 'date', 'epochSeconds', 'epochMilliseconds'] as const

export const REST_BOUNDS = {
  firstPage: { min: 0, max: 1, fallback: 1 },
  pageSize: { min: 1, max: 10_000, fallback: 100 },
  mostPages: { min: 1, max: 1_000_000, fallback: 10_000 },
  overlapMinutes: { min: 0, max: 10_080, fallback: 10 },
  fullEveryDays: { min: 1, max: 90, fallback: 1 },
} as const

/** How requests are signed; its secrets are also what must never stand in an error. */
export type Authentication =
  | { readonly kind: 'none' }
  | { readonly kind: 'header'; readonly name: string; readonly value: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly value: string }
  | ({ readonly kind: 'oauth' } & ClientCredentials)

export interface RestSettings {
  readonly url: URL
  readonly recordsPath: JsonPath
  readonly recordsPathText: string
  readonly authentication: Authentication
  readonly secrets: readonly string[]
  readonly paging: {
    readonly kind: (typeof PAGINGS)[number]
    readonly parameter: string
    readonly first: number
    readonly sizeParameter: string
    readonly size: number
    readonly nextPath: JsonPath
    readonly mostPages: number
  }
  readonly totalPath: JsonPath | undefined
  /** How one person is asked for; undefined where that is not set. */
  readonly record: { readonly address: (id: string) => URL; readonly path: JsonPath; readonly pathText: string } | undefined
  readonly changes: {
    readonly parameter: string
    readonly format: (typeof CHANGED_FORMATS)[number]
    readonly overlapMinutes: number
    readonly fullEveryDays: number
  }
  readonly authorities: string[] | undefined
  /** Of what decides how a record looks. */
  readonly fingerprint: string
}

const readPath = (settings: StoredSettings, name: string): JsonPath => {
  const path = parsePath(text(settings, name))
  if (!path) throw invalidSetting(name)
  return path
}

/** A secret that can stand in a header. */
const headerSecret = (settings: StoredSettings, name: string): string => {
  const value = secret(settings, name).trim()
  if (!new RegExp(IN_A_HEADER).test(value)) throw invalidSetting(name)
  return value
}

const apiKey = (settings: StoredSettings): Authentication => {
  const value = headerSecret(settings, 'apiKey')
  const parameter = text(settings, 'apiKeyParameter')
  if (parameter !== '') return { kind: 'parameter', name: parameter, value }
  const name = text(settings, 'apiKeyHeader', 'X-API-Key')
  // RFC 9110 section 5.6.2
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw invalidSetting('apiKeyHeader')
  return { kind: 'header', name: name.toLowerCase(), value }
}

const basic = (settings: StoredSettings): Authentication => {
  // an API key that is taken as the user name stays a secret
  const user = text(settings, 'userName') || (settings.secrets['apiKey'] ?? '').trim()
  // RFC 7617 section 2: the first colon ends the user name
  if (user === '' || user.includes(':')) throw invalidSetting('userName')
  const credentials = Buffer.from(`${user}:${settings.secrets['password'] ?? ''}`, 'utf8').toString('base64')
  return { kind: 'header', name: 'authorization', value: `Basic ${credentials}` }
}

const oauth = (settings: StoredSettings): Authentication => {
  const clientId = text(settings, 'clientId')
  if (clientId === '') throw invalidSetting('clientId')
  return {
    kind: 'oauth',
    tokenUrl: readSourceAddress('tokenUrl', settings.properties['tokenUrl'], settings.properties['allowHttp'] === true),
    clientId,
    clientSecret: secret(settings, 'clientSecret'),
    scope: text(settings, 'tokenScope'),
    sentIn: choice(settings, 'clientAuthentication', CLIENT_AUTHENTICATIONS),
  }
}

const readAuthentication = (settings: StoredSettings): Authentication => {
  switch (choice(settings, 'authentication', AUTHENTICATIONS)) {
    case 'basic':
      return basic(settings)
    case 'bearer':
      return { kind: 'header', name: 'authorization', value: `Bearer ${headerSecret(settings, 'bearerToken')}` }
    case 'apiKey':
      return apiKey(settings)
    case 'oauth':
      return oauth(settings)
    default:
      return { kind: 'none' }
  }
}

const PAGE_PARAMETERS = { none: '', page: 'page', offset: 'offset', cursor: 'cursor', link: '', nextUrl: '' } as const

const readPaging = (settings: StoredSettings): RestSettings['paging'] => {
  const kind = choice(settings, 'paging', PAGINGS)
  const nextPath = readPath(settings, 'nextPath')
  if ((kind === 'cursor' || kind === 'nextUrl') && nextPath.length === 0) throw invalidSetting('nextPath')
  return {
    kind,
    parameter: text(settings, 'pageParameter', PAGE_PARAMETERS[kind]),
    first: wholeNumber(settings, 'firstPage', REST_BOUNDS.firstPage),
    sizeParameter: text(settings, 'sizeParameter'),
    size: wholeNumber(settings, 'pageSize', REST_BOUNDS.pageSize),
    nextPath,
    mostPages: wholeNumber(settings, 'mostPages', REST_BOUNDS.mostPages),
  }
}

const ID = '{id}'

/** The address of one person is asked with the same credentials, so that it has to be at the same place as that of the list. */
const readRecord = (settings: StoredSettings, list: URL): RestSettings['record'] => {
  const written = text(settings, 'recordUrl')
  if (written === '') return undefined
  const address = (id: string) =>
    readSourceAddress('recordUrl', written.replaceAll(ID, encodeURIComponent(id)), settings.properties['allowHttp'] === true)
  if (!written.includes(ID) || address('1').origin !== list.origin) throw invalidSetting('recordUrl')
  return { address, path: readPath(settings, 'recordPath'), pathText: text(settings, 'recordPath') }
}

const secretsOf = ({ secrets }: StoredSettings, authentication: Authentication): string[] => {
  const sent = authentication.kind === 'header' ? [authentication.value.replace(/^(Basic|Bearer) /, '')] : []
  return [...Object.values(secrets), ...sent].map((value) => value.trim())
}

/** Reads the stored settings of a REST source. Throws SOURCE_SETTINGS_INVALID or SOURCE_ADDRESS_REFUSED with `params.property`. */
export const readRestSettings = (settings: StoredSettings): RestSettings => {
  const authentication = readAuthentication(settings)
  const total = readPath(settings, 'totalPath')
  const url = readSourceAddress('url', settings.properties['url'], settings.properties['allowHttp'] === true)
  url.hash = ''
  const changes = {
    parameter: text(settings, 'changedParameter'),
    format: choice(settings, 'changedFormat', CHANGED_FORMATS),
    overlapMinutes: wholeNumber(settings, 'overlapMinutes', REST_BOUNDS.overlapMinutes),
    fullEveryDays: wholeNumber(settings, 'fullEveryDays', REST_BOUNDS.fullEveryDays),
  }
  const recordsPath = readPath(settings, 'recordsPath')
  return {
    url,
    recordsPath,
    recordsPathText: text(settings, 'recordsPath'),
    authentication,
    secrets: secretsOf(settings, authentication),
    paging: readPaging(settings),
    totalPath: total.length > 0 ? total : undefined,
    record: readRecord(settings, url),
    changes,
    authorities: readAuthorities('certificateAuthority', settings.properties['certificateAuthority']),
    fingerprint: fingerprint([url.href, recordsPath, changes.parameter, changes.format]),
  }
}
