import type { Db, Tx } from '../../platform/db/database.ts'
import type { Json, JsonObject } from './json.ts'
import { groupsOfUsers, type Membership, membersOfGroups } from './memberships.store.ts'
import type { Projection } from './projection.rules.ts'
import type { Place, StoredResource } from './resources.store.ts'
import { type ResourceKind, USER_KIND } from './scim-schemas.ts'
import { etagOf } from './wanted-resource.ts'

/** Where the connector's resources are, without a slash at the end. */
export type BaseUrl = string

export const locationOf = (base: BaseUrl, kind: ResourceKind, id: string): string => `${base}${kind.endpoint}/${id}`

const ordered = (kind: ResourceKind, resource: JsonObject): JsonObject => {
  const names = ['externalId', ...kind.core.attributes.map(({ name }) => name), ...Object.keys(resource)]
  return Object.fromEntries(
    [...new Set(names)].flatMap((name): [string, Json][] => (resource[name] === undefined ? [] : [[name, resource[name]]])),
  )
}

const isKnown = (kind: ResourceKind, urn: string): boolean => kind.extensions.some(({ id }) => id === urn)

const membersOf = (base: BaseUrl, kind: ResourceKind, memberships: readonly Membership[] | undefined): JsonObject => {
  if (!memberships?.length) return {}
  const [name, endpoint, type] = kind === USER_KIND ? ['groups', 'Groups', 'direct'] : ['members', 'Users', 'User']
  return {
    [name]: memberships.map(({ id, display }) => ({
      value: id,
      $ref: `${base}/${endpoint}/${id}`,
      ...(display === null ? {} : { display }),
      type,
    })),
  }
}

/** A resource as it is answered: what was pushed, who is in it, and `meta` (RFC 7643 section 3.1). */
export const presentResource = (
  base: BaseUrl,
  kind: ResourceKind,
  { stored, memberships }: { stored: StoredResource; memberships: readonly Membership[] | undefined },
): JsonObject => ({
  schemas: [
    kind.core.id,
    ...Object.keys(stored.resource)
      .filter((name) => /^urn:/i.test(name))
      .sort((a, b) => Number(isKnown(kind, b)) - Number(isKnown(kind, a)) || a.localeCompare(b)),
  ],
  id: stored.id,
  ...ordered(kind, stored.resource),
  ...membersOf(base, kind, memberships),
  meta: {
    resourceType: kind.name,
    created: stored.createdAt.toISOString(),
    lastModified: stored.updatedAt.toISOString(),
    location: locationOf(base, kind, stored.id),
    version: etagOf(stored.version),
  },
})

export interface Presenting {
  readonly base: BaseUrl
  readonly place: Place
  readonly projection: Projection
}

/** Resources as they are answered, in order; memberships are looked up only where they are wanted. */
export const presentResources = async (
  db: Db | Tx,
  kind: ResourceKind,
  { rows, base, place, projection }: Presenting & { rows: readonly StoredResource[] },
): Promise<JsonObject[]> => {
  const ids = rows.map(({ id }) => id)
  const [name, lookUp] = kind === USER_KIND ? (['groups', groupsOfUsers] as const) : (['members', membersOfGroups] as const)
  const memberships = projection.wants(name) && ids.length > 0 ? await lookUp(db, place, ids) : undefined
  return rows.map((stored) => projection.apply(presentResource(base, kind, { stored, memberships: memberships?.get(stored.id) })))
}
