import { listSiteGroups, listSites } from '@instep/contract/sites.ts'
import { getMe, listTenants } from '@instep/contract/tenants.ts'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { IconBuildingOff } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint, useEveryPage } from '../api/use-endpoint.ts'
import { ProblemNotice } from '../shared/problem-notice.tsx'
import { WorkplaceProvider } from '../shared/scope.tsx'
import { useConsole } from './console-store.ts'
import { isAmong } from './navigation.ts'

const FIVE_MINUTES = 5 * 60_000
const A_MOMENT = 1000
/** Browsers count no further, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1 - A_MOMENT

interface WorkplaceGateProps {
  children: ReactNode
}

/** Learns who is signed in and where they work before any page asks: the administrator, the tenant picked, its sites. */
export function WorkplaceGate({ children }: WorkplaceGateProps) {
  const { t } = useTranslation('shell')
  const picked = useConsole((state) => state.tenantId)
  const me = useEndpoint(getMe, {}, { staleTime: FIVE_MINUTES })
  const tenants = useEndpoint(listTenants, {}, { staleTime: FIVE_MINUTES })
  const all = tenants.data?.data
  const tenant = all?.find((one) => one.id === picked) ?? all?.find((one) => one.id === me.data?.tenantId) ?? all?.[0]
  const withSites = Boolean(tenant && me.data && isAmong('people', me.data.roles))
  const whole = { key: tenant?.id, enabled: withSites, staleTime: FIVE_MINUTES }
  const inputOf = (token: string | null) => ({
    params: { tenantId: tenant?.id ?? '' },
    query: token === null ? {} : { continuationToken: token },
  })
  const sites = useEveryPage(listSites, { ...whole, inputOf })
  const groups = useEveryPage(listSiteGroups, { ...whole, inputOf })

  useEffect(() => {
    const { tenantId, set } = useConsole.getState()
    if (tenant && tenant.id !== tenantId) set({ tenantId: tenant.id, siteId: null })
  }, [tenant])

  useRefreshAt(tenant?.maintenance.active ? tenant.maintenance.endsAt : null, tenants.refetch)

  const error = me.error ?? tenants.error
  // what is known stays while it cannot be fetched anew
  if (error && !(me.data && all)) {
    const retry = () => void Promise.all([me.refetch(), tenants.refetch()])
    return <ProblemNotice error={error} title={t('gate.startFailed')} onRetry={retry} />
  }
  if (!me.data || !all) return <Loader label={t('common:loading')} />
  if (!tenant) return <EmptyState page icon={IconBuildingOff} title={t('noTenant.title')} text={t('noTenant.text')} />
  return (
    <WorkplaceProvider workplace={{ me: me.data, tenant, tenants: all, sites: sites.data, siteGroups: groups.data }}>
      {children}
    </WorkplaceProvider>
  )
}

/** Asks again once an instant has come. */
const useRefreshAt = (instant: string | null, refresh: () => unknown): void => {
  const now = useEffectEvent(refresh)
  useEffect(() => {
    if (instant === null) return
    const left = Date.parse(instant) - Date.now()
    if (left > LONGEST_TIMER) return
    const timer = setTimeout(() => now(), Math.max(0, left) + A_MOMENT)
    return () => clearTimeout(timer)
  }, [instant])
}
