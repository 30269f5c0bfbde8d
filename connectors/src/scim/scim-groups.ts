import { isDeepStrictEqual } from 'node:util'
import type { GroupSettings } from '../kit/group-settings.ts'
import type { GroupDocument, GroupTarget, GroupUpdateCall, RemoteGroup, WantedGroup } from '../kit/group-target.ts'
import { ConnectorError } from '../kit/problem.ts'
import type { AppliedAccount, Call } from '../kit/target.ts'
import { asMembers } from './attribute-path.ts'
import { type Answer, type Asked, unproven } from './scim-answers.ts'
import type { ScimClient } from './scim-client.ts'
import { etagOf, idOf, idText, readList } from './scim-resources.ts'
import { PATCH_SCHEMA } from './scim-writers.ts'

export const CORE_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const GROUPS = '/Groups'
const COLLECTION: Asked = { method: 'GET', path: GROUPS, account: false }
const ONE: Asked = { method: 'GET', path: `${GROUPS}/{id}`, account: true }
/** A target may answer a change with all members of the group, whatever it was asked. */
const ANSWER_LIMIT = 67_108_864
/** Members are read where they are asked for; elsewhere a large group would be sent back with every change. */
const WITHOUT_MEMBERS = 'excludedAttributes=members'

type Members = Readonly<Record<string, unknown>>

/** An extension of the group schema that some target has. */
export interface GroupExtension {
  readonly schema: string
  /** What of a group stands in the extension; what is absent is left out. */
  of(group: WantedGroup): Members
  /** What of a remote extension is ours to manage, in the shape of `of`. */
  managed(remote: Members): Members
}

const present = (members: Members): Members => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** The changes that turn one document into the other, attribute by attribute; members are none of them. */
const operationsOf = (before: GroupDocument, after: GroupDocument, extension: GroupExtension | undefined): Members[] => {
  const changes = (from: Members, to: Members, prefix: string): Members[] =>
    [...new Set([...Object.keys(from), ...Object.keys(to)])]
      .filter((name) => name !== 'schemas' && name !== extension?.schema && !isDeepStrictEqual(from[name], to[name]))
      .map((name) => {
        const path = prefix + name
        return to[name] === undefined ? { op: 'remove', path } : { op: 'replace', path, value: to[name] }
      })
  const extended = extension ? changes(asMembers(before[extension.schema]), asMembers(after[extension.schema]), `${extension.schema}:`) : []
  return [...changes(before, after, ''), ...extended]
}

const documents = (extension: GroupExtension | undefined) => {
  const compose = (core: Members, extended: Members | undefined): GroupDocument => {
    const used = extension && extended && Object.keys(extended).length > 0 ? { [extension.schema]: extended } : {}
    return { schemas: [CORE_GROUP, ...Object.keys(used)], ...present(core), ...used }
  }
  return {
    documentOf: (group: WantedGroup): GroupDocument =>
      compose({ externalId: group.externalId, displayName: group.name }, extension && present(extension.of(group))),
    managed: (resource: Members): GroupDocument =>
      compose(
        { externalId: idText(resource.externalId), displayName: resource.displayName },
        extension && present(extension.managed(asMembers(resource[extension.schema]))),
      ),
  }
}

/** The one group of the name. A target that ignores the filter must not be taken for one that has no such group. */
const pickGroup = (groups: readonly Members[], name: string): Members | undefined => {
  const matches = groups.filter((group) => String(group.displayName ?? '').toLowerCase() === name.toLowerCase())
  if (matches.length > 1)
    throw new ConnectorError({ code: 'TARGET_AMBIGUOUS', params: { key: 'displayName', value: name, count: matches.length } })
  if (matches.length === 0 && groups.length > 0) throw unproven(COLLECTION, 'filterIgnored', 'the filter by displayName is ignored')
  return matches[0]
}

