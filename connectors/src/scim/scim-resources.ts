import type { DialectSettings } from '@instep/contract/scim-dialects.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { AccountDocument } from '../kit/target.ts'
import { type Answer, type Asked, unproven } from './scim-answers.ts'

/** A SCIM resource as a target returned it. */
export type Resource = Readonly<Record<string, unknown>>
type MatchKey = DialectSettings['matchBy']

const COLLECTION: Asked = { method: 'GET', path: '/Users', account: false }

/** An id as it was sent; undefined for what is none. */
export const idText = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The id of a resource; undefined where it has none. */
export const idOf = (resource: Resource): string | undefined => idText(resource.id)

/** The version of what was answered: the header `ETag`, else `meta.version` (RFC 7644 section 3.14). */
export const etagOf = (answer: Answer): string | null => {
  const version = (answer.body?.meta as Resource | undefined)?.version
  const header = answer.headers.etag
  return typeof header === 'string' ? header : typeof version === 'string' ? version : null
}

/** The resources of a list answer, and how many there are in all. Throws TARGET_UNEXPECTED. */
export const readList = (answer: Answer, asked: Asked = COLLECTION): { resources: Resource[]; total: number } => {
  const total = Number(answer.body?.totalResults)
  const resources = answer.body?.Resources ?? []
  if (!Number.isInteger(total) || !Array.isArray(resources)) throw unproven(asked, 'notScim', 'no list')
  if (resources.some((resource) => resource === null || typeof resource !== 'object' || idOf(resource) === undefined)) {
    throw unproven(asked, 'notScim', 'an entry without an id')
  }
  return { resources, total }
}

/** The filter that asks for accounts with the key (RFC 7644 section 3.4.2.2). */
export const filterFor = (key: MatchKey, value: string): string => `${key === 'email' ? 'emails.value' : key} eq ${JSON.stringify(value)}`

/** What a resource has as its key: several texts where it has several email addresses. */
export const keysOf = (resource: Resource, key: MatchKey): string[] => {
  if (key !== 'email') return typeof resource[key] === 'string' ? [resource[key]] : []
  const emails = Array.isArray(resource.emails) ? resource.emails : []
  return emails.flatMap((email: unknown) => {
    const value = (email as Resource | null)?.value
    return typeof value === 'string' ? [value] : []
  })
}

/** The key that a document is found by: of several email addresses the first; empty where it has none. */
export const keyOf = (document: AccountDocument, key: MatchKey): string => keysOf(document, key)[0] ?? ''

/** External ids are compared as they are, user names and email addresses whatever their case (RFC 7643 sections 3.1 and 4.1.1). */
export const foldKey = (key: MatchKey, value: string): string => (key === 'externalId' ? value : value.toLowerCase())

/** The one resource that has the key. A target that ignores the filter must not be taken for one that knows nobody, or people would be made twice. */
export const pickMatch = (resources: readonly Resource[], key: MatchKey, value: string): Resource | undefined => {
  const has = (resource: Resource, fold: (text: string) => string) => keysOf(resource, key).some((own) => fold(own) === fold(value))
  const matches = resources.filter((resource) => has(resource, (text) => foldKey(key, text)))
  if (matches.length > 1) throw new ConnectorError({ code: 'TARGET_AMBIGUOUS', params: { key, value, count: matches.length } })
  if (matches[0]) return matches[0]
  if (!resources.every((resource) => has(resource, (text) => text.toLowerCase())))
    throw unproven(COLLECTION, 'filterIgnored', `the filter by ${key} is ignored`)
  return undefined
}
