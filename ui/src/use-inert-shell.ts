import { useEffect } from 'react'

let holders = 0

const mark = (change: number): void => {
  holders += change
  for (const shell of document.querySelectorAll<HTMLElement>('[data-shell]')) shell.inert = holders > 0
}

/** While `open`, everything marked `data-shell` takes neither focus nor clicks: what floats above it is all there is. */
export const useInertShell = (open: boolean): void => {
  useEffect(() => {
    if (!open) return
    mark(1)
    return () => mark(-1)
  }, [open])
}
