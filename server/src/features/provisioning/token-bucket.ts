import type { Clock } from '../../platform/clock.ts'

/** Spreads requests so that no more than so many go out in a second. */
export interface TokenBucket {
  /** From now on so many a second; null: as many as come. */
  setRate(perSecond: number | null): void
  /** Takes tokens and answers how long to wait for them, in milliseconds. */
  take(count: number): number
}

/** Seconds' worth of requests that may go out at once after a rest. */
const BURST = 0.1

/**
 * A token bucket kept as the one moment at which it would be full again (generic cell rate algorithm, ITU-T I.371): taking is adding, and those who
 * wait do so in turn.
 */
export const createTokenBucket = ({ clock }: { clock: Clock }): TokenBucket => {
  let interval = 0
  let next = 0
  return {
    setRate: (perSecond) => {
      interval = perSecond === null ? 0 : 1000 / perSecond
    },
    take: (count) => {
      if (interval === 0) return 0
      const now = clock.now().getTime()
      const wait = Math.max(0, next - now)
      const rested = now - Math.max(0, BURST * 1000 - interval)
      next = Math.max(next, rested) + count * interval
      return wait
    },
  }
}
