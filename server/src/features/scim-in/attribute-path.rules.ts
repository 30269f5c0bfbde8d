import { type Filter, parseFilter } from './filter-text.rules.ts'
import { refuse } from './scim-error.ts'
import { type Attribute, COMMON_ATTRIBUTES, findAttribute, type ResourceKind, unknownAttribute } from './scim-schemas.ts'

/** Where a path leads: an attribute of the resource or of an extension, some values of it, a part of them. */
export interface AttributePath {
  /** The schema URN of an extension, as it is written in resources. */
  readonly extension: string | undefined
  /** Absent where the path is an extension as a whole. */
  readonly attribute: Attribute | undefined
  readonly part: Attribute | undefined
  /** `emails[type eq "work"]`: as it was written, to be read against the parts of the attribute. */
  readonly filter: Filter | undefined
}

const VALUE_PATH = /^([^[\]]+)\[(.+)\](?:\.([^.[\]]+))?$/s
/** A schema URN ends with a version and a name; what follows is the attribute. */
const SCHEMA_URN = /^(urn:.+:\d+(?:\.\d+)*:\w+)(?::(.+))?$/is
const NAME = /^[A-Za-z$][\w$-]*$/

const unknown = (path: string) => refuse('invalidPath', `There is no attribute "${path.slice(0, 200)}".`)

/** Takes the extension in front off a path; `rest` is empty where the path is the extension itself. */
const splitUrn = (kind: ResourceKind, path: string): { extension: string | undefined; rest: string } => {
  if (!/^urn:/i.test(path)) return { extension: undefined, rest: path }
  const same = (id: string) => path.toLowerCase() === id.toLowerCase() || path.toLowerCase().startsWith(`${id.toLowerCase()}:`)
  if (same(kind.core.id)) return { extension: undefined, rest: path.slice(kind.core.id.length + 1) }
  const known = kind.extensions.find(({ id }) => same(id))
  if (known) return { extension: known.id, rest: path.slice(known.id.length + 1) }
  const [, urn, rest = ''] = SCHEMA_URN.exec(path) ?? []
  if (urn === undefined) throw unknown(path)
  return { extension: urn, rest }
}

const attributesOf = (kind: ResourceKind, extension: string | undefined): readonly Attribute[] | undefined =>
  extension === undefined ? [...COMMON_ATTRIBUTES, ...kind.core.attributes] : kind.extensions.find(({ id }) => id === extension)?.attributes

const named = (attributes: readonly Attribute[] | undefined, name: string, path: string): Attribute => {
  if (!NAME.test(name)) throw unknown(path)
  const found = attributes ? findAttribute(attributes, name) : unknownAttribute(name)
  if (!found) throw unknown(path)
  return found
}

/**
 * Reads a path (RFC 7644 section 3.5.2, `PATH`), of a PATCH operation or in front of a filter's operator. Names are found without case.
 * Throws `invalidPath` where the kind of resource has no such attribute, `invalidFilter` for a filter in brackets that cannot be read.
 */
export const readPath = (kind: ResourceKind, path: string): AttributePath => {
  const [, before = path, inner, after] = VALUE_PATH.exec(path) ?? []
  const { extension, rest } = splitUrn(kind, before)
  if (rest === '') {
    if (extension === undefined || inner !== undefined) throw unknown(path)
    return { extension, attribute: undefined, part: undefined, filter: undefined }
  }
  const [name = '', ...parts] = rest.split('.')
  const attribute = named(attributesOf(kind, extension), name, path)
  const partName = after ?? parts[0]
  if (parts.length > 1 || (after !== undefined && parts.length > 0)) throw unknown(path)
  const subs = attribute.type === 'any' ? undefined : attribute.subAttributes
  const part = partName === undefined ? undefined : named(subs, partName, path)
  return { extension, attribute, part, filter: inner === undefined ? undefined : parseFilter(inner) }
}
