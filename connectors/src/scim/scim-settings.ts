import { ConnectorError } from '../kit/problem.ts'
import type { TargetProperties, TargetSecrets } from '../kit/target.ts'
import { readAddress } from './scim-address.ts'

export const USER_NAME_FIELDS = ['workEmail', 'externalId', 'userName'] as const
export const UPDATE_METHODS = ['PATCH', 'PUT'] as const
export const MATCH_KEYS = ['userName', 'externalId'] as const

export interface ScimSettings {
  readonly origin: string
  /** Path in front of `/Users`, without a slash at its end. */
  readonly basePath: string
  readonly token: string
  readonly userNameField: (typeof USER_NAME_FIELDS)[number]
  readonly updateMethod: (typeof UPDATE_METHODS)[number]
  readonly matchBy: (typeof MATCH_KEYS)[number]
}

const invalid = (property: string): ConnectorError => new ConnectorError({ code: 'TARGET_SETTINGS_INVALID', params: { property } })

/** One of the values; the first when nothing is set. */
const oneOf = <T extends string>(value: unknown, property: string, values: readonly [T, ...T[]]): T => {
  if (value === undefined || value === null || value === '') return values[0]
  const found = values.find((candidate) => candidate === value)
  if (found === undefined) throw invalid(property)
  return found
}

const readToken = (token: string | undefined): string => {
  const trimmed = token?.trim() ?? ''
  // Anything else cannot stand in a header.
  if (!/^[\x21-\x7e]{1,4000}$/.test(trimmed)) throw invalid('token')
  return trimmed
}

/** Reads the stored settings of a SCIM target. Throws TARGET_SETTINGS_INVALID or TARGET_ADDRESS_REFUSED with `params.property`. */
export const readScimSettings = (properties: TargetProperties, secrets: TargetSecrets): ScimSettings => {
  const { baseUrl, allowHttp } = properties
  if (typeof baseUrl !== 'string') throw invalid('baseUrl')
  const url = readAddress(baseUrl, allowHttp === true)
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ''),
    token: readToken(secrets.token),
    userNameField: oneOf(properties.userNameField, 'userNameField', USER_NAME_FIELDS),
    updateMethod: oneOf(properties.updateMethod, 'updateMethod', UPDATE_METHODS),
    matchBy: oneOf(properties.matchBy, 'matchBy', MATCH_KEYS),
  }
}
