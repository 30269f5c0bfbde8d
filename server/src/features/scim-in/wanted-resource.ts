import type { Push } from './push.ts'
import { isResourceId } from './resource-id.rules.ts'
import { findResource, type StoredResource } from './resources.store.ts'
import { ScimError } from './scim-error.ts'
import type { ResourceKind } from './scim-schemas.ts'

/** Which resource a request is about, and which version of it the caller has seen. */
export interface Wanted {
  readonly id: string
  /** `If-Match`, or the version of a bulk operation. */
  readonly ifMatch: string | undefined
}

/** The ETag of a version (RFC 7644 section 3.14); weak, because memberships that are told beside do not count. */
export const etagOf = (version: number): string => `W/"${version}"`

/** Whether a list of ETags, or `*`, has this version; compared weakly (RFC 9110 section 13.1). */
export const matchesEtag = (header: string, version: number): boolean =>
  header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === `"${version}"`)

/** What a resource that does not exist answers, and one that is not theirs. */
export const notFound = (kind: ResourceKind): ScimError => new ScimError(404, `There is no ${kind.name} of this id.`)

/** The resource as the caller wants it. Throws 404, and 412 where it has moved on. */
export const existing = async (push: Push, kind: ResourceKind, { id, ifMatch }: Wanted): Promise<StoredResource> => {
  const stored = isResourceId(id) ? await findResource(push.tx, kind, { ...push.by, id }) : undefined
  if (!stored) throw notFound(kind)
  if (ifMatch !== undefined && !matchesEtag(ifMatch, stored.version))
    throw new ScimError(412, `The ${kind.name} has changed; read it again.`)
  return stored
}
