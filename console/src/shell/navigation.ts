import { isTenantLevel, PEOPLE_ADMINS, type Role } from '@instep/contract/roles.ts'
import type { AccountStatus } from '@instep/contract/users.ts'
import { paths } from '../paths.ts'

/** Who may open a page: those who look after people, or those who see the whole tenant. */
export type Audience = 'people' | 'tenant'

export interface NavigationItem {
  key: 'dashboard' | 'people' | 'overrides' | 'sites' | 'connectors' | 'runs' | 'cases' | 'tasks' | 'messages' | 'logs' | 'settings'
  for: Audience
  /** Filters shown below the item; the first is the item itself. */
  statuses?: readonly AccountStatus[]
}

const NAVIGATION: readonly NavigationItem[] = [
  { key: 'dashboard', for: 'people' },
  { key: 'people', for: 'people', statuses: ['all', 'claimed', 'notClaimed', 'notInvited', 'inactive'] },
  { key: 'overrides', for: 'people' },
  { key: 'sites', for: 'people' },
  { key: 'connectors', for: 'tenant' },
  { key: 'runs', for: 'tenant' },
  { key: 'cases', for: 'tenant' },
  { key: 'tasks', for: 'people' },
  { key: 'messages', for: 'tenant' },
  { key: 'logs', for: 'people' },
  { key: 'settings', for: 'people' },
]

/** Whether someone of these roles belongs to an audience. The data-protection role alone belongs to none. */
export const isAmong = (audience: Audience, roles: readonly Role[]): boolean =>
  audience === 'tenant' ? isTenantLevel(roles) : PEOPLE_ADMINS.some((role) => roles.includes(role))

/** What someone of these roles finds in the navigation. */
export const navigationFor = (roles: readonly Role[]): readonly NavigationItem[] => NAVIGATION.filter((item) => isAmong(item.for, roles))

const OF_A_SITE: readonly NavigationItem['key'][] = ['people', 'overrides', 'tasks', 'settings']

/** Whether the item's page is of one site where one is picked, rather than of the whole tenant. */
export const isOfSite = (key: NavigationItem['key']): boolean => OF_A_SITE.includes(key)

/** Whether the page of an address is of one site, or of all of them where the address names none. */
export const isAtSite = (pathname: string): boolean => {
  const at = itemAt(pathname)
  return at === 'dashboard' || (at !== undefined && isOfSite(at))
}

/** The address of an item's page, at the site that is picked where the page is of one. */
export const hrefOf = (key: NavigationItem['key'], siteId: string | null): string => {
  if (key === 'people') return paths.people({ siteId })
  if (key === 'dashboard' || key === 'overrides' || key === 'settings' || key === 'tasks') return paths[key](siteId)
  return paths[key]()
}

/** The item that a page belongs to: the item's own page, or one below it; undefined for none. */
export const itemAt = (pathname: string): NavigationItem['key'] | undefined => {
  const [, ofSite] = /^\/sites\/[^/]+(?:\/(\w+))?\/?$/.exec(pathname) ?? []
  if (/^\/(sites\/[^/]+\/?)?$/.test(pathname)) return 'dashboard'
  if (pathname.startsWith('/sites-and-groups')) return 'sites'
  const first = ofSite ?? pathname.split('/')[1]
  if (first === 'users') return 'people'
  return NAVIGATION.find(({ key }) => key === first && (ofSite === undefined || isOfSite(key)))?.key
}
