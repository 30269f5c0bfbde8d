import { type LeaverAction, type ProtectedAccount, TargetPolicy } from '@instep/contract/target-policy.ts'

/** What is done at a target, as it is typed. */
export interface TypedPolicy {
  action: LeaverAction
  graceDays: string
  guardOn: boolean
  percent: string
  number: string
  /** Empty: as many as the installation allows; no limit. */
  concurrency: string
  perSecond: string
  protectedAccounts: ProtectedAccount[]
}

export const typedPolicy = ({ leaver, removals, pace, protectedAccounts }: TargetPolicy): TypedPolicy => ({
  action: leaver.action,
  graceDays: String(leaver.graceDays),
  guardOn: removals.on,
  percent: String(removals.percent),
  number: String(removals.number),
  concurrency: String(pace.concurrency ?? ''),
  perSecond: String(pace.perSecond ?? ''),
  protectedAccounts,
})

const numberOf = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed.trim().replace(',', '.')))
const numberOrNone = (typed: string): number | null => (typed.trim() === '' ? null : numberOf(typed))

/** The policy that was typed; undefined when something in it cannot be read. */
export const readTyped = (typed: TypedPolicy): TargetPolicy | undefined =>
  TargetPolicy.safeParse({
    leaver: { action: typed.action, graceDays: numberOf(typed.graceDays) },
    removals: { on: typed.guardOn, percent: numberOf(typed.percent), number: numberOf(typed.number) },
    pace: { concurrency: numberOrNone(typed.concurrency), perSecond: numberOrNone(typed.perSecond) },
    protectedAccounts: typed.protectedAccounts,
  }).data
