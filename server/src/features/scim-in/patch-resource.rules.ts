import { isObject, type Json, type JsonObject } from './json.ts'
import { changeList } from './patch-list.rules.ts'
import type { PatchStep } from './patch-operations.rules.ts'
import { readResource, readValue } from './read-resource.rules.ts'
import { refuse } from './scim-error.ts'
import { type Attribute, findAttribute, type ResourceKind } from './scim-schemas.ts'

const without = (holder: JsonObject, name: string): JsonObject => {
  const { [name]: _, ...others } = holder
  return others
}

const withMember = (holder: JsonObject, name: string, value: Json | undefined): JsonObject =>
  value === undefined ? without(holder, name) : { ...holder, [name]: value }

/** The name under which an extension that nobody here knows is held already. */
const heldName = (holder: JsonObject, name: string): string =>
  Object.keys(holder).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name

/** A complex value takes the given parts and keeps the others; one that stands for a `value` (the manager) is replaced as a whole. */
const changeComplex = (attribute: Attribute, current: Json | undefined, value: Json | undefined): Json | undefined => {
  if (!isObject(value) || findAttribute(attribute.subAttributes, 'value')) return readValue(attribute, value)
  let changed: JsonObject = isObject(current) ? current : {}
  for (const [name, each] of Object.entries(value)) {
    const part = findAttribute(attribute.subAttributes, name)
    if (part) changed = withMember(changed, part.name, readValue(part, each))
  }
  return readValue(attribute, changed)
}

const changeAttribute = (current: Json | undefined, step: PatchStep, attribute: Attribute): Json | undefined => {
  const { op, path, value } = step
  if (attribute.multiValued) {
    const list = changeList(Array.isArray(current) ? current : [], { ...step, path: { ...path, attribute } })
    return list.length > 0 ? list : undefined
  }
  if (path.filter) throw refuse('invalidPath', `${attribute.name} is no list.`)
  if (path.part) {
    const holder = isObject(current) ? current : {}
    return withMember(holder, path.part.name, op === 'remove' ? undefined : readValue(path.part, value))
  }
  if (op === 'remove') return undefined
  return attribute.type === 'complex' ? changeComplex(attribute, current, value) : readValue(attribute, value)
}

const applyStep = (kind: ResourceKind, resource: JsonObject, step: PatchStep): JsonObject => {
  const { extension, attribute } = step.path
  if (extension === undefined) {
    if (attribute?.mutability !== 'readWrite') return resource
    return withMember(resource, attribute.name, changeAttribute(resource[attribute.name], step, attribute))
  }
  const urn = heldName(resource, extension)
  const held = resource[urn]
  const holder = isObject(held) ? held : {}
  if (!attribute) {
    if (step.op === 'remove' || step.value === null) return without(resource, urn)
    if (!isObject(step.value)) throw refuse('invalidValue', `${extension.slice(0, 200)} must be an object.`)
    return { ...resource, [urn]: { ...holder, ...step.value } }
  }
  const known = kind.extensions.some(({ id }) => id === extension)
  const name = known ? attribute.name : heldName(holder, attribute.name)
  return { ...resource, [urn]: withMember(holder, name, changeAttribute(holder[name], step, attribute)) }
}

/**
 * The resource after all steps; the given one stays as it is, so a refused step leaves nothing half done. The outcome is read like a PUT, so that
 * it cannot lack what is required. Throws `invalidValue`, `invalidPath`, `noTarget`.
 */
export const patchResource = (kind: ResourceKind, resource: JsonObject, steps: readonly PatchStep[]): JsonObject =>
  readResource(
    kind,
    steps.reduce((patched, step) => applyStep(kind, patched, step), resource),
  )
