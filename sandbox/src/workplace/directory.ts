/** The accounts and groups that one company's workplace holds, and who is a member of what. */
import type { Journal } from '../journal.ts'
import { isObject, type JsonObject } from '../scim/read-document.ts'
import { GROUP_KIND, USER_KIND } from '../scim/schemas.ts'
import { ScimError } from '../scim/scim-error.ts'
import { openShelf, type Resource, type Shelf } from './shelf.ts'

export interface Directory {
  readonly users: Shelf
  readonly groups: Shelf
  /** The groups that an account is a member of. */
  groupsOf(userId: string): Resource[]
  /** Refuses members that are no accounts of this workplace. */
  refuseUnknownMembers(document: JsonObject): void
  /** Removes an account and its memberships. */
  removeUser(id: string): void
}

const memberIds = (document: JsonObject): string[] => {
  const { members } = document
  if (!Array.isArray(members)) return []
  return members.flatMap((each) => (isObject(each) && typeof each.value === 'string' ? [each.value] : []))
}

/** A shelf that tells of each document which it puts on (after) or takes off (before). */
const watched = (shelf: Shelf, told: (id: string, before: JsonObject | undefined, after: JsonObject | undefined) => void): Shelf => ({
  ...shelf,
  create: (document) => {
    const made = shelf.create(document)
    told(made.id, undefined, made.document)
    return made
  },
  replace: (id, document) => {
    const before = shelf.get(id)?.document
    const after = shelf.replace(id, document)
    told(id, before, after.document)
    return after
  },
  remove: (id) => {
    const before = shelf.get(id)?.document
    shelf.remove(id)
    told(id, before, undefined)
  },
})

/** Opens one company's accounts and groups. */
export const openDirectory = (company: string, world: { journal: Journal; now: () => Date }): Directory => {
  const users = openShelf(USER_KIND, company, world)
  const memberships = new Map<string, Set<string>>()
  const tell = (groupId: string, before: JsonObject | undefined, after: JsonObject | undefined) => {
    for (const id of before ? memberIds(before) : []) memberships.get(id)?.delete(groupId)
    for (const id of after ? memberIds(after) : []) memberships.set(id, (memberships.get(id) ?? new Set()).add(groupId))
  }
  const groups = watched(openShelf(GROUP_KIND, company, world), tell)
  for (const group of groups.all()) tell(group.id, undefined, group.document)
  const groupsOf = (userId: string) => [...(memberships.get(userId) ?? [])].flatMap((id) => groups.get(id) ?? [])
  return {
    users,
    groups,
    groupsOf,
    refuseUnknownMembers: (document) => {
      const unknown = memberIds(document).find((id) => !users.get(id))
      if (unknown !== undefined) throw new ScimError(400, `There is no account "${unknown}" to be a member.`, 'invalidValue')
    },
    removeUser: (id) => {
      for (const group of users.get(id) ? groupsOf(id) : []) {
        const { members, ...rest } = group.document
        const left = Array.isArray(members) ? members.filter((each) => !isObject(each) || each.value !== id) : []
        groups.replace(group.id, left.length > 0 ? { ...rest, members: left } : rest)
      }
      users.remove(id)
      memberships.delete(id)
    },
  }
}
