import { createLookup, KEPT_KINDS, type LookupValue, listLookups, type ReferenceKind, updateLookup } from '@instep/contract/lookups.ts'
import { LONGEST_SEARCH, PAGE_SIZES } from '@instep/contract/page.ts'
import { Button } from '@instep/ui/button.tsx'
import { Checkbox } from '@instep/ui/checkbox.tsx'
import { DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { PageToolbar } from '@instep/ui/page.tsx'
import { SearchField } from '@instep/ui/search-field.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconListSearch, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import { useLookupColumns } from './lookup-columns.tsx'
import { LookupDrawer } from './lookup-drawer.tsx'
import styles from './settings.module.css'
import { useKindWords } from './use-kind-words.ts'

const PAGE_SIZE = 25

/** The values that departments, job titles, locations … are picked from. */
export function LookupsSection() {
  const { t } = useTranslation(['settings', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const kindText = useKindWords()
  const [search, change] = usePageSearch()
  const [pageSize, setPageSize] = useState(PAGE_SIZE)
  const [editing, setEditing] = useState<LookupValue | 'new' | null>(null)
  const kind: ReferenceKind = KEPT_KINDS.find((one) => one === search['kind']) ?? 'Department'
  const searchText = search['search'] ?? ''
  const retired = search['retired'] === 'true'
  const values = usePages(listLookups, {
    key: [tenantId, kind, searchText, retired, pageSize],
    inputOf: (continuationToken) => ({
      params: { connectorId: tenantId },
      query: {
        ReferenceType: kind,
        SearchText: searchText || undefined,
        retired: retired ? ('true' as const) : undefined,
        pageSize,
        continuationToken: continuationToken ?? undefined,
      },
    }),
  })
  const byCall = useRefusal()
  const refusal = byCall.ofCall(updateLookup)
  const columns = useLookupColumns({ kind, refusal, onEdit: setEditing })
  return (
    <>
      <div className={styles.tools}>
        <PageToolbar>
          <SelectField
            label={t('lookups.kind')}
            hideLabel
            toolbar
            value={kind}
            options={KEPT_KINDS.map((value) => ({ value, label: kindText(value) }))}
            onChange={(value) => change({ kind: value === 'Department' ? undefined : value, search: undefined })}
          />
          <SearchField
            label={t('lookups.search')}
            value={searchText}
            longest={LONGEST_SEARCH}
            onChange={(value) => change({ search: value || undefined }, { replace: true })}
          />
          <Checkbox
            label={t('lookups.showRetired')}
            showLabel
            checked={retired}
            onChange={(checked) => change({ retired: checked ? 'true' : undefined })}
          />
          <span className={styles.gap} />
          <Button variant="primary" icon={IconPlus} disabledReason={byCall.ofCall(createLookup)} onClick={() => setEditing('new')}>
            {t('lookups.add')}
          </Button>
        </PageToolbar>
      </div>
      <DataTable
        label={kindText(kind)}
        columns={columns}
        rows={values.rows}
        rowKey={(row) => row.id}
        busy={values.isFetching}
        empty={
          <EmptyState
            icon={IconListSearch}
            title={t(searchText ? 'lookups.noMatch' : 'lookups.none')}
            text={searchText ? undefined : t('lookups.noneText')}
            actions={searchText && <Button onClick={() => change({ search: undefined })}>{t('clearFilters')}</Button>}
          />
        }
        error={values.error && <ProblemNotice error={values.error} onRetry={values.refetch} />}
      />
      <TableFooter
        rows={values.rows}
        shown={values.rows && t('lookups.shown', { count: values.rows.length, amount: number(values.rows.length) })}
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          values.hasNextPage
            ? { label: t('common:showMore'), busy: values.isFetchingNextPage, onMore: () => values.fetchNextPage() }
            : undefined
        }
      />
      <LookupDrawer kind={kind} editing={editing} onClose={() => setEditing(null)} />
    </>
  )
}
