/** A long computation lets others have their turn so often, in milliseconds. */
const TURN = 50

/**
 * For a loop that computes without waiting: asked at every step, it answers a promise to be awaited when the loop has held the event loop for a turn
 * (50 ms), so that calls are answered and leases renewed meanwhile; undefined otherwise, because awaiting at every step would cost more than the step.
 */
export const takeTurns = (now: () => number = () => performance.now()): (() => Promise<void> | undefined) => {
  let since = now()
  return () => {
    if (now() - since < TURN) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        since = now()
        resolve()
      })
    })
  }
}
