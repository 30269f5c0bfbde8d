import { type AttributePath, readPath } from './attribute-path.rules.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { ScimError } from './scim-error.ts'
import type { ResourceKind } from './scim-schemas.ts'

/** What of a resource is answered (RFC 7644 section 3.9): names joined by commas. */
export interface Projection {
  /** Whether an attribute of the resource is answered at all, so that it need not be looked up. */
  wants(name: string): boolean
  apply(resource: JsonObject): JsonObject
}

/** Names that the kind does not have are passed over: they are not answered, and cannot be left out. */
const pathsOf = (kind: ResourceKind, names: string): AttributePath[] =>
  names.split(',').flatMap((name) => {
    try {
      return name.trim() === '' ? [] : [readPath(kind, name.trim())]
    } catch (error) {
      if (error instanceof ScimError) return []
      throw error
    }
  })

const ALWAYS = new Set(['schemas', 'id'])

const topOf = ({ extension, attribute }: AttributePath): string => extension ?? attribute?.name ?? ''

const pick = (holder: Json | undefined, names: readonly string[]): Json | undefined => {
  const [name, ...rest] = names
  if (name === undefined || holder === undefined) return holder
  if (Array.isArray(holder)) return holder.map((each: Json) => pick(each, names) ?? {})
  const inner = isObject(holder) ? pick(holder[name], rest) : undefined
  return inner === undefined ? undefined : { [name]: inner }
}

const drop = (holder: Json, names: readonly string[]): Json | undefined => {
  const [name, ...rest] = names
  if (name === undefined) return undefined
  if (Array.isArray(holder)) return holder.map((each: Json) => drop(each, names) ?? {})
  if (!isObject(holder) || holder[name] === undefined) return holder
  const { [name]: inner, ...others } = holder
  const left = inner === undefined ? undefined : drop(inner, rest)
  return left === undefined ? others : { ...others, [name]: left }
}

const namesOf = ({ extension, attribute, part }: AttributePath): string[] =>
  [extension, attribute?.name, part?.name].filter((name) => name !== undefined)

const merged = (left: Json | undefined, right: Json | undefined): Json | undefined => {
  if (isObject(left) && isObject(right)) return { ...left, ...right }
  if (Array.isArray(left) && Array.isArray(right)) return left.map((each: Json, index) => merged(each, right[index] as Json) ?? each)
  return right ?? left
}

const only = (paths: readonly AttributePath[], resource: JsonObject): JsonObject => {
  let kept: Record<string, Json> = Object.fromEntries(Object.entries(resource).filter(([name]) => ALWAYS.has(name)))
  for (const path of paths) {
    const found = pick(resource, namesOf(path))
    if (isObject(found))
      kept = Object.fromEntries([
        ...Object.entries(kept),
        ...Object.entries(found).map(([name, value]) => [name, merged(kept[name], value) ?? value]),
      ])
  }
  return kept
}

/** Reads `attributes` and `excludedAttributes`; `attributes` counts where both are given. */
export const readProjection = (
  kind: ResourceKind,
  { attributes, excludedAttributes }: { attributes: string | undefined; excludedAttributes: string | undefined },
): Projection => {
  if (attributes) {
    const paths = pathsOf(kind, attributes)
    const tops = new Set(paths.map(topOf))
    return { wants: (name) => tops.has(name), apply: (resource) => only(paths, resource) }
  }
  const paths = pathsOf(kind, excludedAttributes ?? '').filter((path) => !ALWAYS.has(topOf(path)))
  const gone = new Set(paths.filter((path) => namesOf(path).length === 1).map(topOf))
  return {
    wants: (name) => !gone.has(name),
    apply: (resource) => paths.reduce<JsonObject>((left, path) => drop(left, namesOf(path)) as JsonObject, resource),
  }
}
