import { useEffect } from 'react'
import { useConsole } from './console-store.ts'

const dark = window.matchMedia('(prefers-color-scheme: dark)')

/** Sets colour scheme and row height on the root, and follows the system where that is chosen. */
export const useAppearance = (): void => {
  const theme = useConsole((state) => state.theme)
  const density = useConsole((state) => state.density)
  useEffect(() => {
    const apply = () => {
      const scheme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
      document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
    }
    apply()
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [theme])
  useEffect(() => {
    document.documentElement.setAttribute('data-density', density)
  }, [density])
}
