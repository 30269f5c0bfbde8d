import { readGroupSettings } from '../kit/group-settings.ts'
import type { GroupingTarget } from '../kit/group-target.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { AccountDocument, AppliedAccount, Call, RemoteAccount, TargetProperties, TargetSecrets, UpdateCall } from '../kit/target.ts'
import { managedPart } from './managed-part.ts'
import { patchOperations } from './patch-operations.ts'
import { type Answer, type Asked, unproven } from './scim-answers.ts'
import { createScimClient, type ScimClient, type ScimOptions } from './scim-client.ts'
import { documentOf } from './scim-document.ts'
import { createScimGroups } from './scim-groups.ts'
import { readScimSettings, type ScimSettings } from './scim-settings.ts'

export type { ScimOptions }

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const PAGE = 100

type Resource = Readonly<Record<string, unknown>>

const idOf = (resource: Resource): string | undefined => {
  if (typeof resource.id === 'number') return String(resource.id)
  return typeof resource.id === 'string' && resource.id !== '' ? resource.id : undefined
}

const etagOf = (answer: Answer): string | null => {
  const version = (answer.body?.meta as Resource | undefined)?.version
  const header = answer.headers.etag
  return typeof header === 'string' ? header : typeof version === 'string' ? version : null
}

const collection: Asked = { method: 'GET', path: '/Users', account: false }

/** The accounts of a list answer, and how many there are in all. Throws TARGET_UNEXPECTED. */
const readList = (answer: Answer): { resources: Resource[]; total: number } => {
  const total = Number(answer.body?.totalResults)
  const resources = answer.body?.Resources ?? []
  if (!Number.isInteger(total) || !Array.isArray(resources)) throw unproven(collection, 'notScim', 'no list of accounts')
  if (resources.some((resource) => resource === null || typeof resource !== 'object' || idOf(resource) === undefined)) {
    throw unproven(collection, 'notScim', 'an account without an id')
  }
  return { resources, total }
}

const accountOf = (resource: Resource): RemoteAccount => {
  const version = (resource.meta as Resource | undefined)?.version
  return { remoteId: idOf(resource) ?? '', etag: typeof version === 'string' ? version : null, document: managedPart(resource) }
}

/** User names are the same whatever their case, external ids are not (RFC 7643). */
const sameKey = (key: ScimSettings['matchBy'], a: string, b: string): boolean =>
  key === 'userName' ? a.toLowerCase() === b.toLowerCase() : a === b

/** The one account that has the key. A target that ignores the filter must not be taken for one that knows nobody, or people would be made twice. */
const pickMatch = (resources: readonly Resource[], key: ScimSettings['matchBy'], value: string): RemoteAccount | undefined => {
  const matches = resources.filter((resource) => sameKey(key, String(resource[key] ?? ''), value))
  if (matches.length > 1) throw new ConnectorError({ code: 'TARGET_AMBIGUOUS', params: { key, value, count: matches.length } })
  if (matches[0]) return accountOf(matches[0])
  const near = resources.every((resource) => String(resource[key] ?? '').toLowerCase() === value.toLowerCase())
  if (!near) throw unproven(collection, 'filterIgnored', `the filter by ${key} is ignored`)
  return undefined
}

/** Checks that a write was answered for this very account; 204 has nothing to check. */
const confirm = (remoteId: string, answer: Answer, method: 'PATCH' | 'PUT'): AppliedAccount => {
  const asked: Asked = { method, path: '/Users/{id}', account: true }
  if (answer.status !== 204) {
    if (!answer.body) throw unproven(asked, 'notJson', 'an empty answer')
    if (idOf(answer.body) !== remoteId) throw unproven(asked, 'wrongId', 'an answer about another account')
  }
  return { remoteId, etag: etagOf(answer) }
}

const created = (answer: Answer, document: AccountDocument): AppliedAccount => {
  const asked: Asked = { method: 'POST', path: '/Users', account: false }
  const remoteId = answer.body && idOf(answer.body)
  if (!answer.body || remoteId === undefined) throw unproven(asked, 'noId', 'an answer without an id')
  const { externalId } = answer.body
  if (typeof externalId === 'string' && document.externalId !== undefined && externalId !== document.externalId) {
    throw unproven(asked, 'wrongId', 'an answer about another account')
  }
  return { remoteId, etag: etagOf(answer) }
}

