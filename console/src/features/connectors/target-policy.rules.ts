import type { Limit } from '@instep/contract/guard-settings.ts'
import { type LeaverAction, type ProtectedAccount, type RemovalKind, TargetPolicy } from '@instep/contract/target-policy.ts'

/** How many removals of a kind pass, as it is typed. */
export interface TypedGuard {
  on: boolean
  percent: string
  number: string
}

/** What is done at a target, as it is typed. */
export interface TypedPolicy {
  action: LeaverAction
  graceDays: string
  guards: Record<RemovalKind, TypedGuard>
  /** Empty: as many as the installation allows; no limit. */
  concurrency: string
  perSecond: string
  protectedAccounts: ProtectedAccount[]
}

const typedGuard = ({ on, percent, number }: Limit): TypedGuard => ({ on, percent: String(percent), number: String(number) })

export const typedPolicy = ({ leaver, removals, memberRemovals, pace, protectedAccounts }: TargetPolicy): TypedPolicy => ({
  action: leaver.action,
  graceDays: String(leaver.graceDays),
  guards: { accounts: typedGuard(removals), members: typedGuard(memberRemovals) },
  concurrency: String(pace.concurrency ?? ''),
  perSecond: String(pace.perSecond ?? ''),
  protectedAccounts,
})

const numberOf = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed.trim().replace(',', '.')))
const numberOrNone = (typed: string): number | null => (typed.trim() === '' ? null : numberOf(typed))

const readGuard = ({ on, percent, number }: TypedGuard) => ({ on, percent: numberOf(percent), number: numberOf(number) })

/** The policy that was typed; undefined when something in it cannot be read. */
export const readTyped = (typed: TypedPolicy): TargetPolicy | undefined =>
  TargetPolicy.safeParse({
    leaver: { action: typed.action, graceDays: numberOf(typed.graceDays) },
    removals: readGuard(typed.guards.accounts),
    memberRemovals: readGuard(typed.guards.members),
    pace: { concurrency: numberOrNone(typed.concurrency), perSecond: numberOrNone(typed.perSecond) },
    protectedAccounts: typed.protectedAccounts,
  }).data
