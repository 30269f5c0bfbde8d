import { useState } from 'react'

/**
 * Which opening this is, counted from 1: as the `key` of what floats above, it makes that anew each time, also where the last one still fades
 * away. Nothing typed and thrown away comes back because somebody was quick.
 */
export const useOpening = (opened: boolean): number => {
  const [before, setBefore] = useState({ opened, opening: opened ? 1 : 0 })
  if (before.opened === opened) return before.opening
  const opening = before.opening + (opened ? 1 : 0)
  setBefore({ opened, opening })
  return opening
}
