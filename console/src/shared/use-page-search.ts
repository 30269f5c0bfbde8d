import { useLocation } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useGo } from './use-go.ts'

/** The part of the address after "?", name → text. */
export type PageSearch = Readonly<Record<string, string | undefined>>

/**
 * Filters, search text and the open person live in the address: reads them, and changes some of them on the same page. An undefined or
 * empty value is taken out. Filters leave a step in the history; typing should `replace`.
 */
export const usePageSearch = (): [PageSearch, (change: PageSearch, options?: { replace?: boolean }) => void] => {
  const { pathname, search } = useLocation()
  const go = useGo()
  const change = useCallback(
    (changes: PageSearch, options?: { replace?: boolean }) => {
      const next = new URLSearchParams(window.location.search)
      for (const [name, value] of Object.entries(changes)) value ? next.set(name, value) : next.delete(name)
      go(`${pathname}${next.size > 0 ? `?${next}` : ''}`, options)
    },
    [go, pathname],
  )
  return [search as PageSearch, change]
}
