import { type AttributePath, readPath } from './attribute-path.rules.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { refuse } from './scim-error.ts'
import { COMMON_ATTRIBUTES, findAttribute, type ResourceKind } from './scim-schemas.ts'

type Op = 'add' | 'replace' | 'remove'

/** One change at one place. `value` is undefined only where something is removed as a whole. */
export interface PatchStep {
  readonly op: Op
  readonly path: AttributePath
  readonly value: Json | undefined
}

const memberOf = (body: JsonObject, name: string): Json | undefined => {
  const key = Object.keys(body).find((one) => one.toLowerCase() === name)
  return key === undefined ? undefined : body[key]
}

interface Operation {
  readonly op: Op
  readonly path: string | undefined
  readonly value: Json | undefined
}

const readOperation = (given: Json): Operation => {
  if (!isObject(given)) throw refuse('invalidSyntax', 'An operation must be an object.')
  const op = String(memberOf(given, 'op')).toLowerCase()
  if (op !== 'add' && op !== 'replace' && op !== 'remove') throw refuse('invalidSyntax', 'op must be add, replace or remove.')
  const path = memberOf(given, 'path') ?? undefined
  if (path !== undefined && typeof path !== 'string') throw refuse('invalidPath', 'path must be a text.')
  const value = memberOf(given, 'value')
  if (op !== 'remove' && value === undefined) throw refuse('invalidValue', `${op} needs a value.`)
  if (op === 'remove' && !path) throw refuse('noTarget', 'remove needs a path.')
  return { op, path: path || undefined, value }
}

const isReadOnly = ({ attribute, part }: AttributePath): boolean => attribute?.mutability === 'readOnly' || part?.mutability === 'readOnly'

/** The names a whole resource sends along and that say nothing to change: Okta repeats `id`, others `schemas`, `meta` and `groups`. */
const isIgnored = (kind: ResourceKind, name: string): boolean => {
  if (name.toLowerCase() === 'schemas') return true
  if (/^urn:/i.test(name) || /[.[]/.test(name)) return false
  const found = findAttribute([...COMMON_ATTRIBUTES, ...kind.core.attributes], name)
  return found?.mutability !== 'readWrite'
}

/** Without a path the members of the value are the paths, dotted and bracketed ones included. */
const spread = (kind: ResourceKind, { op, value }: Operation): PatchStep[] => {
  if (!isObject(value)) throw refuse('invalidValue', 'Without a path the value must be an object.')
  return Object.entries(value)
    .filter(([name]) => !isIgnored(kind, name))
    .flatMap(([name, each]) => stepsAt(kind, { op, path: name, value: each }))
}

const stepsAt = (kind: ResourceKind, { op, path = '', value }: Operation): PatchStep[] => {
  const found = readPath(kind, path)
  if (found.attribute) return [{ op, path: found, value }]
  const known = kind.extensions.some(({ id }) => id === found.extension)
  if (op === 'remove' || !isObject(value) || !known) return [{ op, path: found, value }]
  return Object.entries(value).flatMap(([name, each]) => stepsAt(kind, { op, path: `${found.extension}:${name}`, value: each }))
}

/**
 * Reads the body of a PATCH (RFC 7644 section 3.5.2), as Entra ID and Okta send it too: operations capitalised, members of a path-less value as
 * paths. Throws `invalidSyntax`, `invalidPath`, `invalidValue`, `noTarget`, and `mutability` where a path names what cannot be changed.
 */
export const readPatch = (kind: ResourceKind, body: unknown): PatchStep[] => {
  const operations = isObject(body) ? memberOf(body, 'operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0) throw refuse('invalidSyntax', 'Operations must be a list that is not empty.')
  return operations.map(readOperation).flatMap((operation) => {
    if (operation.path === undefined) return spread(kind, operation)
    const steps = stepsAt(kind, operation)
    if (steps.some(({ path }) => isReadOnly(path))) throw refuse('mutability', `${operation.path.slice(0, 200)} cannot be changed.`)
    return steps
  })
}
