import { type Definition, type PropertySchema, secretProperties } from '@instep/connectors/kit/definition.ts'
import { ASKING, type FieldCode, type FieldMessage, messageOf } from '@instep/contract/field-message.ts'
import { z } from 'zod'

type Value = string | number | boolean

/** The settings of a connector: what may be shown, and what must not leave the server. */
export interface Settings {
  readonly properties: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
}

/** The settings after a change, and the names of those that differ now; or what is wrong with which. */
export type Settled =
  | { readonly settings: Settings; readonly changed: readonly string[] }
  | { readonly invalid: Record<string, FieldMessage[]> }

/** Names the server adds when it shows properties; sent back, they change nothing. */
const SHOWN_ONLY = 'ingestion-type'

/**
 * Lays given properties over stored ones (absent = leave, null = clear), checks the result against the definition and takes it apart again.
 */
export const settleProperties = (definition: Definition, stored: Settings, given: Readonly<Record<string, Value | null>>): Settled => {
  const before: Record<string, unknown> = { ...stored.properties, ...stored.secrets }
  const kept = leadsElsewhere(definition, stored, given) ? stored.properties : before
  const wanted: Record<string, unknown> = { ...kept }
  for (const [name, value] of Object.entries(given)) {
    if (name === SHOWN_ONLY) continue
    if (value === null) delete wanted[name]
    else wanted[name] = typeof value === 'string' ? value.replace(/[\r\n]+/g, '').trim() : value
  }
  const checked = schemaOf(definition).safeParse(wanted, ASKING)
  if (!checked.success) return { invalid: messagesOf(checked.error) }
  const secretNames = new Set(secretProperties(definition))
  const after = Object.entries(checked.data).filter(([, value]) => value !== undefined)
  return {
    settings: {
      properties: Object.fromEntries(after.filter(([name]) => !secretNames.has(name))),
      secrets: Object.fromEntries(after.filter(([name]) => secretNames.has(name)).map(([name, value]) => [name, String(value)])),
    },
    changed: Object.keys({ ...before, ...wanted }).filter((name) => before[name] !== wanted[name]),
  }
}

/** A stored secret was meant for the place it was given for: with another address it has to be given again, or it could be sent anywhere. */
const leadsElsewhere = ({ propertiesSchema }: Definition, { properties }: Settings, given: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(propertiesSchema.properties).some(([name, { format }]) => {
    const address = given[name]
    return format !== undefined && typeof address === 'string' && originOf(address) !== originOf(properties[name])
  })

const originOf = (address: unknown): string | undefined => {
  const url = URL.parse(String(address).trim())
  // of schemes that browsers do not know (ldaps), every origin is "null"
  return url ? `${url.protocol}//${url.host}` : undefined
}

const schemaOf = ({ propertiesSchema: { properties, required } }: Definition) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        required.includes(name) ? valueSchema(property) : valueSchema(property).optional(),
      ]),
    ),
  )

const valueSchema = (property: PropertySchema): z.ZodType => {
  if (property.enum) return z.enum(property.enum)
  if (property.type === 'boolean') return z.boolean()
  if (property.type === 'integer')
    return z
      .int()
      .min(property.minimum ?? Number.MIN_SAFE_INTEGER)
      .max(property.maximum ?? Number.MAX_SAFE_INTEGER)
  const protocol = property.format === 'ldap-uri' ? /^ldaps?$/ : /^https?$/
  const text = property.format ? z.url({ protocol }) : z.string()
  // the database takes no U+0000 in a text
  return text
    .min(property.minLength ?? 1)
    .max(4000)
    .refine((value) => !value.includes('\0'), 'characters' satisfies FieldCode)
}

const messagesOf = (error: z.ZodError): Record<string, FieldMessage[]> => {
  const fields: Record<string, FieldMessage[]> = {}
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])]
    for (const name of names) fields[`properties.${name}`] = [...(fields[`properties.${name}`] ?? []), messageOf(issue)]
  }
  return fields
}
