import { listMessages, MESSAGE_STATUSES, type OutboxMessage } from '@instep/contract/outbox.ts'
import { PAGE_SIZES } from '@instep/contract/page.ts'
import { Button } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Page, PageToolbar } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconMail, IconRefresh } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { MessageDrawer } from './message-drawer.tsx'
import { MessageStatus } from './message-status.tsx'

const SEGMENTS = ['all', ...MESSAGE_STATUSES] as const

/** The outbox: what administrators were told by mail, newest first, and what became of it. */
export function MessagesPage() {
  const { t } = useTranslation(['outbox', 'common'])
  const { tenantId } = useScope()
  const [search, change] = usePageSearch()
  const status = MESSAGE_STATUSES.find((one) => one === search['status'])
  const [pageSize, setPageSize] = useState(25)
  const messages = usePages(listMessages, {
    key: [tenantId, status, pageSize],
    inputOf: (continuationToken) => ({
      params: { tenantId },
      query: { pageSize, ...(continuationToken ? { continuationToken } : {}), ...(status ? { status } : {}) },
    }),
  })
  const columns = useColumns()
  return (
    <Page>
      <PageHeader title={t('title')} busy={messages.isFetching} />
      <PageToolbar>
        <Segmented
          label={t('filter')}
          value={status ?? 'all'}
          segments={SEGMENTS.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          onChange={(value) => change({ status: value === 'all' ? undefined : value })}
        />
        <Button icon={IconRefresh} onClick={() => messages.refetch()}>
          {t('common:refresh')}
        </Button>
      </PageToolbar>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={messages.rows}
        rowKey={(row) => row.id}
        onOpen={(row) => change({ open: row.id })}
        openKey={search['open'] ?? null}
        busy={messages.isFetching}
        empty={<EmptyState icon={IconMail} title={t(status ? 'noMatch' : 'empty')} text={status ? undefined : t('emptyText')} />}
        error={messages.error && <ProblemNotice error={messages.error} onRetry={messages.refetch} />}
      />
      <TableFooter
        rows={messages.rows}
        shown={messages.rows && t('shown', { count: messages.rows.length })}
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          messages.hasNextPage
            ? { label: t('common:showMore'), busy: messages.isFetchingNextPage, onMore: () => messages.fetchNextPage() }
            : undefined
        }
      />
      <MessageDrawer messageId={search['open'] ?? null} onClose={() => change({ open: undefined }, { replace: true })} />
    </Page>
  )
}

const useColumns = (): readonly Column<OutboxMessage>[] => {
  const { t } = useTranslation('outbox')
  const { instant } = useFormat()
  return useMemo(
    () => [
      { key: 'subject', header: t('columns.subject'), cell: (row) => <bdi>{row.subject}</bdi>, width: '44%' },
      { key: 'recipient', header: t('columns.recipient'), cell: (row) => <bdi>{row.recipientName}</bdi>, width: '180px' },
      { key: 'template', header: t('columns.template'), cell: (row) => t(`templates.${row.template}`), width: '170px' },
      { key: 'status', header: t('columns.status'), cell: (row) => <MessageStatus status={row.status} />, width: '150px' },
      { key: 'created', header: t('columns.created'), cell: (row) => <bdi>{instant(row.createdAt)}</bdi>, width: '150px', figures: true },
    ],
    [t, instant],
  )
}
