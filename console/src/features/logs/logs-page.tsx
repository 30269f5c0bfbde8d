import { type LogEntry, listDirectoryLog } from '@instep/contract/logs.ts'
import { PAGE_SIZES } from '@instep/contract/page.ts'
import { Button } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { EventBadge } from '@instep/ui/event-badge.tsx'
import { Page, PageToolbar } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { SearchField } from '@instep/ui/search-field.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconListDetails, IconRefresh } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useEventText } from '../../shared/use-event-text.ts'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { LogDrawer } from './log-drawer.tsx'
import styles from './logs.module.css'

/** What happened in the directory, newest first; one correlation id shows what belongs together. */
export function LogsPage() {
  const { t } = useTranslation(['logs', 'common'])
  const { tenantId } = useScope()
  const [search, change] = usePageSearch()
  const correlationId = search['correlationId'] ?? ''
  const details = search['details'] ?? null
  const [pageSize, setPageSize] = useState(25)
  const log = usePages(listDirectoryLog, {
    key: [tenantId, correlationId, pageSize],
    inputOf: (continuationToken) => ({
      params: { tenantId },
      query: { pageSize, ...(continuationToken ? { continuationToken } : {}), ...(correlationId ? { correlationId } : {}) },
    }),
  })
  const columns = useColumns((id) => change({ details: id }))

  return (
    <Page>
      <PageHeader title={t('title')} busy={log.isFetching} />
      <PageToolbar>
        <SearchField
          label={t('search')}
          value={correlationId}
          onChange={(value) => change({ correlationId: value || undefined }, { replace: true })}
        />
        <Button icon={IconRefresh} onClick={() => log.refetch()}>
          {t('common:refresh')}
        </Button>
      </PageToolbar>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={log.rows}
        rowKey={(row) => row.id}
        busy={log.isFetching}
        empty={
          <EmptyState
            icon={IconListDetails}
            title={correlationId ? t('noMatch') : t('common:noRecords')}
            actions={correlationId && <Button onClick={() => change({ correlationId: undefined })}>{t('clear')}</Button>}
          />
        }
        error={log.error && <ProblemNotice error={log.error} onRetry={log.refetch} />}
      />
      <TableFooter
        shown={log.rows && t('shown', { count: log.rows.length })}
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          log.hasNextPage ? { label: t('common:showMore'), busy: log.isFetchingNextPage, onMore: () => log.fetchNextPage() } : undefined
        }
      />
      <LogDrawer correlationId={details} onClose={() => change({ details: undefined }, { replace: true })} />
    </Page>
  )
}

const useColumns = (onDetails: (correlationId: string) => void): readonly Column<LogEntry>[] => {
  const { t } = useTranslation('logs')
  const { instant } = useFormat()
  const text = useEventText()
  return useMemo(
    () => [
      {
        key: 'correlationId',
        header: t('columns.correlationId'),
        cell: (row) => <bdi className={`mono ${styles.id}`}>{row.correlationId}</bdi>,
        width: '180px',
      },
      { key: 'type', header: t('columns.eventType'), cell: (row) => <EventBadge level={row.level} word={row.eventType} />, width: '220px' },
      { key: 'time', header: t('columns.eventTime'), cell: (row) => <bdi>{instant(row.eventTime)}</bdi>, width: '150px', figures: true },
      { key: 'by', header: t('columns.modifiedBy'), cell: (row) => row.modifiedBy, width: '150px' },
      { key: 'message', header: t('columns.message'), cell: (row) => <span className={styles.message}>{text(row)}</span>, width: '36%' },
      {
        key: 'more',
        header: <span className="visually-hidden">{t('moreDetails')}</span>,
        cell: (row) => (
          <Button onClick={() => onDetails(row.correlationId)} aria-label={t('moreDetailsOf', { time: instant(row.eventTime) })}>
            {t('moreDetails')}
          </Button>
        ),
        width: '130px',
        align: 'end',
      },
    ],
    [t, instant, text, onDetails],
  )
}
