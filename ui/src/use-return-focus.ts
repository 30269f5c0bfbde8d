import { useLayoutEffect } from 'react'

/**
 * Brings focus back to where it was before `open`, once what floated above is gone. It stands in the part that is there from the start: by the
 * time a lazily loaded panel arrives, focus may have moved on.
 */
export const useReturnFocus = (open: boolean): void => {
  useLayoutEffect(() => {
    if (!open) return
    const before = document.activeElement
    return () => {
      // The shell is inert until every effect of closing has run.
      setTimeout(
        () => before instanceof HTMLElement && before !== document.body && before.isConnected && before.focus({ preventScroll: true }),
      )
    }
  }, [open])
}
