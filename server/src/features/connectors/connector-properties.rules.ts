import { type Definition, type PropertySchema, secretProperties } from '@instep/connectors/kit/definition.ts'
import { ASKING, type FieldCode, type FieldMessage, messageOf } from '@instep/contract/field-message.ts'
import { isShown } from '@instep/contract/shown-when.ts'
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
    else wanted[name] = typeof value === 'string' ? tidy(value, definition.propertiesSchema.properties[name]) : value
  }
  const missing = settleShown(definition, wanted).map((name): [string, FieldMessage[]] => [`properties.${name}`, ['required']])
  const checked = schemaOf(definition).safeParse(wanted, ASKING)
  if (!checked.success) return { invalid: { ...messagesOf(checked.error), ...Object.fromEntries(missing) } }
  if (missing.length > 0) return { invalid: Object.fromEntries(missing) }
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

/** Without line breaks, but where they belong to the value. */
const tidy = (value: string, property: PropertySchema | undefined): string =>
  property?.multiline ? `${value.replaceAll('\r\n', '\n').trim()}\n` : value.replace(/[\r\n]+/g, '').trim()

/** Drops what does not count beside the others, so that no secret outlives its purpose; answers what is needed and not there. */
const settleShown = ({ propertiesSchema: { properties } }: Definition, wanted: Record<string, unknown>): string[] => {
  const shown = new Set(
    Object.entries(properties).flatMap(([name, property]) => (isShown(property, { properties, values: wanted }) ? [name] : [])),
  )
  for (const name of Object.keys(properties)) if (!shown.has(name)) delete wanted[name]
  return [...shown].filter((name) => properties[name]?.needed && (wanted[name] === undefined || wanted[name] === ''))
}

/** A stored secret was meant for the place it was given for: with another address it has to be given again, or it could be sent anywhere. */
const leadsElsewhere = ({ propertiesSchema }: Definition, { properties }: Settings, given: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(propertiesSchema.properties).some(([name, { format, leads, default: standard }]) => {
    const address = given[name]
    if (leads) return name in given && (address ?? standard) !== (properties[name] ?? standard)
    const isAddress = format === 'uri' || format === 'ldap-uri'
    return isAddress && typeof address === 'string' && originOf(address) !== originOf(properties[name])
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
  if (property.format === 'date') return z.iso.date()
  const protocol = property.format === 'ldap-uri' ? /^ldaps?$/ : /^https?$/
  const text = property.format ? z.url({ protocol }) : z.string()
  // the database takes no U+0000 in a text
  return text
    .regex(new RegExp(property.pattern ?? '', 'u'))
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