const confirm = (remoteId: string, answer: Answer): AppliedAccount => {
  const id = answer.body && idOf(answer.body)
  // 204, or an answer that says nothing about whom it is about, is taken at its status
  if (id !== undefined && id !== remoteId) throw unproven({ ...ONE, method: 'PATCH' }, 'wrongId', 'an answer about another group')
  return { remoteId, etag: etagOf(answer) }
}

const removalsOf = (accounts: readonly string[], removal: GroupSettings['removal']): Members[] =>
  removal === 'filter'
    ? accounts.map((account) => ({ op: 'remove', path: `members[value eq ${JSON.stringify(account)}]` }))
    : [{ op: 'remove', path: 'members', value: accounts.map((value) => ({ value })) }]

export interface ScimGroupsOptions {
  readonly client: ScimClient
  readonly settings: GroupSettings
  readonly extension?: GroupExtension | undefined
}

/** Groups over SCIM 2.0 (RFC 7643 section 4.2, RFC 7644 section 3.5.2): members are changed by the delta, never by the whole list. */
export const createScimGroups = ({ client, settings, extension }: ScimGroupsOptions): GroupTarget => {
  const { documentOf, managed } = documents(extension)
  const call = { endpoint: GROUPS, limit: ANSWER_LIMIT } as const
  const patch = async (remoteId: string, Operations: readonly Members[], { signal }: Call): Promise<AppliedAccount> => {
    const body = { schemas: [PATCH_SCHEMA], Operations }
    return confirm(remoteId, await client.request({ ...call, method: 'PATCH', remoteId, query: WITHOUT_MEMBERS, body, signal }))
  }
  const read = async (remoteId: string, query: string, { signal }: Call): Promise<Members> => {
    const { body } = await client.request({ ...call, method: 'GET', remoteId, query, signal })
    if (!body || idOf(body) !== remoteId) throw unproven(ONE, 'wrongId', 'an answer about another group')
    return body
  }
  const find = async (document: GroupDocument, { signal }: Call = {}): Promise<RemoteGroup | undefined> => {
    const name = String(document.displayName ?? '')
    const query = `filter=${encodeURIComponent(`displayName eq ${JSON.stringify(name)}`)}&${WITHOUT_MEMBERS}`
    const found = pickGroup(readList(await client.request({ ...call, method: 'GET', query, signal }), COLLECTION).resources, name)
    return found && { remoteId: idOf(found) ?? '', etag: null, document: managed(found) }
  }
  const create = async (document: GroupDocument, { signal }: Call = {}): Promise<AppliedAccount> => {
    const answer = await client.request({ ...call, method: 'POST', body: document, signal })
    const remoteId = answer.body && idOf(answer.body)
    if (remoteId === undefined) throw unproven({ ...COLLECTION, method: 'POST' }, 'noId', 'an answer without an id')
    return { remoteId, etag: etagOf(answer) }
  }
  const update = async (remoteId: string, document: GroupDocument, given: GroupUpdateCall = {}): Promise<AppliedAccount> => {
    const before = given.before ?? managed(await read(remoteId, WITHOUT_MEMBERS, given))
    const operations = operationsOf(before, document, extension)
    return operations.length > 0 ? patch(remoteId, operations, given) : { remoteId, etag: null }
  }
  return {
    chunk: settings.chunk,
    documentOf,
    find,
    create,
    update,
    delete: async (remoteId, { signal } = {}) => {
      try {
        await client.request({ ...call, method: 'DELETE', remoteId, signal })
      } catch (error) {
        if (!(error instanceof ConnectorError && error.code === 'TARGET_GONE')) throw error
      }
    },
    addMembers: async (remoteId, accounts, given = {}) => {
      await patch(remoteId, [{ op: 'add', path: 'members', value: accounts.map((value) => ({ value })) }], given)
    },
    removeMembers: async (remoteId, accounts, given = {}) => {
      await patch(remoteId, removalsOf(accounts, settings.removal), given)
    },
    members: async (remoteId, given = {}) => {
      const { members } = await read(remoteId, 'attributes=members', given)
      return (Array.isArray(members) ? members : []).flatMap((member) => idText(asMembers(member).value) ?? [])
    },
  }
}
