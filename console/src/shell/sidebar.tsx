import { BrandMark } from '@instep/ui/brand-mark.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { IconLayoutSidebar, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../paths.ts'
import { AppLink } from '../shared/app-link.tsx'
import { useScope } from '../shared/scope.tsx'
import { useConsole } from './console-store.ts'
import { isAmong } from './navigation.ts'
import { NavigationList } from './navigation-list.tsx'
import styles from './sidebar.module.css'
import { SitePicker } from './site-picker.tsx'
import { TenantPicker } from './tenant-picker.tsx'
import type { Width } from './use-width.ts'

interface SidebarProps {
  width: Width
  /** The whole navigation lies over the page, below 1200 px. */
  overlay: boolean
  onOverlay: (open: boolean) => void
}

/** Brand, tenant and site pickers, navigation, and the button that collapses them. */
export function Sidebar({ width, overlay, onOverlay }: SidebarProps) {
  const { t } = useTranslation('shell')
  const { me, tenant, tenants } = useScope()
  const collapsed = useConsole((state) => state.collapsed)
  const set = useConsole((state) => state.set)
  const side = useRef<HTMLElement>(null)
  const rail = !overlay && (width === 'medium' || collapsed)

  useEffect(() => {
    if (!overlay) return
    const before = document.activeElement
    side.current?.querySelector<HTMLElement>('a, button')?.focus()
    const key = (event: KeyboardEvent) => event.key === 'Escape' && onOverlay(false)
    document.addEventListener('keydown', key)
    return () => {
      document.removeEventListener('keydown', key)
      if (before instanceof HTMLElement) before.focus()
    }
  }, [overlay, onOverlay])

  if (width === 'narrow' && !overlay) return null
  const toggle = () => (width === 'wide' ? set({ collapsed: !collapsed }) : onOverlay(!overlay))
  return (
    <>
      {overlay && (
        <button type="button" className={styles.scrim} aria-label={t('closeNavigation')} tabIndex={-1} onClick={() => onOverlay(false)} />
      )}
      <aside ref={side} aria-label={t('sidebar')} className={`${styles.sidebar} ${rail ? styles.rail : ''} ${overlay ? styles.over : ''}`}>
        <AppLink className={styles.brand} href={paths.dashboard()} aria-label={rail ? tenant.name : undefined}>
          <BrandMark />
          {!rail && <span>{tenant.name}</span>}
        </AppLink>
        <div className={styles.pickers}>
          {tenants.length > 1 && <TenantPicker small={rail} />}
          {isAmong('people', me.roles) && <SitePicker small={rail} />}
        </div>
        <div className={styles.scroll}>
          <NavigationList small={rail} />
        </div>
        <div className={styles.foot}>
          {overlay ? (
            <IconButton icon={IconX} label={t('closeNavigation')} onClick={() => onOverlay(false)} />
          ) : (
            <IconButton icon={IconLayoutSidebar} label={t(rail ? 'expand' : 'collapse')} aria-expanded={!rail} mirrors onClick={toggle} />
          )}
        </div>
      </aside>
    </>
  )
}
