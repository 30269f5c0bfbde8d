import { useMatch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useConsole } from '../shell/console-store.ts'
import { tabKeyOf, withTitle } from '../shell/opened-tabs.ts'

/** Names the page's folder tab and the window, where the route's own name says too little: a person, a connector, a run. */
export const usePageTitle = (title: string | undefined): void => {
  // of the page that is drawn: the address names the next one already while this one still stands
  const pathname = useMatch({ strict: false, select: (match) => match.pathname })
  useEffect(() => {
    if (!title) return
    const { tabs, set } = useConsole.getState()
    const named = withTitle(tabs, tabKeyOf(pathname), title)
    if (named !== tabs) set({ tabs: [...named] })
  }, [title, pathname])
}
