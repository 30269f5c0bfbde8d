import { uuidv7 } from '../../platform/ids.ts'
import { canonicalText, type JsonObject } from './json.ts'
import { touchGroupsOf } from './memberships.store.ts'
import { readPatch } from './patch-operations.rules.ts'
import { patchResource } from './patch-resource.rules.ts'
import type { Push } from './push.ts'
import { readResource } from './read-resource.rules.ts'
import { resourceChanges } from './resource-changes.rules.ts'
import { deleteResource, insertResource, type StoredResource, updateResource } from './resources.store.ts'
import { USER_KIND } from './scim-schemas.ts'
import { existing, type Wanted } from './wanted-resource.ts'

const nameOf = (resource: JsonObject): string => String(resource['userName'])

/** Adds a user. Throws 400, and 409 `uniqueness` where the connector has one of that name. */
export const createUser = async (push: Push, body: unknown): Promise<StoredResource> => {
  const resource = readResource(USER_KIND, body)
  const stored = await insertResource(push, USER_KIND, { id: uuidv7(push.at.getTime()), resource })
  const { after } = resourceChanges({}, resource)
  push.tell({ type: 'scim.user.pushed', subjectId: stored.id, data: { user: nameOf(resource) }, after })
  return stored
}

const change = async (push: Push, stored: StoredResource, resource: JsonObject): Promise<StoredResource> => {
  if (canonicalText(resource) === canonicalText(stored.resource)) return stored
  const updated = await updateResource(push, USER_KIND, { id: stored.id, resource })
  const { names, before, after } = resourceChanges(stored.resource, resource)
  const data = { user: nameOf(resource), changed: names.join(', ') }
  push.tell({ type: 'scim.user.changed', subjectId: stored.id, data, before, after })
  return updated
}

/** Puts a user in place of what they were (RFC 7644 section 3.5.1). Throws 400, 404, 409, 412. */
export const replaceUser = async (push: Push, wanted: Wanted, body: unknown): Promise<StoredResource> =>
  change(push, await existing(push, USER_KIND, wanted), readResource(USER_KIND, body))

/** Changes parts of a user (RFC 7644 section 3.5.2). Throws 400, 404, 409, 412. */
export const patchUser = async (push: Push, wanted: Wanted, body: unknown): Promise<StoredResource> => {
  const stored = await existing(push, USER_KIND, wanted)
  return change(push, stored, patchResource(USER_KIND, stored.resource, readPatch(USER_KIND, body)))
}

/** Removes a user, from their groups as well. Throws 404, 412. */
export const deleteUser = async (push: Push, wanted: Wanted): Promise<void> => {
  const { id, resource } = await existing(push, USER_KIND, wanted)
  await touchGroupsOf(push, id)
  await deleteResource(push, USER_KIND, id)
  const { before } = resourceChanges(resource, {})
  push.tell({ type: 'scim.user.removed', subjectId: id, data: { user: nameOf(resource) }, before })
}
