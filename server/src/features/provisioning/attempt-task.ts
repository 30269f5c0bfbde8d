import { hashDocument } from '@instep/connectors/kit/hash-document.ts'
import type { AppliedAccount, Target } from '@instep/connectors/kit/target.ts'
import { withAccepted } from './accepted.rules.ts'
import type { WantedAccount } from './account.rules.ts'
import { carryOut, failureOf, type Outcome, PROTECTED_ACCOUNT } from './carry-out.ts'
import { isListed, type Removal } from './leaver.rules.ts'
import type { Answer } from './record-outcomes.ts'
import { ownDocument, type Task } from './tasks.ts'

interface Circumstances {
  readonly now: Date
  /** Writes down that an account found at the target is this person's; false when it is another's. */
  readonly link: (account: AppliedAccount) => Promise<boolean>
}

/** Whoever is to have a manager there waits so long for the manager's account, once, in milliseconds; two who manage each other go on after it. */
const MANAGER_WAIT = 30_000
/** What spares an account may end without anybody marking it: looked at again after a day, in milliseconds. */
const PROTECTION_LOOK = 86_400_000

const WAITS = 'WAITS_FOR_MANAGER'
/** The account is not there, and somebody has said that this is as it should be. */
const MISSING_ACCEPTED = 'MISSING_ACCEPTED'

const later = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds)

/** What needs no request: nothing may be touched, a person has to decide, it is not time, or the manager's account comes first. */
const withoutAsking = (
  { row, person, policy, intent, refusal, manager, accepted }: Task,
  wanted: WantedAccount,
  now: Date,
): Outcome | undefined => {
  const { userName } = wanted.document
  const listed = isListed(policy.protectedAccounts, { remoteId: row.remoteId, userNames: [userName, row.applied?.userName] })
  const protectedUntilLook = { kind: 'kept', state: 'protected', nextTryAt: later(now, PROTECTION_LOOK) } as const
  if (listed && (person.active || row.remoteId !== null || row.uncertain)) return { ...protectedUntilLook, cause: PROTECTED_ACCOUNT }
  if (intent.to === 'keep')
    return intent.state === 'protected' ? { ...protectedUntilLook, cause: intent.cause } : { kind: 'kept', state: 'inStep', cause: null }
  if (intent.to === 'unlink') return { kind: 'applied', deed: 'unlinked', remoteId: null, etag: null, document: null }
  if (refusal) return { kind: 'kept', state: 'held', cause: refusal }
  if (accepted.some(({ path }) => path.length === 0)) return { kind: 'kept', state: 'inStep', cause: MISSING_ACCEPTED }
  const waits = person.active && row.remoteId === null && !row.uncertain && manager?.awaited && row.cause !== WAITS
  return waits ? { kind: 'kept', state: 'pending', cause: WAITS, nextTryAt: later(now, MANAGER_WAIT) } : undefined
}

/** What the account is to hold, and what comes of it without asking the target, where that is known. */
export const wantedOf = (target: Target, task: Task, now: Date): { wanted: WantedAccount; outcome: Outcome | undefined } => {
  const document = withAccepted(ownDocument(target, task), task.accepted)
  const wanted = { document, hash: hashDocument(document), active: task.person.active }
  return { wanted, outcome: withoutAsking(task, wanted, now) }
}

/** How far the account of somebody who left is removed now. */
export const leaverOf = ({ intent }: Task): Removal => (intent.to === 'remove' && intent.deleteAt === null ? intent.removal : 'disable')

/** Carries out one task; never throws. */
export const attemptTask = async (
  target: Target,
  task: Task,
  { now, link }: Circumstances,
): Promise<{ wanted: WantedAccount; outcome: Outcome }> => {
  const { row, person, policy, abort } = task
  let wanted: WantedAccount = { document: {}, hash: '', active: person.active }
  try {
    const known = wantedOf(target, task, now)
    wanted = known.wanted
    if (known.outcome) return { wanted, outcome: known.outcome }
    const outcome = await carryOut(target, {
      known: row,
      wanted,
      leaver: leaverOf(task),
      signal: abort.signal,
      isProtected: ({ remoteId, document: found }) => isListed(policy.protectedAccounts, { remoteId, userNames: [found.userName] }),
      link,
    })
    return { wanted, outcome: outcome.kind === 'kept' ? { ...outcome, nextTryAt: later(now, PROTECTION_LOOK) } : outcome }
  } catch (error) {
    return { wanted, outcome: { kind: 'failed', failure: failureOf(error), uncertain: row.uncertain, sent: null } }
  }
}

/** What came of a task, ready to be written down. */
export const answerOf = (
  { row, person, intent }: Task,
  { target, ...came }: Pick<Answer, 'wanted' | 'outcome' | 'standing'> & { readonly target: Target },
): Answer => ({
  ...came,
  row,
  displayName: person.fields.displayName ?? '',
  version: person.version,
  removal: intent.to === 'remove' ? intent.removal : null,
  deleteAt: intent.to === 'remove' ? intent.deleteAt : null,
  namesManagers: target.namesManagers ?? false,
})
