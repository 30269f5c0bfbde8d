import type { GroupTarget } from '@instep/connectors/kit/group-target.ts'
import { ConnectorError } from '@instep/connectors/kit/problem.ts'
import { memberStanding, memberStep } from './member.rules.ts'
import type { DueMember, MemberAnswer } from './member.store.ts'

export interface Filling {
  readonly target: GroupTarget
  readonly remoteId: string
  readonly signal: AbortSignal
}

/** What one pass over some members did. */
export interface Filled {
  readonly answers: readonly MemberAnswer[]
  readonly added: number
  readonly removed: number
  /** What ended the pass before its time; what was done until then is in the answers all the same. */
  readonly error: unknown
}

interface Change {
  readonly member: DueMember
  readonly account: string
}

/** How a call about some accounts went: whom it settled, and to whom the target said no. */
interface Progress {
  readonly done: Set<DueMember>
  readonly refused: Map<DueMember, ConnectorError>
}

/**
 * Carries out changes together; when the target refuses them, halves are tried, so that the one it does not take is found and the others are
 * done. Whatever else goes wrong is thrown.
 */
const carryOut = async (
  changes: readonly Change[],
  act: (accounts: readonly string[]) => Promise<void>,
  progress: Progress,
): Promise<void> => {
  if (changes.length === 0) return
  try {
    await act(changes.map(({ account }) => account))
    for (const { member } of changes) progress.done.add(member)
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code !== 'TARGET_REFUSED') throw error
    const [only, ...others] = changes
    if (only && others.length === 0) {
      progress.refused.set(only.member, error)
      return
    }
    const middle = changes.length >> 1
    await carryOut(changes.slice(0, middle), act, progress)
    await carryOut(changes.slice(middle), act, progress)
  }
}

/** What is true of one member after a pass; undefined when nothing was done about it. */
const answerOf = (member: DueMember, { removal, addition }: { removal: Progress; addition: Progress }): MemberAnswer | undefined => {
  const { userId, revision } = member
  const step = memberStep(member)
  const left = removal.done.has(member) ? null : member.memberId
  const memberId = addition.done.has(member) ? step.add : left
  const refusal = removal.refused.get(member) ?? addition.refused.get(member)
  if (refusal) return { userId, revision, memberId, standing: 'quarantined', cause: refusal.code, lastError: refusal.detail.slice(0, 500) }
  const settled = (step.remove === null || removal.done.has(member)) && (step.add === null || addition.done.has(member))
  if (settled) return { userId, revision, memberId, standing: memberStanding(member), cause: null, lastError: null }
  return memberId === member.memberId ? undefined : { userId, revision, memberId, standing: 'pending', cause: null, lastError: null }
}

/** Takes out and adds what these members owe, in one call each where the target takes it, and says what is true of each of them then. */
export const fillGroup = async ({ target, remoteId, signal }: Filling, members: readonly DueMember[]): Promise<Filled> => {
  const steps = members.map((member) => ({ member, ...memberStep(member) }))
  const removals = steps.flatMap(({ member, remove }) => (remove === null ? [] : [{ member, account: remove }]))
  const additions = steps.flatMap(({ member, add }) => (add === null ? [] : [{ member, account: add }]))
  const removal: Progress = { done: new Set(), refused: new Map() }
  const addition: Progress = { done: new Set(), refused: new Map() }
  let error: unknown
  try {
    await carryOut(removals, (accounts) => target.removeMembers(remoteId, accounts, { signal }), removal)
    await carryOut(additions, (accounts) => target.addMembers(remoteId, accounts, { signal }), addition)
  } catch (thrown) {
    error = thrown
  }
  const answers = members.flatMap((member) => answerOf(member, { removal, addition }) ?? [])
  return { answers, added: addition.done.size, removed: removal.done.size, error }
}
