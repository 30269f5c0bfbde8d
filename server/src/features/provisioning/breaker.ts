import type { Clock } from '../../platform/clock.ts'
import { backoff, blameOf, type Failure, wishedWait } from './failure.rules.ts'

/** People who must fail one after the other, with nobody succeeding in between, before the target as a whole is held to be down. */
const SUSPICIOUS = 5
const LONGEST_PAUSE = 60

/**
 * Decides how much is asked of one target: everything while it answers, less after it said "too much", nothing while it is paused, one
 * request when the pause is over, everything again after the first success.
 */
export interface Breaker {
  /** How many requests may be under way now. */
  room(): number
  /** From now on at most so many. */
  allow(most: number): void
  /** While nobody has succeeded since the target was held to be down. */
  failing(): boolean
  /** When the pause ends; null when there is none. */
  resumesAt(): Date | null
  /** Pauses since the last success. */
  pauses(): number
  lastFailure(): Failure | null
  /** Ends the pause: somebody asks for a try now. One request goes out first, as after any pause. */
  resume(): void
  succeeded(): void
  failed(userId: string, failure: Failure): void
}

export const createBreaker = ({ clock, random, most: first }: { clock: Clock; random: () => number; most: number }): Breaker => {
  let most = first
  const blamed = new Set<string>()
  let failing = false
  let pauses = 0
  let until: Date | null = null
  let limit = most
  let last: Failure | null = null

  const paused = () => until !== null && until > clock.now()
  const pause = (failure: Failure) => {
    const wish = wishedWait(failure)
    if (paused()) {
      const wished = new Date(clock.now().getTime() + wish)
      if (until !== null && wished > until) until = wished
      return
    }
    pauses += 1
    failing = true
    until = new Date(clock.now().getTime() + (wish || backoff(pauses, { random, longest: LONGEST_PAUSE })))
  }

  const alive = () => {
    blamed.clear()
    // an answer to a request from before the pause says nothing about what comes after it
    if (paused()) return
    failing = false
    pauses = 0
    until = null
    limit = Math.min(most, limit + 1 / limit)
  }

  return {
    room: () => (paused() ? 0 : failing ? 1 : Math.max(1, Math.floor(limit))),
    allow: (next) => {
      // whoever asks for less than everything goes on from there
      limit = limit >= most ? next : Math.min(limit, next)
      most = next
    },
    failing: () => failing,
    resumesAt: () => (paused() ? until : null),
    pauses: () => pauses,
    lastFailure: () => last,
    resume: () => {
      until = null
    },
    succeeded: alive,
    failed: (userId, failure) => {
      const blame = blameOf(failure)
      // whoever refuses one person's data works
      if (blame === 'person') return alive()
      last = failure
      if (failure.code === 'TARGET_THROTTLED' && !paused()) limit = Math.max(1, limit / 2)
      blamed.add(userId)
      if (blame === 'target' || blamed.size >= SUSPICIOUS) pause(failure)
    },
  }
}
