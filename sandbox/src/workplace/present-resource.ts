/** A kept resource as it is answered: with id, meta, an account's groups and members' addresses. */
import { isObject, type Json, type JsonObject } from '../scim/read-document.ts'
import type { ResourceKind } from '../scim/schemas.ts'
import type { Directory } from './directory.ts'
import type { Resource } from './shelf.ts'

/** Which attributes to answer, as the query says it; names compare without case. */
export interface Projection {
  readonly attributes: readonly string[]
  readonly excludedAttributes: readonly string[]
}

/** The ETag of a resource; also its `meta.version`. */
export const etagOf = (resource: Resource): string => `W/"${resource.version}"`

export const locationOf = (base: string, kind: ResourceKind, id: string): string => `${base}${kind.endpoint}/${id}`

const ALWAYS = new Set(['schemas', 'id'])

const project = (document: JsonObject, { attributes, excludedAttributes }: Projection): JsonObject => {
  const head = (name: string) => (name.toLowerCase().startsWith('urn:') ? name : (name.split('.')[0] ?? name)).toLowerCase()
  const wanted = new Set(attributes.map(head))
  const unwanted = new Set(excludedAttributes.map(head))
  const kept = Object.entries(document).filter(([name]) => {
    if (ALWAYS.has(name)) return true
    return attributes.length > 0 ? wanted.has(name.toLowerCase()) : !unwanted.has(name.toLowerCase())
  })
  return Object.fromEntries(kept)
}

const withAddresses = (document: JsonObject, directory: Directory, base: string): Json[] | undefined => {
  if (!Array.isArray(document.members)) return undefined
  return document.members.map((each) => {
    if (!isObject(each) || typeof each.value !== 'string') return each
    const account = directory.users.get(each.value)
    const display = each.display ?? account?.document.displayName ?? account?.document.userName
    return { ...each, display, $ref: locationOf(base, directory.users.kind, each.value), type: 'User' }
  })
}

/** `base` is the address of the SCIM endpoint. */
export const presentResource = (
  resource: Resource,
  place: { kind: ResourceKind; directory: Directory; base: string },
  projection: Projection = { attributes: [], excludedAttributes: [] },
): JsonObject => {
  const { kind, directory, base } = place
  const { schemas, ...rest } = resource.document
  const whole: JsonObject = { schemas, id: resource.id, ...rest }
  if (kind.name === 'Group') whole.members = withAddresses(resource.document, directory, base)
  if (kind.name === 'User') {
    const groups = directory.groupsOf(resource.id)
    if (groups.length > 0) {
      whole.groups = groups.map((group) => ({
        value: group.id,
        display: group.document.displayName,
        $ref: locationOf(base, directory.groups.kind, group.id),
        type: 'direct',
      }))
    }
  }
  whole.meta = {
    resourceType: kind.name,
    created: resource.created,
    lastModified: resource.lastModified,
    location: locationOf(base, kind, resource.id),
    version: etagOf(resource),
  }
  return project(whole, projection)
}
