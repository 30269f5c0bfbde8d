/** The accounts and groups that one company's workplace holds, and who is a member of what. */
import type { Journal } from '../journal.ts'
import { isObject, type Json, type JsonObject } from '../scim/read-document.ts'
import { GROUP_KIND, USER_KIND, WORKPLACE_GROUP_ID } from '../scim/schemas.ts'
import { ScimError } from '../scim/scim-error.ts'
import { openShelf, type Resource, type Shelf } from './shelf.ts'

export interface Directory {
  readonly users: Shelf
  readonly groups: Shelf
  /** The groups that an account is a member of. */
  groupsOf(userId: string): Resource[]
  /** Refuses members and admins that are no accounts of this workplace, and a privacy or post permission that it does not know. */
  refuseUnfitGroup(document: JsonObject): void
  /** Removes an account and its memberships. */
  removeUser(id: string): void
}

const idsIn = (list: Json | undefined): string[] => {
  if (!Array.isArray(list)) return []
  return list.flatMap((each) => (isObject(each) && typeof each.value === 'string' ? [each.value] : []))
}

const memberIds = (document: JsonObject): string[] => idsIn(document.members)

/** A group's document without an account, be it a member or an admin; the same one when it was neither. */
const without = (document: JsonObject, id: string): JsonObject => {
  const held = document[WORKPLACE_GROUP_ID]
  const extension = isObject(held) ? held : {}
  if (!memberIds(document).includes(id) && !idsIn(extension.admins).includes(id)) return document
  const rid = (list: Json | undefined): Json | undefined => {
    const left = Array.isArray(list) ? list.filter((each) => !isObject(each) || each.value !== id) : []
    return left.length > 0 ? left : undefined
  }
  const { members, ...rest } = document
  const extended = isObject(held) && { [WORKPLACE_GROUP_ID]: { ...extension, admins: rid(extension.admins) } }
  return { ...rest, members: rid(members), ...extended }
}

const CHOICES = { privacy: ['open', 'closed', 'secret'], postPermission: ['members', 'admins'] }

const refuseUnknownChoice = (extension: JsonObject) => {
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = extension[name]
    if (value !== undefined && !choices.includes(String(value)))
      throw new ScimError(400, `${name} must be ${choices.join(' or ')}.`, 'invalidValue')
  }
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
    refuseUnfitGroup: (document) => {
      const held = document[WORKPLACE_GROUP_ID]
      const extension = isObject(held) ? held : {}
      refuseUnknownChoice(extension)
      const unknown = [...memberIds(document), ...idsIn(extension.admins)].find((id) => !users.get(id))
      if (unknown !== undefined) throw new ScimError(400, `There is no account "${unknown}" to be a member.`, 'invalidValue')
    },
    removeUser: (id) => {
      for (const { id: groupId, document } of users.get(id) ? [...groups.all()] : []) {
        const left = without(document, id)
        if (left !== document) groups.replace(groupId, left)
      }
      users.remove(id)
      memberships.delete(id)
    },
  }
}
