import type { IconShape } from '@instep/ui/icon.tsx'
import { Icon } from '@instep/ui/icon.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import {
  IconActivity,
  IconBuildingStore,
  IconChecklist,
  IconChevronDown,
  IconChevronRight,
  IconDashboard,
  IconListDetails,
  IconMail,
  IconPencil,
  IconPlugConnected,
  IconSettings,
  IconUserQuestion,
  IconUsers,
} from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { AppLink } from '../shared/app-link.tsx'
import { useScope } from '../shared/scope.tsx'
import { useConsole } from './console-store.ts'
import { hrefOf, itemAt, type NavigationItem, navigationFor } from './navigation.ts'
import styles from './navigation-list.module.css'

const ICONS: Record<NavigationItem['key'], IconShape> = {
  dashboard: IconDashboard,
  people: IconUsers,
  connectors: IconPlugConnected,
  runs: IconActivity,
  cases: IconUserQuestion,
  tasks: IconChecklist,
  messages: IconMail,
  logs: IconListDetails,
  overrides: IconPencil,
  sites: IconBuildingStore,
  settings: IconSettings,
}

// its call's schema need not be there before the page is
const CaseCount = lazy(() => import('./case-count.tsx').then(({ CaseCount: shown }) => ({ default: shown })))

const TaskCount = lazy(() => import('./task-count.tsx').then(({ TaskCount: shown }) => ({ default: shown })))

interface NavigationListProps {
  /** Icons alone. */
  small: boolean
}

/** The pages of the console in one column; below People its filters, on a rail. */
export function NavigationList({ small }: NavigationListProps) {
  const { t } = useTranslation('shell')
  const { me } = useScope()
  const { pathname, search } = useLocation()
  const siteId = useConsole((state) => state.siteId)
  const open = useConsole((state) => state.subMenuOpen)
  const set = useConsole((state) => state.set)
  const status = (search as Record<string, string>)['status'] ?? 'all'
  return (
    <nav aria-label={t('navigation')} className={small ? styles.small : undefined}>
      <ul className={styles.list}>
        {navigationFor(me.roles).map((item) => {
          const within = itemAt(pathname) === item.key
          const withSub = Boolean(item.statuses) && !small
          const label = t(`nav.${item.key}`)
          return (
            <li key={item.key}>
              <div className={styles.line}>
                <AppLink
                  className={styles.item}
                  href={hrefOf(item.key, siteId)}
                  aria-current={within && !(withSub && open) ? 'page' : undefined}
                  aria-label={small ? label : undefined}
                  data-tip={small ? label : undefined}
                >
                  <Icon of={ICONS[item.key]} size={17} />
                  {!small && label}
                  {item.key === 'tasks' && !small && (
                    <Suspense fallback={null}>
                      <TaskCount />
                    </Suspense>
                  )}
                  {item.key === 'cases' && !small && (
                    <Suspense fallback={null}>
                      <CaseCount />
                    </Suspense>
                  )}
                </AppLink>
                {withSub && (
                  <IconButton
                    small
                    mirrors={!open}
                    className={styles.toggle}
                    icon={open ? IconChevronDown : IconChevronRight}
                    label={t(open ? 'people.close' : 'people.open')}
                    aria-expanded={open}
                    onClick={() => set({ subMenuOpen: !open })}
                  />
                )}
              </div>
              {withSub && open && (
                <ul className={styles.sub} aria-label={label}>
                  {item.statuses?.map((one) => (
                    <li key={one}>
                      <AppLink
                        className={styles.item}
                        href={paths.people({ siteId, status: one })}
                        aria-current={within && status === one ? 'page' : undefined}
                      >
                        {t(`people.${one}`)}
                      </AppLink>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
