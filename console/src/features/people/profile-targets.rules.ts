import type { UserTarget } from '@instep/contract/users.ts'

const SOON = 2_500
const LATER = 15_000

/** In how many milliseconds a person's accounts may stand otherwise by themselves; null where they stay until somebody does something. */
export const lookAgainAfter = (targets: readonly Pick<UserTarget, 'state' | 'nextTryAt'>[]): number | null => {
  if (targets.some(({ state }) => state === 'pending')) return SOON
  // a target that was switched off says no time
  return targets.some(({ state, nextTryAt }) => state === 'paused' && nextTryAt !== null) ? LATER : null
}
