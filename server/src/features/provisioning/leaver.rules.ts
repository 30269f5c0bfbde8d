import type { ProtectedAccount, TargetPolicy } from '@instep/contract/target-policy.ts'
import type { KnownAccount } from './account.rules.ts'

/** What is known of somebody who is not active. */
export interface Leaver {
  readonly leftAt: Date
  /** Until when the person's source keeps them; null: it says nothing. */
  readonly keptUntil: Date | null
  /** Why the person's accounts are never removed; null: they may be. */
  readonly protection: string | null
}

export type Removal = 'disable' | 'delete'

/**
 * What is to be done about an account. `follow`: bring it in step with the person. `remove`: as far as `removal` says; with `deleteAt` it is only
 * disabled until then. `keep`: touch nothing.
 */
export type Intent =
  | { readonly to: 'follow' }
  | { readonly to: 'remove'; readonly removal: Removal; readonly deleteAt: Date | null }
  | { readonly to: 'unlink' }
  | { readonly to: 'keep'; readonly state: 'inStep' | 'protected'; readonly cause: string | null }

const DAY = 86_400_000

const FOLLOW: Intent = { to: 'follow' }

/**
 * What the target's policy asks for the account of one person. Nothing is deleted before both the policy's days and the source's grace period are over.
 *
 * @param leaver null: the person is active
 */
export const intentOf = (known: KnownAccount, leaver: Leaver | null, { policy, now }: { policy: TargetPolicy; now: Date }): Intent => {
  if (!leaver || (known.remoteId === null && !known.uncertain)) return FOLLOW
  const { action, graceDays } = policy.leaver
  // forgetting and leaving alone take nothing away from anybody
  if (action === 'unlink') return { to: 'unlink' }
  if (action === 'ignore') return { to: 'keep', state: 'inStep', cause: null }
  if (leaver.protection !== null) return { to: 'keep', state: 'protected', cause: leaver.protection }
  if (action === 'disable') return { to: 'remove', removal: 'disable', deleteAt: null }
  const deleteAt = new Date(Math.max(leaver.leftAt.getTime() + graceDays * DAY, leaver.keptUntil?.getTime() ?? 0))
  return { to: 'remove', removal: 'delete', deleteAt: deleteAt > now ? deleteAt : null }
}

/** What the guard has let pass of an account: how far it may be removed, or that a person has said no. */
export type Allowance = Removal | 'approved' | 'rejected' | null

/** Whether an account may be removed so far without asking the guard. */
export const isAllowed = (allowance: Allowance, removal: Removal): boolean =>
  allowance === 'approved' || allowance === 'delete' || allowance === removal

/** Whether a name fits a pattern in which `*` stands for any characters; case makes no difference. Linear in the length of both. */
export const fitsPattern = (name: string, pattern: string): boolean => {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const text = name.toLowerCase()
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}

/** An account as it is known from either side. */
export interface NamedAccount {
  readonly remoteId: string | null
  readonly userNames: readonly unknown[]
}

/** Whether an account is on the list of those that are never touched. */
export const isListed = (list: readonly ProtectedAccount[], { remoteId, userNames }: NamedAccount): boolean =>
  list.some(({ by, value }) =>
    by === 'remoteId' ? value === remoteId : userNames.some((name) => typeof name === 'string' && fitsPattern(name, value)),
  )
