import type { Limit } from '@instep/contract/guard-settings.ts'
import type { LeaverAction, ProtectedAccount, RemovalKind, TargetPolicy } from '@instep/contract/target-policy.ts'
import { type Range, readLimit, readNumber, type TypedLimit } from './guards.rules.ts'

/** What is done at a target, as it is typed. */
export interface TypedPolicy {
  action: LeaverAction
  graceDays: string
  guards: Record<RemovalKind, TypedLimit>
  /** Empty: as many as the installation allows; no limit. */
  concurrency: string
  perSecond: string
  protectedAccounts: ProtectedAccount[]
}

const typedGuard = ({ on, percent, number }: Limit): TypedLimit => ({ on, percent: String(percent), number: String(number) })

export const typedPolicy = ({ leaver, removals, memberRemovals, pace, protectedAccounts }: TargetPolicy): TypedPolicy => ({
  action: leaver.action,
  graceDays: String(leaver.graceDays),
  guards: { accounts: typedGuard(removals), members: typedGuard(memberRemovals) },
  concurrency: String(pace.concurrency ?? ''),
  perSecond: String(pace.perSecond ?? ''),
  protectedAccounts,
})

const DAYS: Range = { min: 0, max: 3650, whole: true }
const REQUESTS: Range = { min: 1, max: 256, whole: true }
const RATE: Range = { min: 0.1, max: 10_000 }
const MOST_ACCOUNTS = 1000
const LONGEST_TEXT = 300

/** Null where nothing was typed. */
const readOrNone = (typed: string, range: Range): number | null | undefined => (typed.trim() === '' ? null : readNumber(typed, range))

/** An account on the list must name something: of stars alone it would be everybody's. */
const isNamed = ({ value, reason }: ProtectedAccount): boolean =>
  value.replaceAll('*', '').trim() !== '' && Math.max(value.trim().length, reason.trim().length) <= LONGEST_TEXT

/** The policy that was typed; undefined when something in it cannot be read. The server reads it again: a browser has no schemas. */
export const readTyped = ({ action, guards, protectedAccounts, ...typed }: TypedPolicy): TargetPolicy | undefined => {
  const graceDays = readNumber(typed.graceDays, DAYS)
  const [removals, memberRemovals] = [readLimit(guards.accounts), readLimit(guards.members)]
  const [concurrency, perSecond] = [readOrNone(typed.concurrency, REQUESTS), readOrNone(typed.perSecond, RATE)]
  if (graceDays === undefined || !removals || !memberRemovals || concurrency === undefined || perSecond === undefined) return undefined
  if (protectedAccounts.length > MOST_ACCOUNTS || !protectedAccounts.every(isNamed)) return undefined
  return { leaver: { action, graceDays }, removals, memberRemovals, pace: { concurrency, perSecond }, protectedAccounts }
}
