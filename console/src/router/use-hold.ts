import { useEffect, useState } from 'react'
import { useAddressBar } from './router.tsx'

interface Holding {
  /** Whether the place is to be held, asked when somebody is about to leave it. */
  holds: () => boolean
  /** The same for closing the tab and loading another address, where the browser asks. */
  holdsTab: () => boolean
}

/** Holds the place while there is something to lose; `held` then says how to leave after all, until `stay` is called. */
export const useHold = ({ holds, holdsTab }: Holding) => {
  const addressBar = useAddressBar()
  const [held, setHeld] = useState<(() => void) | null>(null)
  useEffect(
    () =>
      addressBar.holdWith((proceed) => {
        if (!holds()) return false
        setHeld(() => proceed)
        return true
      }),
    [addressBar, holds],
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (holdsTab()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [holdsTab])
  return { held, stay: () => setHeld(null) }
}
