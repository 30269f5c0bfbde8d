import { useEffect } from 'react'

import { useScope } from '../shared/scope.tsx'
import { useFetchAhead } from '../shared/use-fetch-ahead.ts'
import { hrefOf, navigationFor } from './navigation.ts'

/** Milliseconds that the page which was asked for has the line to itself. */
const HEAD_START = 3000

const whenIdle = (then: () => void): void => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(then)
  else setTimeout(then, 200)
}

const sparing = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/** Fetches the pages of the navigation one after the other while nothing else is to do, unless the reader's device saves data. */
export const usePagesAhead = (): void => {
  const { me } = useScope()
  const fetchAhead = useFetchAhead()
  useEffect(() => {
    const left = sparing() ? [] : navigationFor(me.roles).map((item) => hrefOf(item.key, null))
    const next = async () => {
      const href = left.shift()
      if (href === undefined) return
      await fetchAhead(href)
      whenIdle(() => void next())
    }
    const timer = setTimeout(() => whenIdle(() => void next()), HEAD_START)
    return () => {
      clearTimeout(timer)
      left.length = 0
    }
  }, [me.roles, fetchAhead])
}
