import { isObject, type Json, type JsonObject } from './json.ts'
import { type Attribute, COMMON_ATTRIBUTES, type ResourceKind } from './scim-schemas.ts'

/** Texts that differ only in case are the same (RFC 7643 section 2.2, `caseExact` false). */
export const foldText = (text: string): string => text.toLowerCase()

/** A value as it is compared: names folded, texts folded where the attribute says so. */
export const foldValue = (attribute: Attribute, value: Json): Json => {
  if (Array.isArray(value)) return value.map((one: Json) => foldValue(attribute, one))
  if (isObject(value)) return foldMembers(attribute.subAttributes, value)
  return typeof value === 'string' && !attribute.caseExact && attribute.type !== 'dateTime' ? foldText(value) : value
}

const foldMembers = (attributes: readonly Attribute[], value: JsonObject): JsonObject => {
  const folded: Record<string, Json> = {}
  for (const attribute of attributes) {
    const member = value[attribute.name]
    if (member !== undefined) folded[attribute.name.toLowerCase()] = foldValue(attribute, member)
  }
  return folded
}

/** What filters look at: the known attributes of a resource, folded. Extensions that nobody here knows are not searched. */
export const searchDocumentOf = (kind: ResourceKind, resource: JsonObject): JsonObject => {
  const extensions = kind.extensions.flatMap(({ id, attributes }) => {
    const held = resource[id]
    return isObject(held) ? [[id.toLowerCase(), foldMembers(attributes, held)] as const] : []
  })
  return { ...foldMembers([...COMMON_ATTRIBUTES, ...kind.core.attributes], resource), ...Object.fromEntries(extensions) }
}
