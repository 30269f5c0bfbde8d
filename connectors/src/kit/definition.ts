/** The shape of a connector definition's code side: the contract's definition with a typed properties schema. */
import type { ConnectorDefinition } from '@instep/contract/connectors.ts'
import type { ShownWhen } from '@instep/contract/shown-when.ts'
import type { UserFieldName } from '@instep/contract/user-fields.ts'

/** One setting of a connector, JSON Schema; `secret` ones are write-only and stored encrypted. */
export interface PropertySchema {
  readonly type: 'string' | 'boolean' | 'integer'
  readonly title: string
  readonly description?: string
  /** Of an address (`uri`, `ldap-uri`): with another one the secrets have to be given again. */
  readonly format?: 'uri' | 'ldap-uri' | 'date'
  readonly enum?: readonly string[]
  readonly default?: string | boolean | number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  /** A regular expression that the whole value fits. */
  readonly pattern?: string
  readonly secret?: true
  /** Keeps its line breaks: a key, a certificate. */
  readonly multiline?: true
  /** Says where secrets are sent to: with another value they have to be given again. */
  readonly leads?: true
  /** Settings and their values: it counts, and is asked for, only where one of these holds. */
  readonly shownWhen?: readonly ShownWhen[]
  /** Must be given where it is shown. */
  readonly needed?: true
}

/** A `pattern`: what can stand in a header, so that a token pasted with a blank or an accent is refused where it is typed. */
export const IN_A_HEADER = '^[\\x21-\\x7e]+$'

/** JSON Schema of all settings; what it does not name is refused. */
export type PropertiesSchema = {
  readonly type: 'object'
  readonly additionalProperties: false
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, PropertySchema>>
}

export type Operation = 'read' | 'create' | 'update' | 'deactivate' | 'delete' | 'list'

export interface Definition extends Omit<ConnectorDefinition, 'propertiesSchema' | 'supportedFields' | 'supportedOperations'> {
  readonly propertiesSchema: PropertiesSchema
  readonly supportedFields: UserFieldName[]
  readonly supportedOperations: Operation[]
}

/** Names of the settings that are secrets. */
export const secretProperties = (definition: Definition): string[] =>
  Object.entries(definition.propertiesSchema.properties)
    .filter(([, property]) => property.secret)
    .map(([name]) => name)
