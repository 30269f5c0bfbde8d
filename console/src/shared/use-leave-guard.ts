import { useRef, useState } from 'react'
import { useHold } from '../router/use-hold.ts'
import { expiredSignal } from '../shell/expired-signal.ts'

/**
 * Keeps what was typed from being left by mistake: `leave(then)` asks first while there is something to lose, and so does the browser's way
 * back, another page and closing the tab. A session that has expired is let go: the draft comes back after signing in.
 */
export const useLeaveGuard = (dirty: boolean) => {
  const free = useRef(false)
  const [then, setThen] = useState<(() => void) | null>(null)
  const { held, stay } = useHold({
    holds: () => dirty && !free.current,
    holdsTab: () => dirty && !free.current && !expiredSignal.get(),
  })
  const asking = then !== null || held !== null
  return {
    asking,
    leave: (go: () => void): void => {
      if (dirty && !free.current) setThen(() => go)
      else go()
    },
    /** From now on leaving loses nothing. */
    release: (): void => {
      free.current = true
    },
    stay: (): void => {
      setThen(null)
      stay()
    },
    /** Leaves after all. */
    go: (): void => {
      free.current = true
      setThen(null)
      if (held) {
        stay()
        held()
      } else then?.()
    },
  }
}
