import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Fetches the code of the page at an address of the console before somebody goes there. Nothing happens where it cannot be had: going there tells. */
export const useFetchAhead = () => {
  const router = useRouter()
  return useCallback(
    async (href: string): Promise<void> => {
      const { pathname } = new URL(href, window.location.origin)
      const [matched] = router.getMatchedRoutes(pathname)
      await Promise.all(matched.map((route) => router.loadRouteChunk(route))).catch(() => undefined)
    },
    [router],
  )
}