const keyOf = (document: AccountDocument, settings: ScimSettings): string => String(document[settings.matchBy] ?? '')

/** The calls that change an account which is there already. */
const writers = (client: ScimClient, settings: ScimSettings) => {
  const read = async (remoteId: string, call: Call): Promise<AccountDocument> => {
    const answer = await client.request({ method: 'GET', remoteId, signal: call.signal })
    const asked: Asked = { method: 'GET', path: '/Users/{id}', account: true }
    if (!answer.body || idOf(answer.body) !== remoteId) throw unproven(asked, 'wrongId', 'an answer about another account')
    return managedPart(answer.body)
  }
  const patch = async (remoteId: string, operations: readonly unknown[], call: Call): Promise<AppliedAccount> => {
    const body = { schemas: [PATCH_SCHEMA], Operations: operations }
    return confirm(remoteId, await client.request({ method: 'PATCH', remoteId, body, signal: call.signal }), 'PATCH')
  }
  const put = async (remoteId: string, document: AccountDocument, call: Call): Promise<AppliedAccount> => {
    const body = { ...document, id: remoteId }
    return confirm(remoteId, await client.request({ method: 'PUT', remoteId, body, signal: call.signal }), 'PUT')
  }
  const update = async (remoteId: string, document: AccountDocument, call: UpdateCall = {}): Promise<AppliedAccount> => {
    if (settings.updateMethod === 'PUT' && !call.before) return put(remoteId, document, call)
    const operations = patchOperations(call.before ?? (await read(remoteId, call)), document)
    if (operations.length === 0) return { remoteId, etag: null }
    return settings.updateMethod === 'PUT' ? put(remoteId, document, call) : patch(remoteId, operations, call)
  }
  const deactivate = async (remoteId: string, call: UpdateCall = {}): Promise<AppliedAccount> => {
    if (settings.updateMethod === 'PATCH') return patch(remoteId, [{ op: 'replace', path: 'active', value: false }], call)
    return put(remoteId, { ...(call.before ?? (await read(remoteId, call))), active: false }, call)
  }
  return { update, deactivate }
}

/**
 * A SCIM 2.0 target (RFC 7643, RFC 7644) for people and groups. Properties and secrets as in `scimDefinition`. Makes no request by itself.
 * Throws TARGET_SETTINGS_INVALID or TARGET_ADDRESS_REFUSED when the settings cannot be used.
 */
export const createScimTarget = (properties: TargetProperties, secrets: TargetSecrets, options: ScimOptions = {}): GroupingTarget => {
  const settings = readScimSettings(properties, secrets)
  const client = createScimClient(settings, options)
  const groups = createScimGroups({ client, settings: readGroupSettings(properties) })
  const page = async (query: string, call: Call) => readList(await client.request({ method: 'GET', query, signal: call.signal }))

  return {
    ...writers(client, settings),
    groups,
    leaver: settings.leaver,
    documentOf: (user) => documentOf(user, settings),
    check: async (call = {}) => {
      const { total } = await page('startIndex=1&count=1', call)
      return { detail: `SCIM 2.0, ${total} accounts` }
    },
    find: async (document, call = {}) => {
      const value = keyOf(document, settings)
      const { resources } = await page(`filter=${encodeURIComponent(`${settings.matchBy} eq ${JSON.stringify(value)}`)}`, call)
      return pickMatch(resources, settings.matchBy, value)
    },
    create: async (document, call = {}) => created(await client.request({ method: 'POST', body: document, signal: call.signal }), document),
    delete: async (remoteId, call = {}) => {
      try {
        await client.request({ method: 'DELETE', remoteId, signal: call.signal })
      } catch (error) {
        if (!(error instanceof ConnectorError && error.code === 'TARGET_GONE')) throw error
      }
    },
    list: async (startIndex, call = {}) => {
      const { resources, total } = await page(`startIndex=${startIndex}&count=${PAGE}`, call)
      const next = startIndex + resources.length
      return { accounts: resources.map(accountOf), total, next: resources.length > 0 && next <= total ? next : null }
    },
    close: () => client.close(),
  }
}
