import { Banner } from '@instep/ui/banner.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useScope } from '../shared/scope.tsx'
import { useMaintenance } from '../shared/use-maintenance.ts'
import { AudienceGate } from './audience-gate.tsx'
import styles from './console-layout.module.css'
import { SessionGate } from './session-gate.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { useOpenedPage } from './use-opened-page.ts'
import { usePagesAhead } from './use-pages-ahead.ts'
import { useWidth } from './use-width.ts'
import { WorkplaceGate } from './workplace-gate.tsx'

/** The console around every page: who is signed in, where they work, navigation, tabs, and the sheet. */
export function ConsoleLayout() {
  return (
    <SessionGate>
      <WorkplaceGate>
        <Console />
      </WorkplaceGate>
    </SessionGate>
  )
}

function Console() {
  const { t } = useTranslation('shell')
  const { tenant } = useScope()
  const maintenance = useMaintenance()
  const { pathname } = useLocation()
  const width = useWidth()
  const { audience, needsSites } = useMatches().at(-1)?.staticData ?? {}
  const [overlay, setOverlay] = useState(false)
  const [dismissed, setDismissed] = useState(false)
  const sheet = useRef<HTMLElement>(null)
  useOpenedPage()
  usePagesAhead()
  useForgetOtherTenants(tenant.id)

  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the navigation that lies over the page
  useEffect(() => setOverlay(false), [pathname])

  return (
    <div className={styles.app} data-shell>
      <button type="button" className={styles.skip} onClick={() => sheet.current?.focus()}>
        {t('skip')}
      </button>
      {maintenance.active && !dismissed && (
        <Banner tone="warn" onDismiss={() => setDismissed(true)}>
          {maintenance.message}
        </Banner>
      )}
      <div className={styles.frame}>
        <Sidebar width={width} overlay={overlay} onOverlay={setOverlay} />
        <div className={styles.column}>
          <TopBar narrow={width === 'narrow'} onNavigation={() => setOverlay(true)} />
          <main ref={sheet} id="content" className={styles.sheet} tabIndex={-1}>
            <Suspense fallback={<Loader label={t('common:loading')} />}>
              <AudienceGate key={tenant.id} audience={audience} needsSites={needsSites}>
                <Outlet />
              </AudienceGate>
            </Suspense>
          </main>
        </div>
      </div>
    </div>
  )
}

/** Drops what was fetched for one tenant when another is picked. */
const useForgetOtherTenants = (tenantId: string): void => {
  const cache = useQueryClient()
  const last = useRef(tenantId)
  useEffect(() => {
    if (last.current === tenantId) return
    last.current = tenantId
    cache.removeQueries({ predicate: (query) => !['tenants.me', 'tenants.list'].includes(String(query.queryKey[0])) && !query.isActive() })
  }, [tenantId, cache])
}
