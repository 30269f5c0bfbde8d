import { createSite, createSiteGroup } from '@instep/contract/sites.ts'
import { Button } from '@instep/ui/button.tsx'
import { CountTabs } from '@instep/ui/count-tabs.tsx'
import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import { GroupDrawer } from './group-drawer.tsx'
import { GroupList } from './group-list.tsx'
import { SiteDrawer } from './site-drawer.tsx'
import { SiteList } from './site-list.tsx'
import styles from './sites.module.css'

const PANEL = 'sites-panel'

/** Sites and site groups, each in a tab of its own. The address holds tab, search and what is open. */
export function SitesPage() {
  const { t } = useTranslation('sites')
  const { sites } = useScope()
  const { number } = useFormat()
  const refusal = useRefusal()
  const [search, change] = usePageSearch()
  const tab = search['tab'] === 'groups' ? 'groups' : 'sites'
  const groups = tab === 'groups'
  const close = () => change({ form: undefined, open: undefined }, { replace: true })
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={sites && t('count', { count: sites.length, amount: number(sites.length) })}
        actions={
          <Button
            variant="primary"
            icon={IconPlus}
            disabledReason={refusal.ofCall(groups ? createSiteGroup : createSite)}
            onClick={() => change({ form: 'new' })}
          >
            {t(groups ? 'group.create' : 'site.create')}
          </Button>
        }
      />
      <div className={styles.tabs}>
        <CountTabs
          label={t('title')}
          tabs={[
            { key: 'sites', label: t('tabs.sites') },
            { key: 'groups', label: t('tabs.groups') },
          ]}
          current={tab}
          onChange={(key) =>
            change({ tab: key === 'sites' ? undefined : key, search: undefined, group: undefined, inactive: undefined, open: undefined })
          }
          panelId={PANEL}
        />
      </div>
      <div id={PANEL} role="tabpanel" aria-label={t(`tabs.${tab}`)} className={styles.panel}>
        {groups ? <GroupList /> : <SiteList />}
      </div>
      {groups ? (
        <GroupDrawer groupId={search['open'] ?? null} creating={search['form'] === 'new'} onClose={close} />
      ) : (
        <SiteDrawer
          siteId={search['open'] ?? null}
          creating={search['form'] === 'new'}
          onClose={close}
          onClosed={(run) => change({ form: undefined, open: undefined, ...(run !== null && { run }) }, { replace: true })}
        />
      )}
    </Page>
  )
}
