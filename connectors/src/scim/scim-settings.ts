import {
  BEFORE_CREATE,
  DIALECT_IDS,
  DIALECTS,
  type Dialect,
  type DialectSettings,
  IF_MATCH,
  LIST_UPDATES,
  MATCH_KEYS,
  OPERATION_NAMES,
  SENT_ATTRIBUTES,
  SWITCHES,
  UPDATE_METHODS,
  USER_NAME_FIELDS,
} from '@instep/contract/scim-dialects.ts'
import { CLIENT_AUTHENTICATIONS, type ClientCredentials } from '../kit/client-credentials.ts'
import { IN_A_HEADER } from '../kit/definition.ts'
import { ConnectorError } from '../kit/problem.ts'
import { isUnset } from '../kit/read-settings.ts'
import type { TargetProperties, TargetSecrets } from '../kit/target.ts'
import { readAddress } from '../kit/target-address.ts'

export const AUTHENTICATIONS = ['bearer', 'basic', 'oauth'] as const
/** What a setting says that is left to the profile. */
export const BY_PROFILE = 'profile'

/** Settings that the profile decides where they are left to it, with their values. */
export const PROFILE_SETTINGS = {
  matchBy: MATCH_KEYS,
  updateMethod: UPDATE_METHODS,
  userNameField: USER_NAME_FIELDS,
  beforeCreate: BEFORE_CREATE,
  listUpdates: LIST_UPDATES,
  operationNames: OPERATION_NAMES,
  switching: SWITCHES,
  ifMatch: IF_MATCH,
  sentAttributes: SENT_ATTRIBUTES,
} as const satisfies { readonly [Name in keyof DialectSettings]: readonly DialectSettings[Name][] }

/** How requests are let in. */
export type Authentication = { readonly kind: 'fixed'; readonly authorization: string } | ({ readonly kind: 'oauth' } & ClientCredentials)

export interface ScimSettings extends DialectSettings {
  readonly origin: string
  /** Path in front of `/Users`, without a slash at its end. */
  readonly basePath: string
  readonly authentication: Authentication
  /** What must never stand in an error or a log. */
  readonly secrets: readonly string[]
  readonly dialect: Dialect
}

const invalid = (property: string): ConnectorError => new ConnectorError({ code: 'TARGET_SETTINGS_INVALID', params: { property } })

/** One of the values; the first when nothing is set. */
const oneOf = <T extends string>(value: unknown, property: string, values: readonly [T, ...T[]]): T => {
  if (isUnset(value)) return values[0]
  const found = values.find((candidate) => candidate === value)
  if (found === undefined) throw invalid(property)
  return found
}

/** What the connector says, else what its profile says. */
const readDialect = (properties: TargetProperties): { dialect: Dialect; settings: DialectSettings } => {
  const dialect = DIALECTS[oneOf(properties.profile, 'profile', DIALECT_IDS)]
  const read = Object.entries(PROFILE_SETTINGS).map(([name, values]) => {
    const value = oneOf<string>(properties[name], name, [BY_PROFILE, ...values])
    return [name, value === BY_PROFILE ? dialect.settings[name as keyof DialectSettings] : value]
  })
  return { dialect, settings: Object.fromEntries(read) as DialectSettings }
}

/** A secret that can stand in a header. */
const readToken = (token: string | undefined): string => {
  const trimmed = token?.trim() ?? ''
  if (!new RegExp(IN_A_HEADER).test(trimmed)) throw invalid('token')
  return trimmed
}

const readText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const readBasic = (properties: TargetProperties, secrets: TargetSecrets): string => {
  const user = readText(properties.userName)
  // RFC 7617 section 2: the first colon ends the user name
  if (user === '' || user.includes(':')) throw invalid('userName')
  if (isUnset(secrets.password)) throw invalid('password')
  return Buffer.from(`${user}:${secrets.password}`, 'utf8').toString('base64')
}

const readClient = (properties: TargetProperties, secrets: TargetSecrets): ClientCredentials => {
  const clientId = readText(properties.clientId)
  if (clientId === '') throw invalid('clientId')
  const clientSecret = secrets.clientSecret?.trim() ?? ''
  if (clientSecret === '') throw invalid('clientSecret')
  if (typeof properties.tokenUrl !== 'string') throw invalid('tokenUrl')
  return {
    tokenUrl: readAddress(properties.tokenUrl, properties.allowHttp === true, 'tokenUrl'),
    clientId,
    clientSecret,
    scope: readText(properties.tokenScope),
    sentIn: oneOf(properties.clientAuthentication, 'clientAuthentication', CLIENT_AUTHENTICATIONS),
  }
}

const readAuthentication = (properties: TargetProperties, secrets: TargetSecrets): Authentication => {
  switch (oneOf(properties.authentication, 'authentication', AUTHENTICATIONS)) {
    case 'basic':
      return { kind: 'fixed', authorization: `Basic ${readBasic(properties, secrets)}` }
    case 'oauth':
      return { kind: 'oauth', ...readClient(properties, secrets) }
    default:
      return { kind: 'fixed', authorization: `Bearer ${readToken(secrets.token)}` }
  }
}

const secretsOf = (authentication: Authentication, secrets: TargetSecrets): string[] => {
  const sent = authentication.kind === 'fixed' ? [authentication.authorization.replace(/^(Basic|Bearer) /, '')] : []
  return [...sent, ...Object.values(secrets)].map((value) => value.trim())
}

/** Reads the stored settings of a SCIM target. Throws TARGET_SETTINGS_INVALID or TARGET_ADDRESS_REFUSED with `params.property`. */
export const readScimSettings = (properties: TargetProperties, secrets: TargetSecrets): ScimSettings => {
  const { baseUrl, allowHttp } = properties
  if (typeof baseUrl !== 'string') throw invalid('baseUrl')
  const url = readAddress(baseUrl, allowHttp === true)
  const { dialect, settings } = readDialect(properties)
  const authentication = readAuthentication(properties, secrets)
  return {
    ...settings,
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ''),
    authentication,
    secrets: secretsOf(authentication, secrets),
    dialect,
  }
}
