/** Resources of one kind, kept in the journal. */
import { randomUUID } from 'node:crypto'
import type { Journal } from '../journal.ts'
import { isObject, type JsonObject } from '../scim/read-document.ts'
import type { ResourceKind } from '../scim/schemas.ts'
import { ScimError } from '../scim/scim-error.ts'
import { createResourceIndex } from './resource-index.ts'

/** A resource as it is kept: what the client said, and our own part of it. Instants are ISO 8601 UTC. */
export interface Resource {
  readonly id: string
  readonly document: JsonObject
  readonly created: string
  readonly lastModified: string
  /** Counts the changes from 1. */
  readonly version: number
}

/** Resources of one kind. Every change is remembered before it is answered. */
export interface Shelf {
  readonly kind: ResourceKind
  size(): number
  /** In the order in which they were made. */
  all(): Iterable<Resource>
  get(id: string): Resource | undefined
  /** By an attribute's lower-case name and value; undefined when the attribute is not indexed. */
  lookUp(attribute: string, value: string): readonly Resource[] | undefined
  create(document: JsonObject): Resource
  /** An equal document changes neither version nor time. */
  replace(id: string, document: JsonObject): Resource
  remove(id: string): void
}

/** Equal whatever the order of names; lists keep theirs. */
const sameJson = (left: unknown, right: unknown): boolean => {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((each, index) => sameJson(each, right[index]))
  if (!isObject(left) || !isObject(right)) return false
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].every((name) => sameJson(left[name], right[name]))
}

const notFound = (kind: ResourceKind, id: string) => new ScimError(404, `There is no ${kind.name.toLowerCase()} "${id}" here.`)

/** Opens a shelf with what the journal remembers of it. `now` gives the time of a change. */
export const openShelf = (kind: ResourceKind, company: string, world: { journal: Journal; now: () => Date }): Shelf => {
  const { journal, now } = world
  const collection = `${company}${kind.endpoint}`
  const resources = new Map<string, Resource>()
  const index = createResourceIndex(kind)
  const enter = (resource: Resource) => {
    resources.set(resource.id, resource)
    index.enter(resource.id, resource.document)
  }
  const keep = (resource: Resource): Resource => {
    journal.put(collection, resource.id, resource)
    enter(resource)
    return resource
  }
  const find = (id: string): Resource => {
    const resource = resources.get(id)
    if (!resource) throw notFound(kind, id)
    return resource
  }
  for (const resource of journal.read(collection).values()) enter(resource as Resource)
  return {
    kind,
    size: () => resources.size,
    all: () => resources.values(),
    get: (id) => resources.get(id),
    lookUp: (attribute, value) => index.lookUp(attribute, value)?.flatMap((id) => resources.get(id) ?? []),
    create: (document) => {
      const id = randomUUID()
      index.refuseTaken(id, document)
      const at = now().toISOString()
      return keep({ id, document, created: at, lastModified: at, version: 1 })
    },
    replace: (id, document) => {
      const before = find(id)
      index.refuseTaken(id, document)
      if (sameJson(before.document, document)) return before
      index.withdraw(id, before.document)
      return keep({ ...before, document, lastModified: now().toISOString(), version: before.version + 1 })
    },
    remove: (id) => {
      const before = find(id)
      journal.remove(collection, id)
      index.withdraw(id, before.document)
      resources.delete(id)
    },
  }
}
