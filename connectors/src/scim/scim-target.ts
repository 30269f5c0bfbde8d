import type { AttributeRule } from '@instep/contract/attribute-rules.ts'
import { readGroupSettings } from '../kit/group-settings.ts'
import type { GroupingTarget } from '../kit/group-target.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { AccountDocument, AppliedAccount, Call, RemoteAccount, TargetProperties, TargetSecrets } from '../kit/target.ts'
import { createAccountIndex } from './account-index.ts'
import { compileRules } from './compile-rules.ts'
import { managedPart } from './managed-part.ts'
import { type Answer, type Asked, unproven } from './scim-answers.ts'
import { createScimClient, type ScimOptions } from './scim-client.ts'
import { documentOf, onlyKnown } from './scim-document.ts'
import { createScimGroups, type GroupExtension } from './scim-groups.ts'
import { etagOf, filterFor, foldKey, idOf, keyOf, keysOf, pickMatch, type Resource, readList } from './scim-resources.ts'
import { readScimSettings } from './scim-settings.ts'
import { createWriters } from './scim-writers.ts'

export type { ScimOptions }

/** How requests are made, and what of a person becomes which attribute where that is not the usual. */
export interface ScimTargetOptions extends ScimOptions {
  readonly rules?: readonly AttributeRule[] | undefined
  /** What the target knows of groups beyond SCIM. */
  readonly groupExtension?: GroupExtension
}

const PAGE = 100

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

const taken = (value: string): ConnectorError =>
  new ConnectorError({ code: 'TARGET_EXISTS', detail: `there is an account with the key ${value}` })

/**
 * A SCIM 2.0 target (RFC 7643, RFC 7644) for people and groups. Properties and secrets as in `scimDefinition`. Makes no request by itself.
 * Throws TARGET_SETTINGS_INVALID or TARGET_ADDRESS_REFUSED when the settings cannot be used.
 */
export const createScimTarget = (properties: TargetProperties, secrets: TargetSecrets, options: ScimTargetOptions = {}): GroupingTarget => {
  const settings = readScimSettings(properties, secrets)
  const { matchBy } = settings
  const client = createScimClient(settings, options)
  const rules = compileRules(options.rules ?? [])
  const managed = (resource: Resource) => onlyKnown(rules.managed(managedPart(resource), resource), settings)
  const groups = createScimGroups({ client, settings: readGroupSettings(properties), extension: options.groupExtension })
  const page = async (query: string, call: Call) => readList(await client.request({ method: 'GET', query, signal: call.signal }))

  const accountOf = (resource: Resource): RemoteAccount => {
    const version = (resource.meta as Resource | undefined)?.version
    return { remoteId: idOf(resource) ?? '', etag: typeof version === 'string' ? version : null, document: managed(resource) }
  }
  const pageFrom = async (startIndex: number, call: Call) => {
    const { resources, total } = await page(`startIndex=${startIndex}&count=${PAGE}`, call)
    const next = startIndex + resources.length
    return { resources, total, next: resources.length > 0 && next <= total ? next : null }
  }
  const findByKey = async (value: string, call: Call): Promise<Resource | undefined> => {
    // nobody has an empty key, whatever the target makes of such a filter
    if (value === '') return undefined
    const { resources } = await page(`filter=${encodeURIComponent(filterFor(matchBy, value))}`, call)
    return pickMatch(resources, matchBy, value)
  }
  const index = createAccountIndex({
    find: async (key, signal) => (await findByKey(key, signal ? { signal } : {})) !== undefined,
    page: async (startIndex) => {
      const { resources, total, next } = await pageFrom(startIndex, {})
      return {
        keys: resources.flatMap((resource) => keysOf(resource, matchBy)),
        ids: resources.flatMap((resource) => idOf(resource) ?? []),
        total,
        next,
      }
    },
    fold: (key) => foldKey(matchBy, key),
    now: options.now ?? (() => new Date()),
  })
  const create = async (document: AccountDocument, call: Call = {}): Promise<AppliedAccount> => {
    const key = settings.beforeCreate === 'look' ? keyOf(document, matchBy) : ''
    if (key !== '' && (await index.isTaken(key, call))) throw taken(key)
    const account = created(await client.request({ method: 'POST', body: document, signal: call.signal }), document)
    if (key !== '') index.add(key)
    return account
  }

  return {
    ...createWriters(client, settings, managed),
    groups,
    namesManagers: true,
    documentOf: (user) => onlyKnown(rules.apply(documentOf(user, settings), user), settings),
    check: async (call = {}) => {
      const { total } = await page('startIndex=1&count=1', call)
      return { detail: `SCIM 2.0, ${total} accounts` }
    },
    find: async (document, call = {}) => {
      const found = await findByKey(keyOf(document, matchBy), call)
      return found && accountOf(found)
    },
    create,
    delete: async (remoteId, call = {}) => {
      try {
        await client.request({ method: 'DELETE', remoteId, signal: call.signal })
      } catch (error) {
        if (!(error instanceof ConnectorError && error.code === 'TARGET_GONE')) throw error
      }
    },
    list: async (startIndex, call = {}) => {
      const { resources, total, next } = await pageFrom(startIndex, call)
      return { accounts: resources.map(accountOf), total, next }
    },
    close: () => client.close(),
  }
}
