/** Milliseconds in which a second press is still the same one: the time that systems allow for a double click. */
const DOUBLE_PRESS = 500

/** Lets one of several presses for the same thing through. */
export interface PressGuard {
  /** Whether a press for `what` counts. False while the one before is under way, and shortly after it was carried out. */
  enter: (what: string) => boolean
  /** What was pressed for is over; where it failed, pressing again counts at once. */
  leave: (what: string, carriedOut: boolean) => void
}

/** `now` in milliseconds. */
export const createPressGuard = (now: () => number = Date.now): PressGuard => {
  const closedUntil = new Map<string, number>()
  return {
    enter: (what) => {
      if ((closedUntil.get(what) ?? 0) > now()) return false
      closedUntil.set(what, Number.POSITIVE_INFINITY)
      return true
    },
    leave: (what, carriedOut) => {
      if (carriedOut) closedUntil.set(what, now() + DOUBLE_PRESS)
      else closedUntil.delete(what)
    },
  }
}
