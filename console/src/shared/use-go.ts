import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Goes to an address of `paths.ts`; `replace` leaves no step in the history. */
export const useGo = (): ((href: string, options?: { replace?: boolean }) => void) => {
  const { history } = useRouter()
  return useCallback((href, options) => (options?.replace ? history.replace(href) : history.push(href)), [history])
}
