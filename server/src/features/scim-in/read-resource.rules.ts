import { isObject, type Json, type JsonObject } from './json.ts'
import { refuse } from './scim-error.ts'
import { type Attribute, COMMON_ATTRIBUTES, findAttribute, type ResourceKind } from './scim-schemas.ts'

/** userName, externalId and the name of a group stand in indexes, which take no more. */
const LONGEST_KEY = 500
const LARGEST_RESOURCE = 262_144

const wrong = ({ name }: Attribute, wanted: string) => refuse('invalidValue', `${name} must be ${wanted}.`)

/** What is no value: RFC 7643 section 2.5, and the empty text by which Entra ID clears an attribute. */
const isNothing = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

/** `[{ "value": "x" }]` where one text is wanted: older provisioning services of Entra ID wrap what they send. */
const unwrapped = (attribute: Attribute, value: Json): Json => {
  if (Array.isArray(value)) {
    if (value.length > 1) throw wrong(attribute, 'one value, not a list')
    return unwrapped(attribute, (value[0] as Json | undefined) ?? null)
  }
  return isObject(value) && attribute.type !== 'complex' && value['value'] !== undefined ? value['value'] : value
}

const readBoolean = (attribute: Attribute, value: Json): boolean => {
  const word = String(value).toLowerCase()
  if (word !== 'true' && word !== 'false') throw wrong(attribute, 'true or false')
  return word === 'true'
}

const readComplex = (attribute: Attribute, value: Json): JsonObject | undefined => {
  const own = findAttribute(attribute.subAttributes, 'value')
  if (!isObject(value) && !own) throw wrong(attribute, 'an object')
  // Entra ID sends the manager as a plain text
  const given: JsonObject = isObject(value) ? value : { value }
  const read: Record<string, Json> = {}
  for (const [name, member] of Object.entries(given)) {
    const part = findAttribute(attribute.subAttributes, name)
    const held = part && readValue(part, member)
    if (part && held !== undefined) read[part.name] = held
  }
  return Object.keys(read).length > 0 ? read : undefined
}

const readOne = (attribute: Attribute, given: Json): Json | undefined => {
  const value = unwrapped(attribute, given)
  if (isNothing(value)) return undefined
  if (attribute.type === 'boolean') return readBoolean(attribute, value)
  if (attribute.type === 'complex') return readComplex(attribute, value)
  if (typeof value === 'object') throw wrong(attribute, 'a text')
  return String(value)
}

/** What says where or what for, and is nothing without the thing itself. */
const BESIDE = new Set(['type', 'primary', 'display', '$ref'])
const saysNothing = (value: Json): boolean => isObject(value) && Object.keys(value).every((name) => BESIDE.has(name))

const readList = (attribute: Attribute, value: Json): Json | undefined => {
  const given: readonly Json[] = Array.isArray(value) ? value : [value]
  let crowned = false
  const read = given.flatMap((each): Json[] => {
    const one = readOne(attribute, each)
    if (one === undefined || saysNothing(one)) return []
    if (!isObject(one) || one['primary'] !== true) return [one]
    // at most one is the primary one (RFC 7643 section 2.4)
    const kept = crowned ? { ...one, primary: false } : one
    crowned = true
    return [kept]
  })
  return read.length > 0 ? read : undefined
}

/** A value as it is stored: of the attribute's type, parts under their own names; undefined where it says nothing. Throws `invalidValue`. */
export const readValue = (attribute: Attribute, value: Json | undefined): Json | undefined => {
  if (value === undefined || isNothing(value)) return undefined
  if (attribute.type === 'any') return value
  return attribute.multiValued ? readList(attribute, value) : readOne(attribute, value)
}

const readMembers = (attributes: readonly Attribute[], given: JsonObject): Record<string, Json> => {
  const byName = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
  const read: Record<string, Json> = {}
  for (const attribute of attributes) {
    if (attribute.mutability !== 'readWrite') continue
    const value = readValue(attribute, byName.get(attribute.name.toLowerCase()))
    if (value !== undefined) read[attribute.name] = value
  }
  return read
}

/** What an extension that nobody here knows brings, as it came; its names become names of columns. */
const readUnknown = (urn: string, value: JsonObject): JsonObject => {
  const strange = [
    /^urn:[\w.:-]{1,200}$/i.test(urn) ? undefined : urn,
    ...Object.keys(value).filter((name) => !/^[A-Za-z$][\w$-]{0,99}$/.test(name)),
  ]
  const name = strange.find((one) => one !== undefined)
  if (name !== undefined) throw refuse('invalidValue', `"${name.slice(0, 100)}" is no name of a schema or attribute.`)
  return Object.fromEntries(Object.entries(value).filter(([, each]) => !isNothing(each)))
}

const readExtensions = (kind: ResourceKind, given: JsonObject): Record<string, Json> => {
  const read: Record<string, Json> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!/^urn:/i.test(name) || isNothing(value) || name.toLowerCase() === kind.core.id.toLowerCase()) continue
    if (!isObject(value)) throw refuse('invalidValue', `${name.slice(0, 200)} must be an object.`)
    const known = kind.extensions.find(({ id }) => id.toLowerCase() === name.toLowerCase())
    const members = known ? readMembers(known.attributes, value) : readUnknown(name, value)
    if (Object.keys(members).length > 0) read[known?.id ?? name] = members
  }
  return read
}

const checkKeys = (kind: ResourceKind, resource: JsonObject): void => {
  for (const { name, required } of [...COMMON_ATTRIBUTES, ...kind.core.attributes]) {
    if (!required && name !== 'externalId') continue
    const value = resource[name]
    if (required && typeof value !== 'string') throw refuse('invalidValue', `${name} is required.`)
    if (typeof value === 'string' && value.length > LONGEST_KEY)
      throw refuse('invalidValue', `${name} is longer than ${LONGEST_KEY} characters.`)
  }
}

/**
 * A resource as it is stored, out of the body of a POST or PUT or the outcome of a PATCH: known attributes by type, extensions that nobody here
 * knows as they came, read-only attributes and unknown names left out (RFC 7644 section 3.3). Throws `invalidSyntax`, `invalidValue`.
 */
export const readResource = (kind: ResourceKind, body: unknown): JsonObject => {
  if (!isObject(body)) throw refuse('invalidSyntax', 'The body must be a JSON object.')
  const attributes = [...COMMON_ATTRIBUTES, ...kind.core.attributes]
  const read = { ...readMembers(attributes, body), ...readExtensions(kind, body) }
  const resource = kind.name === 'User' ? { ...read, active: read['active'] ?? true } : read
  checkKeys(kind, resource)
  const { members: _, ...own } = resource as JsonObject
  if (JSON.stringify(own).length > LARGEST_RESOURCE)
    throw refuse('invalidValue', `The resource is larger than ${LARGEST_RESOURCE} characters.`)
  return resource
}
