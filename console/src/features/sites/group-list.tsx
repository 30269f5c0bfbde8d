import { LONGEST_SEARCH, PAGE_SIZES } from '@instep/contract/page.ts'
import { createSiteGroup, listSiteGroups, type SiteGroup } from '@instep/contract/sites.ts'
import { Button } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { PageToolbar } from '@instep/ui/page.tsx'
import { SearchField } from '@instep/ui/search-field.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconBuildingCommunity, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './sites.module.css'

const PAGE_SIZE = 25

/** Site groups by name, with the people and administrators of their sites together. */
export function GroupList() {
  const { t } = useTranslation(['sites', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const [search, change] = usePageSearch()
  const [pageSize, setPageSize] = useState(PAGE_SIZE)
  const searchText = search['search'] ?? ''
  const groups = usePages(listSiteGroups, {
    key: [tenantId, searchText, pageSize],
    inputOf: (continuationToken) => ({
      params: { tenantId },
      query: {
        calculated: 'true' as const,
        pageSize,
        searchText: searchText || undefined,
        continuationToken: continuationToken ?? undefined,
      },
    }),
  })
  const columns = useColumns()
  return (
    <>
      <PageToolbar>
        <SearchField
          label={t('group.search')}
          value={searchText}
          longest={LONGEST_SEARCH}
          onChange={(value) => change({ search: value || undefined }, { replace: true })}
        />
      </PageToolbar>
      <DataTable
        label={t('tabs.groups')}
        columns={columns}
        rows={groups.rows}
        rowKey={(group) => group.id}
        onOpen={(group) => change({ open: group.id })}
        openKey={search['open'] ?? null}
        busy={groups.isFetching}
        empty={<NoGroups filtered={searchText !== ''} />}
        error={groups.error && <ProblemNotice error={groups.error} onRetry={groups.refetch} />}
      />
      <TableFooter
        rows={groups.rows}
        shown={groups.rows && t('group.shown', { count: groups.rows.length, amount: number(groups.rows.length) })}
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          groups.hasNextPage
            ? { label: t('common:showMore'), busy: groups.isFetchingNextPage, onMore: () => groups.fetchNextPage() }
            : undefined
        }
      />
    </>
  )
}

function NoGroups({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('sites')
  const [, change] = usePageSearch()
  const mayCreate = useRefusal().ofCall(createSiteGroup) === null
  if (filtered) {
    const clear = <Button onClick={() => change({ search: undefined })}>{t('clearFilters')}</Button>
    return <EmptyState icon={IconBuildingCommunity} title={t('group.noMatch')} actions={clear} />
  }
  return (
    <EmptyState
      icon={IconBuildingCommunity}
      title={t(mayCreate ? 'group.none' : 'group.noneOfYours')}
      text={mayCreate ? t('group.noneText') : undefined}
      actions={
        mayCreate && (
          <Button icon={IconPlus} onClick={() => change({ form: 'new' })}>
            {t('group.create')}
          </Button>
        )
      }
    />
  )
}

const FIGURES = ['sites', 'members', 'adminCount', 'claimed', 'unclaimed'] as const

const useColumns = (): readonly Column<SiteGroup>[] => {
  const { t } = useTranslation('sites')
  const { number } = useFormat()
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('columns.name'),
        cell: (group) => (
          <span className={`${styles.name} clamped`}>
            <bdi>{group.name}</bdi>
          </span>
        ),
        width: '36%',
      },
      ...FIGURES.map(
        (key): Column<SiteGroup> => ({
          key,
          header: t(`columns.${key}`),
          cell: (group) => {
            const count = group[key]
            if (key === 'members' && count) return <AppLink href={paths.people({ siteGroupId: group.id })}>{number(count)}</AppLink>
            return <bdi>{count === null ? '–' : number(count)}</bdi>
          },
          align: 'end',
          figures: true,
        }),
      ),
    ],
    [t, number],
  )
}
