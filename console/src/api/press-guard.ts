/** Milliseconds in which a second press is still the same one: the time that systems allow for a double press. */
const DOUBLE_PRESS = 500

/** What a press asks for. */
export interface Press {
  /** What it is about: one such press at a time. */
  about: string
  /** All that it says. */
  whole: string
}

/** Lets one of several presses for the same through. */
export interface PressGuard {
  /** Whether a press counts: not while another about the same is under way, nor shortly after the very same was carried out. */
  enter: (press: Press) => boolean
  /** What was pressed for is over; where it failed, pressing again counts at once. */
  leave: (press: Press, carriedOut: boolean) => void
}

/** `now` in milliseconds. */
export const createPressGuard = (now: () => number = Date.now): PressGuard => {
  const underWay = new Set<string>()
  let last = { whole: '', until: 0 }
  return {
    enter: ({ about, whole }) => {
      if (underWay.has(about) || (last.whole === whole && now() < last.until)) return false
      underWay.add(about)
      return true
    },
    leave: ({ about, whole }, carriedOut) => {
      underWay.delete(about)
      if (carriedOut) last = { whole, until: now() + DOUBLE_PRESS }
    },
  }
}
