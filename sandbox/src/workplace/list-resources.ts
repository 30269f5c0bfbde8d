/** Lists of a shelf: filtered, and one page of them. */
import { type Filter, matches, parseFilter } from '../scim/filter.ts'
import type { JsonObject } from '../scim/read-document.ts'
import { ScimError } from '../scim/scim-error.ts'
import { MAX_RESULTS } from './discovery.ts'
import type { Resource, Shelf } from './shelf.ts'

export interface ListQuery {
  readonly filter?: string | undefined
  /** From 1; less counts as 1. */
  readonly startIndex?: string | undefined
  readonly count?: string | undefined
}

export interface ResourcePage {
  readonly totalResults: number
  readonly startIndex: number
  readonly resources: readonly Resource[]
}

const DEFAULT_COUNT = 100

const whole = (value: string | undefined, absent: number, name: string): number => {
  if (value === undefined || value === '') return absent
  if (!/^-?\d{1,9}$/.test(value)) throw new ScimError(400, `${name} must be a whole number.`, 'invalidValue')
  return Number(value)
}

/** `userName eq "…"` and its like are looked up; everything else looks at each resource. */
const indexed = (shelf: Shelf, filter: Filter): readonly Resource[] | undefined => {
  if (filter.type !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return undefined
  const attribute = filter.path.toLowerCase().replace(`${shelf.kind.core.id.toLowerCase()}:`, '')
  if (attribute === 'id') {
    const found = shelf.get(filter.value)
    return found ? [found] : []
  }
  return shelf.lookUp(attribute, filter.value)
}

const filtered = (shelf: Shelf, filter: Filter, present: (resource: Resource) => JsonObject): readonly Resource[] => {
  const found = indexed(shelf, filter)
  if (found) return found
  return [...shelf.all()].filter((resource) => matches(filter, present(resource)))
}

const slice = (resources: Iterable<Resource>, from: number, count: number): Resource[] => {
  const page: Resource[] = []
  let index = 0
  for (const resource of resources) {
    index += 1
    if (index < from) continue
    if (page.length >= count) break
    page.push(resource)
  }
  return page
}

/** One page in the order of creation. `present` gives what a filter looks at. Refuses a filter it cannot read. */
export const listResources = (shelf: Shelf, query: ListQuery, present: (resource: Resource) => JsonObject): ResourcePage => {
  const startIndex = Math.max(1, whole(query.startIndex, 1, 'startIndex'))
  const count = Math.min(MAX_RESULTS, Math.max(0, whole(query.count, DEFAULT_COUNT, 'count')))
  if (query.filter === undefined || query.filter.trim() === '') {
    return { totalResults: shelf.size(), startIndex, resources: slice(shelf.all(), startIndex, count) }
  }
  const found = filtered(shelf, parseFilter(query.filter), present)
  return { totalResults: found.length, startIndex, resources: slice(found, startIndex, count) }
}
