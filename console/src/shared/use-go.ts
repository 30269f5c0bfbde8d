import { useCallback } from 'react'
import { useAddressBar } from '../router/router.tsx'

/** Goes to an address of `paths.ts`; `replace` leaves no step in the history. */
export const useGo = (): ((href: string, options?: { replace?: boolean }) => void) => {
  const addressBar = useAddressBar()
  return useCallback((href, options) => (options?.replace ? addressBar.replace(href) : addressBar.push(href)), [addressBar])
}
