import { useLocation, useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useScope } from '../shared/scope.tsx'
import { useConsole } from './console-store.ts'
import { isAtSite } from './navigation.ts'
import { tabKeyOf, withOpened } from './opened-tabs.ts'
import { useTabTitle } from './use-tab-title.ts'

/** Keeps the folder tabs, the active route, the picked site and the window's title in step with the address. */
export const useOpenedPage = (): void => {
  const { t } = useTranslation()
  const { pathname, href } = useLocation()
  const { siteId, sites } = useScope()
  const tabs = useConsole((state) => state.tabs)
  const leadsNowhere = useMatches().at(-1)?.routeId.endsWith('/$') ?? false
  const titleOf = useTabTitle()
  const tab = tabs.find((one) => one.key === tabKeyOf(pathname))

  useEffect(() => {
    if (leadsNowhere) return
    const { tabs: before, set } = useConsole.getState()
    set({ tabs: [...withOpened(before, pathname, href)], activeRoute: pathname === '/' ? 'dashboard' : pathname.slice(1) })
  }, [pathname, href, leadsNowhere])

  useEffect(() => {
    if (!isAtSite(pathname)) return
    const known = siteId === null || !sites || sites.some((site) => site.id === siteId)
    useConsole.getState().set({ siteId: known ? siteId : null })
  }, [pathname, siteId, sites])

  const title = leadsNowhere ? t('shell:nav.notFound') : tab && titleOf(tab)
  useEffect(() => {
    document.title = title ? `${title} · ${t('product')}` : t('product')
  }, [title, t])
}
