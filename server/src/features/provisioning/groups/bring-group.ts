import type { GroupDocument, GroupTarget, RemoteGroup } from '@instep/connectors/kit/group-target.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import type { KnownGroup, LeasedGroup } from './group.store.ts'

/** What was done to a group at the target; `none`: it was as wanted. */
export type GroupDeed = 'none' | 'created' | 'linked' | 'updated' | 'deleted'

export interface GroupErrand {
  readonly group: LeasedGroup
  readonly document: GroupDocument
  readonly hash: string
  readonly signal: AbortSignal
  /** Writes down what is known before the next step; throws `LeaseLost` when somebody else has the group, TARGET_EXISTS when it is another's. */
  readonly note: (known: KnownGroup) => Promise<void>
}

export interface Brought {
  readonly deed: GroupDeed
  /** Null: it is not there, and is not to be. */
  readonly remoteId: string | null
}

const isCode = (error: unknown, code: string): error is ConnectorError => error instanceof ConnectorError && error.code === code

/** Brings a group itself in step, its members aside: found or made, renamed, deleted. Looks before it makes, so that no group is made twice. */
export const bringGroup = async (target: GroupTarget, errand: GroupErrand): Promise<Brought> => {
  const { group, document, hash, signal, note } = errand
  if (!group.wanted) return remove(target, errand)
  if (group.remoteId === null) return findOrCreate(target, errand)
  if (group.appliedHash === hash && !group.uncertain) return { deed: 'none', remoteId: group.remoteId }
  try {
    const before = group.uncertain ? undefined : (group.applied ?? undefined)
    await target.update(group.remoteId, document, { signal, before })
    await note({ remoteId: group.remoteId, document, hash, uncertain: group.uncertain })
    return { deed: group.appliedHash === hash ? 'none' : 'updated', remoteId: group.remoteId }
  } catch (error) {
    if (!isCode(error, 'TARGET_GONE')) throw error
    await note({ remoteId: null, document: null, hash: null, uncertain: false })
    return findOrCreate(target, { ...errand, group: { ...group, remoteId: null, applied: null, appliedHash: null, uncertain: false } })
  }
}

const remove = async (target: GroupTarget, { group, document, signal }: GroupErrand): Promise<Brought> => {
  // a group whose making was never answered may be there; one of the name that was never ours is left alone
  const lost = group.remoteId === null && group.uncertain ? await target.find(group.applied ?? document, { signal }) : undefined
  const remoteId = group.remoteId ?? lost?.remoteId
  if (remoteId === undefined) return { deed: 'none', remoteId: null }
  await target.delete(remoteId, { signal })
  return { deed: 'deleted', remoteId: null }
}

const findOrCreate = async (target: GroupTarget, errand: GroupErrand): Promise<Brought> => {
  const { group, document, signal } = errand
  const sent = group.uncertain && group.applied ? await target.find(group.applied, { signal }) : undefined
  const found = sent ?? (await target.find(document, { signal }))
  return found ? link(target, errand, found) : create(target, errand)
}

const create = async (target: GroupTarget, errand: GroupErrand): Promise<Brought> => {
  const { document, hash, signal, note } = errand
  // should the answer never come, the group is found by the name that it was made with
  await note({ remoteId: null, document, hash: null, uncertain: true })
  try {
    const { remoteId } = await target.create(document, { signal })
    await note({ remoteId, document, hash, uncertain: false })
    return { deed: 'created', remoteId }
  } catch (error) {
    if (!isCode(error, 'TARGET_EXISTS')) throw error
    const found = await target.find(document, { signal })
    // the name is taken by what cannot be seen, or the target's search lags behind
    if (!found) throw new ConnectorError({ code: 'TARGET_EXISTS', detail: error.detail, retryable: true })
    return link(target, errand, found)
  }
}

const link = async (target: GroupTarget, { document, hash, signal, note }: GroupErrand, found: RemoteGroup): Promise<Brought> => {
  const { remoteId } = found
  await note({ remoteId, document: found.document, hash: null, uncertain: true })
  await target.update(remoteId, document, { signal, before: found.document })
  await note({ remoteId, document, hash, uncertain: true })
  return { deed: 'linked', remoteId }
}
