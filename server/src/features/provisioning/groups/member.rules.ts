/** A member as it stands: what is wanted, what the target confirmed, and the account the person has now. */
export interface Membership {
  readonly wanted: boolean
  /** The account that the target confirmed as a member. */
  readonly memberId: string | null
  /** The person's account at the target. */
  readonly accountId: string | null
}

/** What closes the difference: an account to take out, an account to add; neither where nothing is left to do. */
export interface MemberStep {
  readonly remove: string | null
  readonly add: string | null
}

/** A replaced account is taken out and the new one added. Nobody is a member without an account. */
export const memberStep = ({ wanted, memberId, accountId }: Membership): MemberStep => {
  const due = wanted ? accountId : null
  return { remove: memberId !== null && memberId !== due ? memberId : null, add: due !== null && due !== memberId ? due : null }
}

/** Where a membership stands when its step was carried out. `gone`: it is neither wanted nor there, and needs no row. */
export const memberStanding = ({ wanted, accountId }: Membership): 'inStep' | 'waiting' | 'gone' => {
  if (!wanted) return 'gone'
  return accountId === null ? 'waiting' : 'inStep'
}

/** What is known of a member who is to be taken out. */
export interface Removable extends Membership {
  /** What became of the guard's question about the member, and about the account; null: it was not asked. */
  readonly removal: 'passed' | 'approved' | 'rejected' | null
  readonly accountRemoval: string | null
}

/**
 * Whether the guard has to be asked before a member is taken out. A replaced account takes nobody out. Who loses the account, or has it switched off, was
 * counted there.
 */
export const asksGuard = ({ wanted, memberId, removal, accountRemoval }: Removable): boolean =>
  !wanted && memberId !== null && (removal === null || removal === 'rejected') && (accountRemoval === null || accountRemoval === 'rejected')
