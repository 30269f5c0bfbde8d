import type { Filter } from './filter-text.rules.ts'
import { isObject, type Json } from './json.ts'
import type { PatchStep } from './patch-operations.rules.ts'
import { isResourceId } from './resource-id.rules.ts'
import { refuse } from './scim-error.ts'

/** One change of who is in a group. */
export interface MemberStep {
  /** `keep`: everybody else leaves, and those given come. */
  readonly op: 'add' | 'remove' | 'keep'
  readonly users: readonly string[]
}

/** Ids of users in a list of members, each `{ "value": id }` or the id alone. Throws `invalidValue`. */
export const memberIds = (value: Json | undefined): string[] => {
  const list: readonly Json[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  const ids = list.map((each) => {
    const member = isObject(each) ? Object.entries(each).find(([name]) => name.toLowerCase() === 'value')?.[1] : each
    const id = String(member ?? '').toLowerCase()
    if (!isResourceId(id)) throw refuse('invalidValue', `members: no user has the id "${id.slice(0, 100)}".`)
    return id
  })
  return [...new Set(ids)]
}

/** `members[value eq "…"]`, several of them joined by `or`. */
const idsOfFilter = (filter: Filter): string[] => {
  if (filter.type === 'or') return [...idsOfFilter(filter.left), ...idsOfFilter(filter.right)]
  if (filter.type !== 'compare' || filter.operator !== 'eq' || filter.path.toLowerCase() !== 'value')
    throw refuse('invalidFilter', 'members can only be chosen by the value that they equal.')
  const id = String(filter.value).toLowerCase()
  // whoever is not in the group need not leave it
  return isResourceId(id) ? [id] : []
}

/** What a step at `members` does. Throws `invalidPath`, `invalidFilter`, `invalidValue`. */
export const memberStep = ({ op, path, value }: PatchStep): MemberStep => {
  if (path.part) throw refuse('invalidPath', 'Parts of a member cannot be changed; add or remove the member.')
  if (path.filter) {
    if (op !== 'remove') throw refuse('invalidPath', 'Members can be chosen by a filter only to remove them.')
    return { op, users: idsOfFilter(path.filter) }
  }
  if (op === 'add') return { op, users: memberIds(value) }
  if (op === 'replace' || value === undefined || value === null) return { op: 'keep', users: memberIds(value) }
  return { op, users: memberIds(value) }
}
