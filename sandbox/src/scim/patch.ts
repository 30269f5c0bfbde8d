/** SCIM PATCH (RFC 7644 section 3.5.2): a new document out of an old one and a list of operations. */
import { type Filter, matches, parseFilter, pathParts } from './filter.ts'
import { asList, isObject, type Json, type JsonObject, readDocument, topLevel } from './read-document.ts'
import { type Attribute, findAttribute, type ResourceKind } from './schemas.ts'
import { ScimError } from './scim-error.ts'

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

interface Operation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string | undefined
  readonly value: Json | undefined
}

/** Where an operation acts: an attribute of the document or of an extension, some values of it, a part of them. */
interface Target {
  readonly extension: string | undefined
  readonly attribute: Attribute
  readonly filter: Filter | undefined
  readonly part: Attribute | undefined
}

const refusal = (detail: string, type: 'invalidPath' | 'invalidValue' | 'noTarget' | 'invalidSyntax' | 'mutability') =>
  new ScimError(400, detail, type)

const readOperations = (body: unknown): Operation[] => {
  if (!isObject(body) || !Array.isArray(body.schemas) || !body.schemas.includes(PATCH_SCHEMA)) {
    throw refusal(`schemas must be a list that holds ${PATCH_SCHEMA}.`, 'invalidSyntax')
  }
  if (!Array.isArray(body.Operations) || body.Operations.length === 0) throw refusal('Operations must be a list.', 'invalidSyntax')
  return body.Operations.map((each) => {
    const op = isObject(each) && typeof each.op === 'string' ? each.op.toLowerCase() : undefined
    if (!isObject(each) || (op !== 'add' && op !== 'replace' && op !== 'remove')) {
      throw refusal('op must be add, replace or remove.', 'invalidSyntax')
    }
    if (each.path !== undefined && typeof each.path !== 'string') throw refusal('path must be a string.', 'invalidPath')
    if (op !== 'remove' && each.value === undefined) throw refusal(`${op} needs a value.`, 'invalidValue')
    return { op, path: each.path, value: each.value }
  })
}

const FILTERED = /^([^[\]]+)\[(.+)\](?:\.([^.[\]]+))?$/

const findTarget = (kind: ResourceKind, path: string): Target => {
  const filtered = FILTERED.exec(path)
  const [head = '', ...rest] = pathParts(filtered?.[1] ?? path)
  const extension = kind.extensions.find((each) => each.id.toLowerCase() === head.toLowerCase())
  const [name = '', ...parts] = extension ? rest : [head, ...rest]
  const attribute = findAttribute(extension ? extension.attributes : topLevel(kind), name)
  const partName = filtered ? filtered[3] : parts[0]
  const part = attribute && partName !== undefined ? findAttribute(attribute.subAttributes, partName) : undefined
  if (!attribute || (partName !== undefined && !part) || parts.length > 1) throw refusal(`There is no attribute "${path}".`, 'invalidPath')
  if (attribute.mutability === 'readOnly') throw refusal(`${attribute.name} cannot be changed.`, 'mutability')
  const filter = filtered?.[2] === undefined ? undefined : parseFilter(filtered[2])
  return { extension: extension?.id, attribute, filter, part }
}

const same = (left: Json, right: Json): boolean => {
  if (isObject(left) && isObject(right) && left.value !== undefined) return left.value === right.value && left.type === right.type
  return JSON.stringify(left) === JSON.stringify(right)
}

/** When a new value is the primary one, the others cease to be (RFC 7644 section 3.5.2). */
const demote = (values: readonly Json[], newcomers: readonly Json[]): Json[] => {
  const crowned = newcomers.some((each) => isObject(each) && each.primary === true)
  if (!crowned) return [...values]
  return values.map((each) => (isObject(each) && each.primary === true ? { ...each, primary: false } : each))
}

const addToList = (current: readonly Json[], added: readonly Json[]): Json[] => {
  const known = new Set(current.map((each) => (isObject(each) && each.value !== undefined ? JSON.stringify([each.value, each.type]) : '')))
  const fresh = added.filter(
    (each) =>
      !(isObject(each) && known.has(JSON.stringify([each.value, each.type]))) && !current.some((old) => !isObject(old) && same(old, each)),
  )
  return [...demote(current, fresh), ...fresh]
}

/** What `emails[type eq "work"]` says of the value it looks for, to make one that is missing. */
const seedOf = (filter: Filter): JsonObject | undefined =>
  filter.type === 'compare' && filter.operator === 'eq' ? { [filter.path]: filter.value } : undefined

