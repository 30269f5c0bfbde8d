import { isTenantLevel, PEOPLE_ADMINS, type Role } from '@instep/contract/roles.ts'
import type { AccountStatus } from '@instep/contract/users.ts'

/** Who may open a page: those who look after people, or those who see the whole tenant. */
export type Audience = 'people' | 'tenant'

export interface NavigationItem {
  key: 'dashboard' | 'people' | 'connectors' | 'runs' | 'logs'
  for: Audience
  /** Filters shown below the item; the first is the item itself. */
  statuses?: readonly AccountStatus[]
}

const NAVIGATION: readonly NavigationItem[] = [
  { key: 'dashboard', for: 'people' },
  { key: 'people', for: 'people', statuses: ['all', 'claimed', 'notClaimed', 'notInvited', 'inactive'] },
  { key: 'connectors', for: 'tenant' },
  { key: 'runs', for: 'tenant' },
  { key: 'logs', for: 'tenant' },
]

/** Whether someone of these roles belongs to an audience. The data-protection role alone belongs to none. */
export const isAmong = (audience: Audience, roles: readonly Role[]): boolean =>
  audience === 'tenant' ? isTenantLevel(roles) : PEOPLE_ADMINS.some((role) => roles.includes(role))

/** What someone of these roles finds in the navigation. */
export const navigationFor = (roles: readonly Role[]): readonly NavigationItem[] => NAVIGATION.filter((item) => isAmong(item.for, roles))
