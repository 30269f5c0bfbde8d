import { FolderTabs } from '@instep/ui/folder-tabs.tsx'
import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useGo } from '../shared/use-go.ts'
import { HOME_TAB, useConsole } from './console-store.ts'
import { tabKeyOf, withClosed } from './opened-tabs.ts'
import { useTabTitle } from './use-tab-title.ts'

/** The opened pages as folder tabs. The last one cannot be closed when it is the home tab; closing any other last one goes home. */
export function OpenedTabs() {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const go = useGo()
  const tabs = useConsole((state) => state.tabs)
  const set = useConsole((state) => state.set)
  const titleOf = useTabTitle()
  const current = tabKeyOf(pathname)
  const close = (key: string) => {
    const { tabs: left, next } = withClosed(tabs, key)
    set({ tabs: [...left] })
    if (key === current) go(next?.href ?? '/')
  }
  const closable = (key: string) => tabs.length > 1 || key !== HOME_TAB
  return (
    <FolderTabs
      label={t('openedPages')}
      current={current}
      tabs={tabs.map((tab) => {
        const title = titleOf(tab)
        return { key: tab.key, href: tab.href, title, closeLabel: closable(tab.key) ? t('closeTab', { title }) : undefined }
      })}
      onOpen={(tab) => go(tab.href)}
      onClose={(tab) => close(tab.key)}
    />
  )
}
