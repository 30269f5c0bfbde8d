import type { GroupDocument, GroupTarget } from '@instep/connectors/kit/group-target.ts'
import { ConnectorError, type TargetCode } from '@instep/connectors/kit/problem.ts'

export interface StandInGroup {
  document: GroupDocument
  readonly members: Set<string>
}

/** What goes wrong with one call: before anything is done, or after it was done and the answer is lost. */
export type Trouble = { readonly before: TargetCode } | { readonly after: 'TARGET_UNCERTAIN' }

export interface GroupStandIn extends GroupTarget {
  readonly held: Map<string, StandInGroup>
  /** Every call, in order: `add 3`, `create`, … */
  readonly calls: string[]
  /** Called for each call; says what goes wrong with it. */
  trouble: (call: string) => Trouble | undefined
}

const failed = (code: TargetCode, detail: string, retryable: boolean) => new ConnectorError({ code, detail, retryable })
const lower = (document: GroupDocument) => String(document.name).toLowerCase()

/** Groups in memory, with names that are unique whatever their case, and members that must be accounts. */
export const groupStandIn = ({ isAccount, chunk = 3 }: { isAccount: (id: string) => boolean; chunk?: number }): GroupStandIn => {
  const held = new Map<string, StandInGroup>()
  const calls: string[] = []
  let made = 0
  const existing = (remoteId: string) => {
    const group = held.get(remoteId)
    if (!group) throw failed('TARGET_GONE', `${remoteId} is not there`, false)
    return group
  }
  const refuseTaken = (document: GroupDocument, except?: string) => {
    for (const [id, group] of held)
      if (id !== except && lower(group.document) === lower(document)) throw failed('TARGET_EXISTS', 'the name is taken', false)
  }
  const standIn: GroupStandIn = {
    chunk,
    held,
    calls,
    trouble: () => undefined,
    documentOf: ({ externalId, name, admins = [] }) => ({ externalId, name, admins: [...admins].sort() }),
    find: (document, call) =>
      act('find', call, () => {
        const found = [...held].find(([, group]) => lower(group.document) === lower(document))
        return found && { remoteId: found[0], etag: null, document: found[1].document }
      }),
    create: (document, call) =>
      act('create', call, () => {
        refuseTaken(document)
        made += 1
        held.set(`group-${made}`, { document, members: new Set() })
        return { remoteId: `group-${made}`, etag: null }
      }),
    update: (remoteId, document, call) =>
      act('update', call, () => {
        refuseTaken(document, remoteId)
        existing(remoteId).document = document
        return { remoteId, etag: null }
      }),
    delete: (remoteId, call) => act('delete', call, () => void held.delete(remoteId)),
    addMembers: (remoteId, accounts, call) =>
      act(`add ${accounts.length}`, call, () => {
        const { members } = existing(remoteId)
        const unknown = accounts.find((account) => !isAccount(account))
        if (unknown !== undefined) throw failed('TARGET_REFUSED', `${unknown} is no account`, false)
        for (const account of accounts) members.add(account)
      }),
    removeMembers: (remoteId, accounts, call) =>
      act(`remove ${accounts.length}`, call, () => {
        const { members } = existing(remoteId)
        for (const account of accounts) members.delete(account)
      }),
    members: (remoteId, call) => act('members', call, () => [...existing(remoteId).members]),
  }
  const act = async <T>(name: string, call: { signal?: AbortSignal } | undefined, work: () => T): Promise<T> => {
    calls.push(name)
    if (call?.signal?.aborted) throw failed('TARGET_ABORTED', 'aborted', true)
    const trouble = standIn.trouble(name)
    if (trouble && 'before' in trouble) throw failed(trouble.before, `${name}: ${trouble.before}`, true)
    const result = work()
    if (trouble) throw failed(trouble.after, `${name}: the answer was lost`, true)
    return result
  }
  return standIn
}
