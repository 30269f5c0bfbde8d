import type { OpenTab } from './console-store.ts'

/** The tab of a page: pages of one kind at one place share a tab, whatever their filter. `/sites/{id}` keeps the place apart. */
export const tabKeyOf = (pathname: string): string => (pathname === '/' ? 'mesh' : pathname.replace(/^\/+|\/+$/g, ''))

/** The tabs after a page was opened: its own tab takes the new address, or a new one stands at the end. The same list when nothing changes. */
export const withOpened = (tabs: readonly OpenTab[], pathname: string, href: string): readonly OpenTab[] => {
  const key = tabKeyOf(pathname)
  const known = tabs.find((tab) => tab.key === key)
  if (!known) return [...tabs, { key, href, title: null }]
  return known.href === href ? tabs : tabs.map((tab) => (tab.key === key ? { ...tab, href } : tab))
}

/** The tabs after one was named by its page. The same list when it already has that name. */
export const withTitle = (tabs: readonly OpenTab[], key: string, title: string): readonly OpenTab[] =>
  tabs.some((tab) => tab.key === key && tab.title !== title) ? tabs.map((tab) => (tab.key === key ? { ...tab, title } : tab)) : tabs

/** The tabs after one was closed, and which to show if it was the one in front: the neighbour, the later one first. */
export const withClosed = (tabs: readonly OpenTab[], key: string): { tabs: readonly OpenTab[]; next: OpenTab | undefined } => {
  const at = tabs.findIndex((tab) => tab.key === key)
  const left = tabs.filter((tab) => tab.key !== key)
  return { tabs: left, next: left[at] ?? left.at(-1) }
}
