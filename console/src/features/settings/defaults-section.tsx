import { isTenantLevel } from '@instep/contract/roles.ts'
import { createDefaults, type Defaults, getDefaults, getSiteDefaults } from '@instep/contract/settings.ts'
import { Loader } from '@instep/ui/loader.tsx'
import { PageToolbar } from '@instep/ui/page.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { paths } from '../../paths.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useGo } from '../../shared/use-go.ts'
import { useGroupedSites } from '../../shared/use-grouped-sites.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import { DefaultsForm } from './defaults-form.tsx'
import styles from './settings.module.css'

const effectiveToo = { effective: 'true' } as const

/** What is filled in for new people: of the tenant, or of the site of the address over what it inherits. */
export function DefaultsSection() {
  const { t } = useTranslation(['settings', 'common'])
  const { me, tenant, tenantId, siteId } = useScope()
  const sites = useGroupedSites()
  const go = useGo()
  const byCall = useRefusal().ofCall(createDefaults)
  const ofTenant = useEndpoint(getDefaults, { params: { tenantId }, query: effectiveToo })
  const ofSite = useEndpoint(
    getSiteDefaults,
    { params: { tenantId, siteId: siteId ?? '' }, query: effectiveToo },
    { enabled: siteId !== null },
  )
  const refusal = siteId === null && !isTenantLevel(me.roles) ? t('defaults.tenantOnly') : byCall
  const queries = siteId === null ? [ofTenant] : [ofSite, ofTenant]
  const failed = queries.find(({ error, data }) => error && !data)
  const own = siteId === null ? ofTenant.data : ofSite.data
  return (
    <>
      <div className={styles.tools}>
        <PageToolbar>
          <SelectField
            label={t('defaults.of')}
            hideLabel
            toolbar
            value={siteId ?? ''}
            options={[
              { value: '', label: t('defaults.wholeTenant', { tenant: tenant.name }) },
              ...sites.map(({ id, name, group }) => ({ value: id, label: name, group })),
              // one that is closed, or none at all
              ...(siteId === null || sites.some(({ id }) => id === siteId) ? [] : [{ value: siteId, label: t('defaults.otherSite') }]),
            ]}
            onChange={(value) => go(paths.settings(value || null))}
          />
        </PageToolbar>
      </div>
      {failed ? (
        <ProblemNotice error={failed.error} onRetry={() => queries.forEach((query) => void query.refetch())} />
      ) : own && ofTenant.data ? (
        <DefaultsForm key={keyOf(own)} own={own} tenant={ofTenant.data} refusal={refusal} />
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </>
  )
}

/** Another site's defaults, or those that were saved meanwhile, are another form. */
const keyOf = ({ siteId, updatedAt }: Defaults): string => `${siteId ?? 'tenant'} ${updatedAt ?? 'never'}`
