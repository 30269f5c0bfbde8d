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
}

interface Change {
  readonly member: DueMember
  readonly account: string
}

/** Accounts that the target would not take or give, with its words. */
type Refusals = Map<string, ConnectorError>

/**
 * Carries out changes together; when the target refuses them, halves are tried, so that the one it does not take is found and the others are
 * done. What it says no to is returned; everything else that goes wrong is thrown.
 */
const carryOut = async (
  changes: readonly Change[],
  act: (accounts: readonly string[]) => Promise<void>,
  refused: Refusals,
): Promise<void> => {
  if (changes.length === 0) return
  try {
    await act(changes.map(({ account }) => account))
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code !== 'TARGET_REFUSED') throw error
    const [only, ...others] = changes
    if (only && others.length === 0) {
      refused.set(only.member.userId, error)
      return
    }
    const middle = changes.length >> 1
    await carryOut(changes.slice(0, middle), act, refused)
    await carryOut(changes.slice(middle), act, refused)
  }
}

/** Takes out and adds what these members owe, in one call each where the target takes it, and says what is true of each of them then. */
export const fillGroup = async ({ target, remoteId, signal }: Filling, members: readonly DueMember[]): Promise<Filled> => {
  const steps = members.map((member) => ({ member, ...memberStep(member) }))
  const removals = steps.flatMap(({ member, remove }) => (remove === null ? [] : [{ member, account: remove }]))
  const additions = steps.flatMap(({ member, add }) => (add === null ? [] : [{ member, account: add }]))
  const notRemoved: Refusals = new Map()
  const notAdded: Refusals = new Map()
  await carryOut(removals, (accounts) => target.removeMembers(remoteId, accounts, { signal }), notRemoved)
  await carryOut(additions, (accounts) => target.addMembers(remoteId, accounts, { signal }), notAdded)
  const answers = steps.map(({ member, remove, add }): MemberAnswer => {
    const { userId, revision } = member
    const [kept, missed] = [notRemoved.get(userId), notAdded.get(userId)]
    const refusal = kept ?? missed
    if (refusal) {
      const memberId = kept ? member.memberId : remove === null ? member.memberId : null
      return { userId, revision, memberId, standing: 'quarantined', cause: refusal.code, lastError: refusal.detail.slice(0, 500) }
    }
    const memberId = add ?? (remove === null ? member.memberId : null)
    return { userId, revision, memberId, standing: memberStanding(member), cause: null, lastError: null }
  })
  return { answers, added: additions.length - notAdded.size, removed: removals.length - notRemoved.size }
}
