import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { expiredSignal } from '../shell/expired-signal.ts'

/**
 * Keeps what was typed from being left by mistake: `leave(then)` asks first while there is something to lose, and so does the browser's way
 * back, another page and closing the tab. A session that has expired is let go: the draft comes back after signing in.
 */
export const useLeaveGuard = (dirty: boolean) => {
  const free = useRef(false)
  const [then, setThen] = useState<(() => void) | null>(null)
  const blocker = useBlocker({
    shouldBlockFn: () => dirty && !free.current,
    enableBeforeUnload: () => dirty && !free.current && !expiredSignal.get(),
    withResolver: true,
  })
  const asking = then !== null || blocker.status === 'blocked'
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
      if (blocker.status === 'blocked') blocker.reset()
    },
    /** Leaves after all. */
    go: (): void => {
      free.current = true
      setThen(null)
      if (blocker.status === 'blocked') blocker.proceed()
      else then?.()
    },
  }
}
