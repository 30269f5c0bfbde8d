import type { Db } from '../../platform/db/database.ts'
import { bindFilter } from './bind-filter.rules.ts'
import { compileFilter } from './compile-filter.ts'
import { LIMITS } from './discovery.ts'
import { parseFilter } from './filter-text.rules.ts'
import { type BaseUrl, presentResources } from './present-resource.ts'
import { readProjection } from './projection.rules.ts'
import { listResources, type Place } from './resources.store.ts'
import { refuse } from './scim-error.ts'
import type { ResourceKind } from './scim-schemas.ts'

/** What a search says, in the query of a GET or the body of a POST to `.search` (RFC 7644 section 3.4); unknown members are passed over. */
export interface SearchRequest {
  readonly [name: string]: unknown
}

const DEFAULT_PAGE = 100
const FURTHEST = 2_000_000_000

const text = (request: SearchRequest, name: string): string | undefined => {
  const value = request[name]
  if (Array.isArray(value)) return value.map(String).join(',')
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

const whole = (request: SearchRequest, name: string): number | undefined => {
  const given = text(request, name)
  if (given === undefined) return undefined
  if (!/^[+-]?\d+$/.test(given)) throw refuse('invalidValue', `${name} must be a whole number.`)
  return Math.min(Number(given), FURTHEST)
}

/** What a list can be put in order by: what an index has in order already. */
const SORTS: Readonly<Record<ResourceKind['name'], Readonly<Record<string, 'id' | 'userName' | 'displayName'>>>> = {
  User: { id: 'id', 'meta.created': 'id', username: 'userName' },
  Group: { id: 'id', 'meta.created': 'id', displayname: 'displayName' },
}

const sortOf = (kind: ResourceKind, request: SearchRequest) => {
  const asked = text(request, 'sortBy')
  const sortBy = asked === undefined ? 'id' : SORTS[kind.name][asked.toLowerCase()]
  if (!sortBy) throw refuse('invalidPath', `Lists can be put in order by ${Object.keys(SORTS[kind.name]).join(', ')}.`)
  return { sortBy, descending: text(request, 'sortOrder')?.toLowerCase() === 'descending' && asked !== undefined }
}

/** The parameters by which an answer is cut to what the caller wants. */
export const projectionOf = (kind: ResourceKind, request: SearchRequest) =>
  readProjection(kind, { attributes: text(request, 'attributes'), excludedAttributes: text(request, 'excludedAttributes') })

/** A list answer (RFC 7644 section 3.4.2); pages are counted from 1, a negative or missing start is 1. Throws 400. */
export const searchResources = async (
  db: Db,
  kind: ResourceKind,
  { request, base, place }: { request: SearchRequest; base: BaseUrl; place: Place },
) => {
  const filter = text(request, 'filter')
  const condition = filter === undefined ? undefined : compileFilter(kind, bindFilter(kind, parseFilter(filter)))
  const startIndex = Math.max(whole(request, 'startIndex') ?? 1, 1)
  const limit = Math.min(Math.max(whole(request, 'count') ?? DEFAULT_PAGE, 0), LIMITS.page)
  const projection = projectionOf(kind, request)
  const { total, rows } = await listResources(db, kind, { ...place, condition, ...sortOf(kind, request), offset: startIndex - 1, limit })
  return listAnswer(await presentResources(db, kind, { rows, base, place, projection }), { total, startIndex })
}

/** Resources as a list answer. */
export const listAnswer = (resources: readonly object[], { total, startIndex }: { total: number; startIndex: number }) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})
