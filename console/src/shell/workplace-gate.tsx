import { listSiteGroups, listSites } from '@instep/contract/sites.ts'
import { getMe, listTenants } from '@instep/contract/tenants.ts'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { IconBuildingOff } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../api/use-endpoint.ts'
import { ProblemNotice } from '../shared/problem-notice.tsx'
import { WorkplaceProvider } from '../shared/scope.tsx'
import { useConsole } from './console-store.ts'
import { isAmong } from './navigation.ts'

const FIVE_MINUTES = 5 * 60_000

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
  const params = { tenantId: tenant?.id ?? '' }
  const sites = useEndpoint(listSites, { params }, { enabled: withSites, staleTime: FIVE_MINUTES })
  const groups = useEndpoint(listSiteGroups, { params }, { enabled: withSites, staleTime: FIVE_MINUTES })

  useEffect(() => {
    const { tenantId, set } = useConsole.getState()
    if (tenant && tenant.id !== tenantId) set({ tenantId: tenant.id, siteId: null })
  }, [tenant])

  const error = me.error ?? tenants.error
  if (error) {
    const retry = () => void Promise.all([me.refetch(), tenants.refetch()])
    return <ProblemNotice error={error} title={t('gate.startFailed')} onRetry={retry} />
  }
  if (!me.data || !all) return <Loader label={t('common:loading')} />
  if (!tenant) return <EmptyState page icon={IconBuildingOff} title={t('noTenant.title')} text={t('noTenant.text')} />
  return (
    <WorkplaceProvider workplace={{ me: me.data, tenant, tenants: all, sites: sites.data?.data, siteGroups: groups.data?.data }}>
      {children}
    </WorkplaceProvider>
  )
}
