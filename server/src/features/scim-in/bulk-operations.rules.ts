import { isObject, type Json, type JsonObject } from './json.ts'
import { refuse } from './scim-error.ts'

/** One operation of a bulk request (RFC 7644 section 3.7). */
export interface BulkOperation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly endpoint: '/Users' | '/Groups'
  /** Of the resource; absent with POST. It may be `bulkId:…`. */
  readonly id: string | undefined
  readonly bulkId: string | undefined
  readonly version: string | undefined
  readonly data: Json
  /** Bulk ids that it names, in its path or data. */
  readonly needs: readonly string[]
}

export interface BulkRequest {
  /** After how many failures no more is done; Infinity where it is not said. */
  readonly failOnErrors: number
  /** An operation that cannot be read is its own failure. */
  readonly operations: readonly (BulkOperation | Error)[]
}

const REFERENCE = /^bulkId:(.+)$/

const referencesOf = (value: Json): string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesOf)
  if (isObject(value)) return Object.values(value).flatMap(referencesOf)
  const name = typeof value === 'string' ? REFERENCE.exec(value)?.[1] : undefined
  // a filter may hold one too: members[value eq "bulkId:x"]
  const inner =
    typeof value === 'string' && name === undefined ? [...value.matchAll(/"bulkId:([^"]+)"/g)].map(([, found = '']) => found) : []
  return name === undefined ? inner : [name]
}

/** The same with ids in place of bulk ids. */
export const resolveReferences = (value: Json, ids: ReadonlyMap<string, string>): Json => {
  if (Array.isArray(value)) return value.map((each: Json) => resolveReferences(each, ids))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolveReferences(each, ids)]))
  if (typeof value !== 'string') return value
  const name = REFERENCE.exec(value)?.[1]
  if (name !== undefined) return ids.get(name) ?? value
  return value.replace(/"bulkId:([^"]+)"/g, (whole, inner: string) => (ids.has(inner) ? `"${ids.get(inner)}"` : whole))
}

const textOf = (operation: JsonObject, name: string): string | undefined => {
  const value = operation[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw refuse('invalidSyntax', `${name} must be a text.`)
  return value
}

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

const readOperation = (given: Json): BulkOperation => {
  if (!isObject(given)) throw refuse('invalidSyntax', 'An operation must be an object.')
  const method = METHODS.find((one) => one === textOf(given, 'method')?.toUpperCase())
  if (!method) throw refuse('invalidSyntax', 'method must be POST, PUT, PATCH or DELETE.')
  const [, endpoint, id] = /^(\/Users|\/Groups)(?:\/([^/]+))?$/.exec(textOf(given, 'path') ?? '') ?? []
  if (endpoint === undefined || (method === 'POST') !== (id === undefined))
    throw refuse('invalidSyntax', 'path must be /Users or /Groups, followed by an id for all but POST.')
  const bulkId = textOf(given, 'bulkId')
  if (method === 'POST' && !bulkId) throw refuse('invalidSyntax', 'POST needs a bulkId.')
  const data = given['data'] ?? null
  const needs = [...referencesOf(data), ...(id === undefined ? [] : referencesOf(id))]
  return { method, endpoint: endpoint as BulkOperation['endpoint'], id, bulkId, version: textOf(given, 'version'), data, needs }
}

/** Reads a bulk request. Throws `invalidSyntax` where it is none. */
export const readBulk = (body: unknown): BulkRequest => {
  const list = isObject(body) ? Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1] : undefined
  if (!isObject(body) || !Array.isArray(list)) throw refuse('invalidSyntax', 'Operations must be a list.')
  const limit = body['failOnErrors'] ?? null
  if (limit !== null && (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1))
    throw refuse('invalidSyntax', 'failOnErrors must be a whole number from 1.')
  const operations = list.map((each: Json) => {
    try {
      return readOperation(each)
    } catch (error) {
      return error as Error
    }
  })
  return { failOnErrors: limit ?? Number.POSITIVE_INFINITY, operations }
}
