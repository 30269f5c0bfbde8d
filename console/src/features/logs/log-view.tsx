import type { LogEntry } from '@instep/contract/logs.ts'
import { LONGEST_CORRELATION_ID } from '@instep/contract/logs.ts'
import { PAGE_SIZES } from '@instep/contract/page.ts'
import { Button } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { EventBadge } from '@instep/ui/event-badge.tsx'
import { PageBody, PageToolbar } from '@instep/ui/page.tsx'
import { SearchField } from '@instep/ui/search-field.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconListDetails, IconRefresh } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useEventText } from '../../shared/use-event-text.ts'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { LogDrawer } from './log-drawer.tsx'
import { type LogSource, useLogEntries } from './log-source.ts'
import styles from './logs.module.css'

/** The view of every log: entries newest first, search by correlation id, and what belongs together in a drawer. */
export function LogView({ source }: { source: LogSource }) {
  const { t } = useTranslation(['logs', 'common'])
  const [search, change] = usePageSearch()
  const correlationId = search['correlationId'] ?? ''
  const [pageSize, setPageSize] = useState(25)
  const log = useLogEntries(source, { pageSize, query: correlationId ? { correlationId } : {} })
  const columns = useColumns((id) => change({ details: id }))
  return (
    <>
      <PageToolbar>
        <SearchField
          label={t('search')}
          value={correlationId}
          longest={LONGEST_CORRELATION_ID}
          onChange={(value) => change({ correlationId: value || undefined }, { replace: true })}
        />
        <Button icon={IconRefresh} busy={log.isRefetching} onClick={() => log.refetch()}>
          {t('common:refresh')}
        </Button>
      </PageToolbar>
      <PageBody flush>
        <div className={styles.table}>
          <DataTable
            label={t('title')}
            columns={columns}
            rows={log.isPlaceholderData ? undefined : log.rows}
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
        </div>
        <TableFooter
          rows={log.rows}
          shown={log.rows && t('shown', { count: log.rows.length })}
          pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
          more={
            log.hasNextPage ? { label: t('common:showMore'), busy: log.isFetchingNextPage, onMore: () => log.fetchNextPage() } : undefined
          }
        />
      </PageBody>
      <LogDrawer
        source={source}
        correlationId={search['details'] ?? null}
        onClose={() => change({ details: undefined }, { replace: true })}
      />
    </>
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