const changeMatching = (current: readonly Json[], target: Target, operation: Operation): Json[] => {
  const { filter, part } = target
  const fits = (each: Json) => isObject(each) && (filter === undefined || matches(filter, each))
  const change = (each: JsonObject): JsonObject => {
    const value = operation.op === 'remove' ? undefined : operation.value
    if (part) return { ...each, [part.name]: value }
    if (!isObject(value)) throw refusal(`${target.attribute.name} needs an object.`, 'invalidValue')
    return { ...each, ...value }
  }
  if (operation.op === 'remove' && !part) return current.filter((each) => !fits(each))
  if (current.some(fits)) return current.map((each) => (isObject(each) && fits(each) ? change(each) : each))
  if (operation.op === 'remove') return [...current]
  const seed = filter && operation.op === 'add' ? seedOf(filter) : undefined
  if (!seed) throw refusal(`No value of ${target.attribute.name} fits the path.`, 'noTarget')
  return [...current, change(seed)]
}

const changeList = (current: readonly Json[], target: Target, operation: Operation): Json[] | undefined => {
  if (target.filter || target.part) return changeMatching(current, target, operation)
  const values = asList(operation.value)
  if (operation.op === 'add') return addToList(current, values)
  if (operation.op === 'replace') return values
  if (operation.value === undefined) return undefined
  const gone = new Set(values.map((each) => JSON.stringify(isObject(each) ? each.value : each)))
  return current.filter((each) => !gone.has(JSON.stringify(isObject(each) ? each.value : each)))
}

const changeValue = (current: Json | undefined, target: Target, operation: Operation): Json | undefined => {
  const { attribute, part } = target
  if (attribute.multiValued) return changeList(asList(current), target, operation)
  if (target.filter) throw refusal(`${attribute.name} is not a list.`, 'invalidPath')
  const value = operation.op === 'remove' || operation.value === null ? undefined : operation.value
  if (part) return { ...(isObject(current) ? current : {}), [part.name]: value }
  if (attribute.type === 'complex' && isObject(value)) return { ...(isObject(current) ? current : {}), ...value }
  return value
}

const applyAt = (document: JsonObject, target: Target, operation: Operation): JsonObject => {
  const { extension, attribute } = target
  if (extension === undefined) return { ...document, [attribute.name]: changeValue(document[attribute.name], target, operation) }
  const held = document[extension]
  const holder = isObject(held) ? held : {}
  return { ...document, [extension]: { ...holder, [attribute.name]: changeValue(holder[attribute.name], target, operation) } }
}

/** `schemas` and an id that repeats itself say nothing new; clients send them along. */
const SAYS_NOTHING = new Set(['schemas', 'id', 'meta'])

/** Without a path the value's members are the paths; an extension's members stand one level below. */
const spread = (kind: ResourceKind, operation: Operation): Operation[] => {
  const named = kind.extensions.find((each) => each.id.toLowerCase() === operation.path?.toLowerCase())
  if (operation.path !== undefined && !named) return [operation]
  const members = named ? { [named.id]: operation.value } : operation.value
  if (!isObject(members)) throw refusal('Without a path the value must be an object.', 'invalidValue')
  return Object.entries(members).flatMap(([name, value]) => {
    if (SAYS_NOTHING.has(name)) return []
    const extension = kind.extensions.find((each) => each.id.toLowerCase() === name.toLowerCase())
    if (!extension) return [{ op: operation.op, path: name, value }]
    if (!isObject(value)) throw refusal(`${extension.id} must be an object.`, 'invalidValue')
    return Object.entries(value).map(([inner, each]) => ({ op: operation.op, path: `${extension.id}:${inner}`, value: each }))
  })
}

/**
 * The document after all operations; the given one stays as it is, so a refused operation leaves nothing half done. The outcome is read
 * like a PUT, which refuses wrong types and missing required attributes.
 */
export const patchDocument = (kind: ResourceKind, document: JsonObject, body: unknown): JsonObject => {
  let patched = document
  for (const operation of readOperations(body)) {
    if (operation.path === undefined && operation.op === 'remove') throw refusal('remove needs a path.', 'noTarget')
    for (const step of spread(kind, operation)) patched = applyAt(patched, findTarget(kind, step.path ?? ''), step)
  }
  return readDocument(kind, { ...patched, schemas: [kind.core.id] })
}
