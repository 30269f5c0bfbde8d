import { useEffect, useEffectEvent } from 'react'

/** Ctrl+S, or Cmd+S, saves wherever on the page or in the drawer focus is. */
export const useSaveShortcut = (save: () => void): void => {
  const now = useEffectEvent(save)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      now()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
