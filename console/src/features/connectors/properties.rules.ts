import type { Connector, ConnectorDefinition } from '@instep/contract/connectors.ts'

export type PropertyValue = string | boolean

/** One field of a connector's form, read from the definition's JSON Schema. */
export interface Property {
  readonly name: string
  readonly type: 'text' | 'choice' | 'switch'
  /** A text field whose text is sent as a number. */
  readonly numeric: boolean
  readonly secret: boolean
  readonly required: boolean
  readonly choices: readonly string[]
  readonly standard: PropertyValue
}

interface Schema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, { type?: string; enum?: readonly string[]; secret?: boolean; default?: unknown }>>
}

/** The fields in the order of the schema. */
export const propertiesOf = ({ propertiesSchema }: Pick<ConnectorDefinition, 'propertiesSchema'>): Property[] => {
  const { required = [], properties = {} } = propertiesSchema as Schema
  return Object.entries(properties).map(([name, { type, enum: choices = [], secret = false, default: standard }]) => ({
    name,
    type: choices.length > 0 ? 'choice' : type === 'boolean' ? 'switch' : 'text',
    numeric: type === 'integer',
    secret,
    required: required.includes(name),
    choices,
    standard: type === 'boolean' ? standard === true : String(standard ?? choices[0] ?? ''),
  }))
}

type Stored = Pick<Connector, 'properties' | 'secretsSet'> | null

/** What a field shows: what was typed, else what is stored, else the standard. A stored secret is never shown. */
export const shownValue = (property: Property, typed: PropertyValue | undefined, stored: Stored): PropertyValue => {
  if (typed !== undefined) return typed
  const kept = stored?.properties[property.name]
  if (property.secret || kept === undefined || kept === null) return property.standard
  return typeof kept === 'boolean' ? kept : String(kept)
}

/** Required fields that nothing is given for; a secret that is set may stay as it is. */
export const missingIn = (properties: readonly Property[], typed: Readonly<Record<string, PropertyValue>>, stored: Stored): string[] =>
  properties
    .filter((property) => property.required && property.type === 'text')
    .filter((property) => !(property.secret && typed[property.name] === undefined && stored?.secretsSet.includes(property.name)))
    .filter((property) => String(shownValue(property, typed[property.name], stored)).trim() === '')
    .map(({ name }) => name)

/** What is sent: every shown value; an untouched secret is left out, an emptied optional text is cleared. */
export const filledIn = (
  properties: readonly Property[],
  typed: Readonly<Record<string, PropertyValue>>,
  stored: Stored,
): Record<string, string | number | boolean | null> => {
  const sent: Record<string, string | number | boolean | null> = {}
  for (const property of properties) {
    const given = typed[property.name]
    if (property.secret && (given === undefined || given === '')) continue
    const value = shownValue(property, given, stored)
    const text = typeof value === 'string' ? value.trim() || null : value
    // what is no number is sent as it is, and refused on its field
    sent[property.name] = property.numeric && /^\d+$/.test(String(text)) ? Number(text) : text
  }
  return sent
}
