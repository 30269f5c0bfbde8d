import { clearOverrides, listOverrides } from '@instep/contract/overrides.ts'
import { PAGE_SIZES } from '@instep/contract/page.ts'
import { BulkAction, BulkBar } from '@instep/ui/bulk-bar.tsx'
import { Button } from '@instep/ui/button.tsx'
import { DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Page, PageToolbar } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconArrowBackUp, IconPencilOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useGo } from '../../shared/use-go.ts'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import { ClearDialog, type Clearing } from './clear-dialog.tsx'
import { ClearingRun } from './clearing-run.tsx'
import { useOverrideColumns } from './override-columns.tsx'
import styles from './overrides.module.css'
import { AGES, filterOf, keyOf, MOST_NAMED, namedBy } from './overrides.rules.ts'
import { useOverrideWords } from './use-override-words.ts'

const PAGE_SIZE = 25
const NONE: ReadonlySet<string> = new Set()

/** What administrators set over the sources, oldest first; selected ones or all that are found can be taken back. */
export function OverridesPage() {
  const { t } = useTranslation(['overrides', 'common'])
  const { tenantId, siteId, site } = useScope()
  const { number } = useFormat()
  const go = useGo()
  const words = useOverrideWords()
  const refusal = useRefusal().ofCall(clearOverrides)
  const [search, change] = usePageSearch()
  const [pageSize, setPageSize] = useState(PAGE_SIZE)
  const [asking, setAsking] = useState<Clearing | null>(null)
  const filter = filterOf(search, siteId)
  const listKey = JSON.stringify([tenantId, filter])
  // another list starts with nothing selected
  const [picked, setPicked] = useState({ of: listKey, keys: NONE })
  const selected = picked.of === listKey ? picked.keys : NONE
  const select = (keys: ReadonlySet<string>) => setPicked({ of: listKey, keys })
  const list = usePages(listOverrides, {
    key: [tenantId, filter, pageSize],
    inputOf: (continuationToken) => ({
      params: { tenantId },
      query: { ...filter, pageSize, continuationToken: continuationToken ?? undefined },
    }),
  })
  const first = list.pages?.[0]
  const count = first?.count
  const amount = count && number(count.value)
  const unknown = count ? null : t(list.error ? 'common:fetchFailed' : 'common:loading')
  const fields = first?.fields ?? []
  const filtered = Boolean(filter.field || filter.olderThanDays)
  const columns = useOverrideColumns()
  const offered =
    fields.some(({ field }) => field === filter.field) || !filter.field ? fields : [{ field: filter.field, count: 0 }, ...fields]
  const tooMany = selected.size > MOST_NAMED ? t('tooMany', { most: number(MOST_NAMED) }) : null
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={[site?.name, count && t(count.exact ? 'total' : 'totalAbout', { count: count.value, amount })].filter(Boolean).join(' · ')}
        busy={list.isFetching}
        actions={
          <Button
            icon={IconArrowBackUp}
            disabledReason={refusal ?? unknown ?? (count?.value ? null : t('nothingToClear'))}
            onClick={() => count && setAsking({ count: count.value, exact: count.exact, body: { filter } })}
          >
            {t(filtered ? 'clearFound' : 'clearEvery')}
          </Button>
        }
      />
      <PageToolbar>
        <SelectField
          label={t('byField')}
          hideLabel
          toolbar
          value={filter.field ?? ''}
          options={[
            { value: '', label: t('everyField') },
            ...offered.map(({ field, count: of }) => ({
              value: field,
              label: t('fieldCount', { field: words.labelOf(field), amount: number(of) }),
            })),
          ]}
          onChange={(field) => change({ field: field || undefined })}
        />
        <SelectField
          label={t('byAge')}
          hideLabel
          toolbar
          value={filter.olderThanDays === undefined ? '' : String(filter.olderThanDays)}
          options={[
            { value: '', label: t('everyAge') },
            ...AGES.map((days) => ({ value: String(days), label: t('olderThan', { days: number(days) }) })),
          ]}
          onChange={(age) => change({ age: age || undefined })}
        />
      </PageToolbar>
      {search['run'] && (
        <ClearingRun key={search['run']} runId={search['run']} onDismiss={() => change({ run: undefined }, { replace: true })} />
      )}
      <div className={`${styles.table} ${selected.size > 0 ? styles.selecting : ''}`}>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={list.rows}
          rowKey={keyOf}
          onOpen={({ userId, connectorId }) => go(paths.people({ siteId, userId, connectorId }))}
          selection={{
            selected,
            onChange: select,
            allLabel: t('selectAll'),
            rowLabel: (row) => t('selectOne', { name: row.displayName, field: words.labelOf(row.field) }),
          }}
          busy={list.isFetching}
          empty={
            <EmptyState
              icon={IconPencilOff}
              title={t(filtered ? 'noMatch' : 'none')}
              text={filtered ? undefined : t('noneText')}
              actions={filtered && <Button onClick={() => change({ field: undefined, age: undefined })}>{t('clearFilters')}</Button>}
            />
          }
          error={list.error && <ProblemNotice error={list.error} onRetry={list.refetch} />}
        />
        {selected.size > 0 && (
          <BulkBar
            label={t('selectionBar')}
            count={t('selected', { count: selected.size, amount: number(selected.size) })}
            clear={{ label: t('selectNone'), onClear: () => select(NONE) }}
          >
            <BulkAction
              icon={IconArrowBackUp}
              disabledReason={refusal ?? tooMany}
              onClick={() => setAsking({ count: selected.size, exact: true, body: { overrides: namedBy(selected) } })}
            >
              {t('clearSelected')}
            </BulkAction>
          </BulkBar>
        )}
      </div>
      <TableFooter
        rows={list.rows}
        shown={
          list.rows && count && t(count.exact ? 'shown' : 'shownAbout', { shown: number(list.rows.length), count: count.value, amount })
        }
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          list.hasNextPage ? { label: t('common:showMore'), busy: list.isFetchingNextPage, onMore: () => list.fetchNextPage() } : undefined
        }
      />
      <ClearDialog
        clearing={asking}
        onClose={() => setAsking(null)}
        onStarted={(runId) => {
          setAsking(null)
          select(NONE)
          change({ run: runId }, { replace: true })
        }}
      />
    </Page>
  )
}
