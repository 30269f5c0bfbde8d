import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useConsole } from '../shell/console-store.ts'
import { tabKeyOf, withTitle } from '../shell/opened-tabs.ts'

/** Names the page's folder tab and the window, where the route's own name says too little: a person, a connector, a run. */
export const usePageTitle = (title: string | undefined): void => {
  const { pathname } = useLocation()
  useEffect(() => {
    if (!title) return
    const { tabs, set } = useConsole.getState()
    const named = withTitle(tabs, tabKeyOf(pathname), title)
    if (named !== tabs) set({ tabs: [...named] })
  }, [title, pathname])
}
