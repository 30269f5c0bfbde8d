import type { Connector, ConnectorDefinition } from '@instep/contract/connectors.ts'
import { isShown, type ShownWhen } from '@instep/contract/shown-when.ts'

export type PropertyValue = string | boolean

/** One field of a connector's form, read from the definition's JSON Schema. */
export interface Property {
  readonly name: string
  readonly type: 'text' | 'lines' | 'number' | 'date' | 'choice' | 'switch'
  readonly secret: boolean
  readonly required: boolean
  readonly choices: readonly string[]
  readonly standard: PropertyValue
  /** Absent: always asked for. */
  readonly shownWhen?: readonly ShownWhen[]
}

interface PropertySchema {
  type?: string
  format?: string
  enum?: readonly string[]
  secret?: boolean
  multiline?: boolean
  needed?: boolean
  shownWhen?: readonly ShownWhen[]
  default?: unknown
}

interface Schema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, PropertySchema>>
}

/** The fields in the order of the schema. */
export const propertiesOf = ({ propertiesSchema }: Pick<ConnectorDefinition, 'propertiesSchema'>): Property[] => {
  const { required = [], properties = {} } = propertiesSchema as Schema
  return Object.entries(properties).map(([name, property]) => {
    const { enum: choices = [], secret = false, shownWhen, default: standard } = property
    return {
      name,
      type: typeOf(property),
      secret,
      required: required.includes(name) || property.needed === true,
      choices,
      standard: property.type === 'boolean' ? standard === true : String(standard ?? choices[0] ?? ''),
      ...(shownWhen ? { shownWhen } : {}),
    }
  })
}

const typeOf = ({ type, format, enum: choices, multiline }: PropertySchema): Property['type'] => {
  if (choices) return 'choice'
  if (type === 'boolean') return 'switch'
  if (type === 'integer') return 'number'
  if (format === 'date') return 'date'
  return multiline ? 'lines' : 'text'
}

type Stored = Pick<Connector, 'properties' | 'secretsSet'> | null

/** What a field shows: what was typed, else what is stored, else the standard. A stored secret is never shown. */
export const shownValue = (property: Property, typed: PropertyValue | undefined, stored: Stored): PropertyValue => {
  if (typed !== undefined) return typed
  const kept = stored?.properties[property.name]
  if (property.secret || kept === undefined || kept === null) return property.standard
  return typeof kept === 'boolean' ? kept : String(kept)
}

/** The fields that are asked for, given what the others say. */
export const shownProperties = (
  properties: readonly Property[],
  typed: Readonly<Record<string, PropertyValue>>,
  stored: Stored,
): readonly Property[] => {
  const values = Object.fromEntries(properties.map((property) => [property.name, shownValue(property, typed[property.name], stored)]))
  return properties.filter((property) => isShown(property, { properties: {}, values }))
}

/** Required fields that nothing is given for; a secret that is set may stay as it is. */
export const missingIn = (properties: readonly Property[], typed: Readonly<Record<string, PropertyValue>>, stored: Stored): string[] =>
  shownProperties(properties, typed, stored)
    .filter(({ required, type }) => required && type !== 'choice' && type !== 'switch')
    .filter((property) => !(property.secret && typed[property.name] === undefined && stored?.secretsSet.includes(property.name)))
    .filter((property) => String(shownValue(property, typed[property.name], stored)).trim() === '')
    .map(({ name }) => name)

/** The properties of which something else was typed than is shown without it. */
export const changedProperties = (
  properties: readonly Property[],
  typed: Readonly<Record<string, PropertyValue>>,
  stored: Stored,
): readonly Property[] =>
  properties.filter((property) => shownValue(property, typed[property.name], stored) !== shownValue(property, undefined, stored))

/** What is sent: every value that is asked for; an untouched secret is left out, an emptied optional text is cleared. */
export const filledIn = (
  properties: readonly Property[],
  typed: Readonly<Record<string, PropertyValue>>,
  stored: Stored,
): Record<string, string | number | boolean | null> => {
  const sent: Record<string, string | number | boolean | null> = {}
  for (const property of shownProperties(properties, typed, stored)) {
    const given = typed[property.name]
    if (property.secret && (given === undefined || given === '')) continue
    const value = shownValue(property, given, stored)
    const text = typeof value === 'string' ? value.trim() || null : value
    sent[property.name] = property.type === 'number' && typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text
  }
  return sent
}
