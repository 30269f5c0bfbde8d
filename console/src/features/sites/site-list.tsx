import { LONGEST_SEARCH, PAGE_SIZES } from '@instep/contract/page.ts'
import { createSite, listSites, type Site } from '@instep/contract/sites.ts'
import { Button } from '@instep/ui/button.tsx'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { IconMark } from '@instep/ui/icon-mark.tsx'
import { PageToolbar } from '@instep/ui/page.tsx'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { SearchField } from '@instep/ui/search-field.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconBuildingStore, IconCalendarTime, IconEyeOff, IconPlus } from '@tabler/icons-react'
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
import { EmptyingRun } from './emptying-run.tsx'
import styles from './sites.module.css'

const PAGE_SIZE = 25

/** Sites by name with their people and administrators; closed ones when asked for. */
export function SiteList() {
  const { t } = useTranslation(['sites', 'common'])
  const { tenantId, siteGroups = [] } = useScope()
  const { number } = useFormat()
  const [search, change] = usePageSearch()
  const [pageSize, setPageSize] = useState(PAGE_SIZE)
  const searchText = search['search'] ?? ''
  const groupId = search['group'] ?? ''
  const inactive = search['inactive'] === 'true'
  const sites = usePages(listSites, {
    key: [tenantId, searchText, groupId, inactive, pageSize],
    inputOf: (continuationToken) => ({
      params: { tenantId },
      query: {
        calculated: 'true' as const,
        inactive: inactive ? ('true' as const) : undefined,
        pageSize,
        searchText: searchText || undefined,
        groupId: groupId || undefined,
        continuationToken: continuationToken ?? undefined,
      },
    }),
  })
  const columns = useColumns()
  const filtered = searchText !== '' || groupId !== ''
  return (
    <>
      <PageToolbar>
        <SearchField
          label={t('site.search')}
          value={searchText}
          longest={LONGEST_SEARCH}
          onChange={(value) => change({ search: value || undefined }, { replace: true })}
        />
        {siteGroups.length > 0 && (
          <SelectField
            label={t('site.byGroup')}
            hideLabel
            toolbar
            value={groupId}
            options={[{ value: '', label: t('site.everyGroup') }, ...siteGroups.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={(value) => change({ group: value || undefined })}
          />
        )}
        <Checkbox
          label={t('site.showInactive')}
          showLabel
          checked={inactive}
          onChange={(checked) => change({ inactive: checked ? 'true' : undefined })}
        />
      </PageToolbar>
      {search['run'] && (
        <EmptyingRun key={search['run']} runId={search['run']} onDismiss={() => change({ run: undefined }, { replace: true })} />
      )}
      <DataTable
        label={t('tabs.sites')}
        columns={columns}
        rows={sites.rows}
        rowKey={(site) => site.id}
        onOpen={(site) => change({ open: site.id })}
        openKey={search['open'] ?? null}
        busy={sites.isFetching}
        empty={filtered ? <NoMatch onClear={() => change({ search: undefined, group: undefined })} /> : <NoSites />}
        error={sites.error && <ProblemNotice error={sites.error} onRetry={sites.refetch} />}
      />
      <TableFooter
        rows={sites.rows}
        shown={sites.rows && t('site.shown', { count: sites.rows.length, amount: number(sites.rows.length) })}
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          sites.hasNextPage
            ? { label: t('common:showMore'), busy: sites.isFetchingNextPage, onMore: () => sites.fetchNextPage() }
            : undefined
        }
      />
    </>
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('sites')
  return <EmptyState icon={IconBuildingStore} title={t('site.noMatch')} actions={<Button onClick={onClear}>{t('clearFilters')}</Button>} />
}

/** No site yet, or none of the caller's; who may add one is shown the way. */
function NoSites() {
  const { t } = useTranslation('sites')
  const [, change] = usePageSearch()
  const mayCreate = useRefusal().ofCall(createSite) === null
  return (
    <EmptyState
      icon={IconBuildingStore}
      title={t(mayCreate ? 'site.none' : 'site.noneOfYours')}
      text={mayCreate ? t('site.noneText') : t('site.noneOfYoursText')}
      actions={
        mayCreate && (
          <Button icon={IconPlus} onClick={() => change({ form: 'new' })}>
            {t('site.create')}
          </Button>
        )
      }
    />
  )
}

const useColumns = (): readonly Column<Site>[] => {
  const { t } = useTranslation('sites')
  const { number } = useFormat()
  const { siteGroups } = useScope()
  return useMemo(() => {
    const groupOf = (site: Site) => siteGroups?.find(({ id }) => id === site.groupId)?.name
    const figure = (key: 'adminCount' | 'claimed' | 'unclaimed'): Column<Site> => ({
      key,
      header: t(`columns.${key}`),
      cell: (site) => {
        const count = site[key]
        return <bdi>{count === null ? '–' : number(count)}</bdi>
      },
      width: '90px',
      align: 'end',
      figures: true,
    })
    return [
      {
        key: 'name',
        header: t('columns.name'),
        cell: (site) => (
          <span className={`${styles.name} clamped`}>
            <bdi>{site.name}</bdi>
          </span>
        ),
        width: '20%',
      },
      {
        key: 'group',
        header: t('columns.group'),
        cell: (site) => (
          <span className="clamped">
            <bdi>{groupOf(site) ?? <No />}</bdi>
          </span>
        ),
      },
      {
        key: 'members',
        header: t('columns.members'),
        cell: (site) =>
          site.members ? (
            <AppLink href={paths.people({ siteId: site.id })}>{number(site.members)}</AppLink>
          ) : (
            <bdi>{site.members === null ? '–' : number(0)}</bdi>
          ),
        width: '90px',
        align: 'end',
        figures: true,
      },
      figure('adminCount'),
      figure('claimed'),
      figure('unclaimed'),
      {
        key: 'prefix',
        header: t('columns.prefix'),
        cell: (site) => <bdi className={styles.prefix}>{site.employeeIdPrefix || '–'}</bdi>,
        width: '120px',
        figures: true,
      },
      {
        key: 'restricted',
        header: t('columns.restricted'),
        cell: (site) => (site.restricted ? <IconMark icon={IconEyeOff} label={t('yes.restricted')} showLabel /> : <No />),
        width: '120px',
      },
      {
        key: 'shifts',
        header: t('columns.shifts'),
        cell: (site) => (site.shiftsEnabled ? <IconMark icon={IconCalendarTime} label={t('yes.shifts')} showLabel /> : <No />),
        width: '100px',
      },
      {
        key: 'status',
        header: t('columns.status'),
        cell: (site) => <RunMark state={site.active ? 'succeeded' : 'disabled'} word={t(site.active ? 'active' : 'inactive')} />,
        width: '110px',
      },
    ]
  }, [t, number, siteGroups])
}

function No() {
  return <span className={styles.none}>–</span>
}
