/** Turns what a client sent into the document that is kept: known attributes, names in their own case, values of their own type. */
import { type Attribute, COMMON_ATTRIBUTES, findAttribute, type ResourceKind } from './schemas.ts'
import { ScimError } from './scim-error.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [name: string]: Json | undefined
}

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

const wrong = (path: string, expected: string) => new ScimError(400, `${path} must be ${expected}.`, 'invalidValue')

const readSimple = (attribute: Attribute, value: Json, path: string): Json => {
  if (attribute.type === 'boolean' && typeof value !== 'boolean') throw wrong(path, 'true or false')
  if (attribute.type !== 'boolean' && typeof value !== 'string') throw wrong(path, 'a string')
  return value
}

const readOne = (attribute: Attribute, value: Json, path: string): Json | undefined => {
  if (attribute.type !== 'complex') return readSimple(attribute, value, path)
  if (!isObject(value)) throw wrong(path, 'an object')
  const kept = readAttributes(attribute.subAttributes, value, path)
  return Object.keys(kept).length > 0 ? kept : undefined
}

const readList = (attribute: Attribute, value: Json, path: string): Json | undefined => {
  if (!Array.isArray(value)) throw wrong(path, 'a list')
  const kept: Json[] = []
  for (const [index, each] of value.entries()) {
    const read = readOne(attribute, each, `${path}[${index}]`)
    if (read !== undefined) kept.push(read)
  }
  if (kept.filter((each) => isObject(each) && each.primary === true).length > 1) throw wrong(path, 'a list with at most one primary value')
  return kept.length > 0 ? kept : undefined
}

/** The values of a list; a single value is a list of one, no value an empty list. */
export const asList = (value: Json | undefined): Json[] => {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** One attribute's value as it is kept; undefined when there is nothing to keep (null and empty lists are "no value" in SCIM). */
export const readValue = (attribute: Attribute, value: Json | undefined, path = attribute.name): Json | undefined => {
  if (value === null || value === undefined) return undefined
  return attribute.multiValued ? readList(attribute, value, path) : readOne(attribute, value, path)
}

function readAttributes(attributes: readonly Attribute[], from: JsonObject, path: string): JsonObject {
  const kept: JsonObject = {}
  for (const [name, value] of Object.entries(from)) {
    const attribute = findAttribute(attributes, name)
    if (attribute?.mutability !== 'readWrite') continue
    const read = readValue(attribute, value, path === '' ? attribute.name : `${path}.${attribute.name}`)
    if (read !== undefined) kept[attribute.name] = read
  }
  return kept
}

const topLevels = new WeakMap<ResourceKind, readonly Attribute[]>()

/** The attributes that stand at the top of a document of this kind. */
export const topLevel = (kind: ResourceKind): readonly Attribute[] => {
  const known = topLevels.get(kind) ?? [...COMMON_ATTRIBUTES, ...kind.core.attributes]
  topLevels.set(kind, known)
  return known
}

/**
 * Reads a whole resource (POST, PUT, the outcome of PATCH). Unknown and read-only attributes are passed over, as RFC 7644 section 3.3
 * allows; wrong types and missing required ones are refused.
 */
export const readDocument = (kind: ResourceKind, body: unknown): JsonObject => {
  if (!isObject(body)) throw new ScimError(400, 'The body must be a JSON object.', 'invalidSyntax')
  const { schemas } = body
  if (!Array.isArray(schemas) || !schemas.includes(kind.core.id)) {
    throw new ScimError(400, `schemas must be a list that holds ${kind.core.id}.`, 'invalidValue')
  }
  const document = readAttributes(topLevel(kind), body, '')
  for (const attribute of kind.core.attributes) {
    const value = document[attribute.name]
    if (attribute.required && (typeof value !== 'string' || value.trim() === '')) {
      throw new ScimError(400, `${attribute.name} is required.`, 'invalidValue')
    }
  }
  const used = [kind.core.id]
  for (const extension of kind.extensions) {
    const key = Object.keys(body).find((name) => name.toLowerCase() === extension.id.toLowerCase())
    const value = key === undefined ? undefined : body[key]
    if (value === undefined || value === null) continue
    if (!isObject(value)) throw wrong(extension.id, 'an object')
    const kept = readAttributes(extension.attributes, value, extension.id)
    if (Object.keys(kept).length === 0) continue
    used.push(extension.id)
    document[extension.id] = kept
  }
  return { schemas: used, ...document }
}
