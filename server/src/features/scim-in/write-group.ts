import { uuidv7 } from '../../platform/ids.ts'
import { canonicalText, type JsonObject } from './json.ts'
import { type MemberStep, memberIds, memberStep } from './member-steps.rules.ts'
import { addMembers, findMissingUser, removeMembers } from './memberships.store.ts'
import { readPatch } from './patch-operations.rules.ts'
import { patchResource } from './patch-resource.rules.ts'
import type { Push } from './push.ts'
import { readResource } from './read-resource.rules.ts'
import { resourceChanges } from './resource-changes.rules.ts'
import { deleteResource, insertResource, type StoredResource, updateResource } from './resources.store.ts'
import { refuse } from './scim-error.ts'
import { GROUP_KIND } from './scim-schemas.ts'
import { existing, type Wanted } from './wanted-resource.ts'

const nameOf = (resource: JsonObject): string => String(resource['displayName'])

/** The group itself, and who it says is in it. */
const readGroup = (body: unknown): { resource: JsonObject; users: string[] } => {
  const { members, ...resource } = readResource(GROUP_KIND, body)
  return { resource, users: memberIds(members) }
}

interface Moved {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Carries out the steps one after the other and tells who is in the group now and was not, and the other way round. */
const moveMembers = async (push: Push, group: string, steps: readonly MemberStep[]): Promise<Moved> => {
  const [added, removed] = [new Set<string>(), new Set<string>()]
  const come = (ids: readonly string[]) => {
    for (const id of ids) if (!removed.delete(id)) added.add(id)
  }
  const go = (ids: readonly string[]) => {
    for (const id of ids) if (!added.delete(id)) removed.add(id)
  }
  for (const { op, users } of steps) {
    if (op !== 'add') go(await removeMembers(push, group, { users, except: op === 'keep' }))
    if (op === 'remove' || users.length === 0) continue
    const missing = await findMissingUser(push, users)
    if (missing !== undefined) throw refuse('invalidValue', `members: no user has the id "${missing}".`)
    come(await addMembers(push, group, users))
  }
  return { added: [...added], removed: [...removed] }
}

const told = (resource: JsonObject, { added, removed }: Moved) => ({
  group: nameOf(resource),
  added: added.length,
  removed: removed.length,
})

/** Adds a group with its members. Throws 400. */
export const createGroup = async (push: Push, body: unknown): Promise<StoredResource> => {
  const { resource, users } = readGroup(body)
  const stored = await insertResource(push, GROUP_KIND, { id: uuidv7(push.at.getTime()), resource })
  const moved = await moveMembers(push, stored.id, [{ op: 'add', users }])
  const { after } = resourceChanges({}, resource)
  push.tell({ type: 'scim.group.pushed', subjectId: stored.id, data: told(resource, moved), after: { ...after, members: moved.added } })
  return stored
}

const change = async (push: Push, stored: StoredResource, next: { resource: JsonObject; steps: readonly MemberStep[] }) => {
  const moved = await moveMembers(push, stored.id, next.steps)
  const stays = moved.added.length === 0 && moved.removed.length === 0
  if (stays && canonicalText(next.resource) === canonicalText(stored.resource)) return stored
  const updated = await updateResource(push, GROUP_KIND, { id: stored.id, resource: next.resource })
  const { names, before, after } = resourceChanges(stored.resource, next.resource)
  const changed = [...names, ...(stays ? [] : ['members'])].join(', ')
  push.tell({
    type: 'scim.group.changed',
    subjectId: stored.id,
    data: { ...told(next.resource, moved), changed },
    before: { ...before, ...(stays ? {} : { members: moved.removed }) },
    after: { ...after, ...(stays ? {} : { members: moved.added }) },
  })
  return updated
}

/** Puts a group in place of what it was, members included (RFC 7644 section 3.5.1). Throws 400, 404, 412. */
export const replaceGroup = async (push: Push, wanted: Wanted, body: unknown): Promise<StoredResource> => {
  const stored = await existing(push, GROUP_KIND, wanted)
  const { resource, users } = readGroup(body)
  return change(push, stored, { resource, steps: [{ op: 'keep', users }] })
}

/** Changes parts of a group (RFC 7644 section 3.5.2); only the named members are looked at. Throws 400, 404, 412. */
export const patchGroup = async (push: Push, wanted: Wanted, body: unknown): Promise<StoredResource> => {
  const stored = await existing(push, GROUP_KIND, wanted)
  const steps = readPatch(GROUP_KIND, body)
  const ofMembers = steps.filter(({ path }) => path.attribute?.name === 'members')
  const others = steps.filter((step) => !ofMembers.includes(step))
  const resource = patchResource(GROUP_KIND, stored.resource, others)
  return change(push, stored, { resource, steps: ofMembers.map(memberStep) })
}

/** Removes a group; its members stay. Throws 404, 412. */
export const deleteGroup = async (push: Push, wanted: Wanted): Promise<void> => {
  const { id, resource } = await existing(push, GROUP_KIND, wanted)
  await deleteResource(push, GROUP_KIND, id)
  const { before } = resourceChanges(resource, {})
  push.tell({ type: 'scim.group.removed', subjectId: id, data: { group: nameOf(resource) }, before })
}
