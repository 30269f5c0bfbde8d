import { CountTabs } from '@instep/ui/count-tabs.tsx'
import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { AttributesSection } from './attributes-section.tsx'
import { DefaultsSection } from './defaults-section.tsx'
import { LookupsSection } from './lookups-section.tsx'
import styles from './settings.module.css'

const SECTIONS = ['defaults', 'lookups', 'attributes'] as const
const PANEL = 'settings-panel'

/** Default values, lookup values and security attributes, each in a tab of its own that the address holds. */
export function SettingsPage() {
  // the names of people's fields too, so that the page is not taken away again while they load
  const { t } = useTranslation(['settings', 'people'])
  const { tenant, site } = useScope()
  const [search, change] = usePageSearch()
  const section = SECTIONS.find((one) => one === search['tab']) ?? 'defaults'
  return (
    <Page>
      <PageHeader title={t('title')} aside={section === 'defaults' && site ? site.name : tenant.name} />
      <div className={styles.tabs}>
        <CountTabs
          label={t('title')}
          tabs={SECTIONS.map((key) => ({ key, label: t(`tabs.${key}`) }))}
          current={section}
          onChange={(key) => change({ tab: key === 'defaults' ? undefined : key, kind: undefined, search: undefined, retired: undefined })}
          panelId={PANEL}
        />
      </div>
      <div id={PANEL} role="tabpanel" aria-label={t(`tabs.${section}`)} className={styles.panel}>
        {section === 'defaults' ? <DefaultsSection /> : section === 'lookups' ? <LookupsSection /> : <AttributesSection />}
      </div>
    </Page>
  )
}
