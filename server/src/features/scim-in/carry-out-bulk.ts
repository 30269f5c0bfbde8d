import { type BulkOperation, type BulkRequest, resolveReferences } from './bulk-operations.rules.ts'
import type { Json } from './json.ts'
import { type BaseUrl, locationOf } from './present-resource.ts'
import type { Push } from './push.ts'
import type { StoredResource } from './resources.store.ts'
import { errorBody, ScimError } from './scim-error.ts'
import { GROUP_KIND, type ResourceKind, USER_KIND } from './scim-schemas.ts'
import { etagOf } from './wanted-resource.ts'
import { createGroup, deleteGroup, patchGroup, replaceGroup } from './write-group.ts'
import { createUser, deleteUser, patchUser, replaceUser } from './write-user.ts'

/** The writes of a kind of resource, by method. */
export const WRITES = {
  User: { POST: createUser, PUT: replaceUser, PATCH: patchUser, DELETE: deleteUser },
  Group: { POST: createGroup, PUT: replaceGroup, PATCH: patchGroup, DELETE: deleteGroup },
} as const

/** What became of one operation. */
interface Outcome {
  readonly status: string
  readonly [member: string]: unknown
}

const kindAt = (endpoint: BulkOperation['endpoint']): ResourceKind => (endpoint === '/Users' ? USER_KIND : GROUP_KIND)

const perform = async (push: Push, operation: BulkOperation, ids: ReadonlyMap<string, string>): Promise<StoredResource | undefined> => {
  const { method, endpoint, id, version } = operation
  const writes = WRITES[kindAt(endpoint).name]
  const data = resolveReferences(operation.data, ids)
  if (method === 'POST') return writes.POST(push, data)
  const wanted = { id: String(resolveReferences(id ?? '', ids)), ifMatch: version }
  if (method !== 'DELETE') return writes[method](push, wanted, data)
  await writes.DELETE(push, wanted)
  return undefined
}

/** What an operation was about, in its outcome; a POST that failed made nothing that could be named (RFC 7644 section 3.7). */
const describe = (base: BaseUrl, { method, endpoint, bulkId }: BulkOperation, resource: string | undefined): Omit<Outcome, 'status'> => ({
  method,
  ...(bulkId ? { bulkId } : {}),
  ...(resource === undefined ? {} : { location: locationOf(base, kindAt(endpoint), resource) }),
})

const failure = (told: Omit<Outcome, 'status'>, error: ScimError): Outcome => ({
  ...told,
  status: String(error.status),
  response: errorBody(error.status, error.message, error.scimType),
})

const success = (told: Omit<Outcome, 'status'>, method: BulkOperation['method'], stored: StoredResource | undefined): Outcome => ({
  ...told,
  ...(stored ? { version: etagOf(stored.version) } : {}),
  status: method === 'POST' ? '201' : method === 'DELETE' ? '204' : '200',
})

const UNRESOLVED = new ScimError(409, 'It needs a resource of this request that was not made.', 'invalidValue')

/**
 * Carries out a bulk request in the order in which its references allow: what needs a resource of the same request waits until it is made, and fails
 * when it never is. Each operation is refused on its own. Answers the outcomes in the order of the request; those that `failOnErrors` kept from being
 * tried are not among them.
 */
export const carryOutBulk = async (push: Push, { operations, failOnErrors }: BulkRequest, base: BaseUrl): Promise<Outcome[]> => {
  const outcomes: (Outcome | undefined)[] = operations.map(() => undefined)
  const ids = new Map<string, string>()
  let failed = 0
  /** The id of what an operation names; undefined where that was not made. */
  const idOf = ({ id }: BulkOperation): string | undefined => {
    const resolved = id === undefined ? undefined : String(resolveReferences(id, ids))
    return resolved?.startsWith('bulkId:') ? undefined : resolved
  }
  const tryOut = async (operation: BulkOperation | Error): Promise<Outcome> => {
    try {
      if (operation instanceof Error) throw operation
      if (operation.needs.some((name) => !ids.has(name))) throw UNRESOLVED
      const stored = await push.attempt(() => perform(push, operation, ids))
      if (stored && operation.bulkId) ids.set(operation.bulkId, stored.id)
      return success(describe(base, operation, stored?.id ?? idOf(operation)), operation.method, stored)
    } catch (error) {
      if (!(error instanceof ScimError)) throw error
      failed += 1
      return failure(operation instanceof Error ? {} : describe(base, operation, idOf(operation)), error)
    }
  }
  const isReady = (operation: BulkOperation | Error) => operation instanceof Error || operation.needs.every((name) => ids.has(name))
  let waiting = operations.map((operation, index) => ({ operation, index }))
  while (waiting.length > 0 && failed < failOnErrors) {
    const held: typeof waiting = []
    const stuck = !waiting.some(({ operation }) => isReady(operation))
    for (const one of waiting) {
      if (failed >= failOnErrors) break
      if (stuck || isReady(one.operation)) outcomes[one.index] = await tryOut(one.operation)
      else held.push(one)
    }
    waiting = held
  }
  return outcomes.filter((outcome) => outcome !== undefined)
}

/** The answer to a bulk request. */
export const bulkAnswer = (outcomes: readonly Outcome[]): { [name: string]: Json | readonly Outcome[] } => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'],
  Operations: outcomes,
})
