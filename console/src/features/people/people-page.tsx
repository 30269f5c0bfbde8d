import { ACCOUNT_STATUSES, type AccountStatus } from '@instep/contract/users.ts'
import { Drawer } from '@instep/ui/drawer.tsx'
import { Page, PageToolbar } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { SearchField } from '@instep/ui/search-field.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { PeopleTable } from './people-table.tsx'
import { usePeople } from './use-people.ts'

// the order of the filter on screen
const FILTERS: readonly AccountStatus[] = ['all', 'claimed', 'notClaimed', 'notInvited', 'active', 'inactive']
const isFilter = (value: string | undefined): value is AccountStatus => ACCOUNT_STATUSES.some((status) => status === value)

const PersonDrawer = lazy(() => import('./person-drawer.tsx').then((module) => ({ default: module.PersonDrawer })))

/** People of the tenant or of one site. The address holds filter, search and the open profile. */
export function PeoplePage() {
  const { t } = useTranslation(['people', 'common'])
  const [search, change] = usePageSearch()
  const status = isFilter(search['status']) ? search['status'] : 'all'
  const text = search['search'] ?? ''
  const people = usePeople({ status, text })
  const userId = search['userId'] ?? null
  const connectorId = search['connectorId'] ?? null
  const close = () => change({ userId: undefined, connectorId: undefined }, { replace: true })

  return (
    <Page>
      <PageHeader title={t('title')} aside={people.total} busy={people.isFetching} />
      <PageToolbar>
        <SearchField label={t('search')} value={text} onChange={(value) => change({ search: value || undefined }, { replace: true })} />
        <Segmented
          label={t('filter')}
          value={status}
          segments={FILTERS.map((value) => ({ value, label: t(`common:peopleFilter.${value}`) }))}
          onChange={(value) => change({ status: value === 'all' ? undefined : value })}
        />
      </PageToolbar>
      <PeopleTable
        people={people}
        filtered={status !== 'all' || text !== ''}
        openId={userId}
        onOpen={(row) => change({ userId: row.id, connectorId: row.connectorId })}
        onClear={() => change({ status: undefined, search: undefined })}
      />
      {search['form'] === 'new' ? (
        <Suspense fallback={null}>
          <PersonDrawer
            mode="create"
            onClose={() => change({ form: undefined }, { replace: true })}
            onSaved={() => void people.refetch()}
          />
        </Suspense>
      ) : userId && connectorId ? (
        <Suspense fallback={null}>
          <PersonDrawer userId={userId} connectorId={connectorId} onClose={close} onSaved={() => void people.refetch()} />
        </Suspense>
      ) : (
        <Drawer opened={false} onClose={close} title={t('profile.title')}>
          {null}
        </Drawer>
      )}
    </Page>
  )
}
