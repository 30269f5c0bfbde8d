import type { Connector } from '@instep/contract/connectors.ts'
import { type AcceptedDrift as Accepted, listAcceptedDrift } from '@instep/contract/drift.ts'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AcceptedWords } from '../../shared/accepted-words.tsx'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { RevokeAccepted } from '../../shared/revoke-accepted.tsx'
import { useScope } from '../../shared/scope.tsx'
import styles from './connectors.module.css'

/** What may differ at a target because somebody has accepted it; each can be taken back. Nothing is shown where there is nothing. */
export function AcceptedDrift({ connector }: { connector: Connector }) {
  const { t } = useTranslation(['targets', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const params = { tenantId, id: connector.id }
  const columns = useColumns(connector.id)
  const list = usePages(listAcceptedDrift, {
    key: [connector.id],
    inputOf: (continuationToken) => ({ params, query: { pageSize: 25, ...(continuationToken ? { continuationToken } : {}) } }),
  })
  if (list.error) return <ProblemNotice error={list.error} onRetry={list.refetch} />
  if (!list.rows?.length) return null
  return (
    <div className={styles.accounts}>
      <h3>{t('drift.accepted.title')}</h3>
      <DataTable
        label={t('drift.accepted.title')}
        columns={columns}
        rows={list.rows}
        rowKey={(row) => `${row.userId} ${row.attribute}`}
        empty={null}
      />
      <TableFooter
        rows={list.rows}
        shown={t('drift.shown', { count: list.rows.length, shown: number(list.rows.length) })}
        more={
          list.hasNextPage ? { label: t('common:showMore'), busy: list.isFetchingNextPage, onMore: () => list.fetchNextPage() } : undefined
        }
      />
    </div>
  )
}

const useColumns = (targetId: string): readonly Column<Accepted>[] => {
  const { t } = useTranslation('targets')
  const { instant } = useFormat()
  return useMemo(
    () => [
      {
        key: 'person',
        header: t('drift.columns.person'),
        width: '240px',
        cell: (row) => <AppLink href={paths.people({ userId: row.userId, connectorId: row.connectorId })}>{row.displayName}</AppLink>,
      },
      {
        key: 'what',
        header: t('drift.accepted.columns.what'),
        cell: (row) => (
          <span className={styles.wrap}>
            <AcceptedWords value={row} />
          </span>
        ),
      },
      {
        key: 'by',
        header: t('drift.accepted.columns.by'),
        width: '240px',
        cell: ({ by, at }) => t('drift.accepted.by', { name: by, instant: instant(at) }),
      },
      {
        key: 'revoke',
        header: t('drift.accepted.columns.revoke'),
        width: '140px',
        cell: ({ userId, attribute }) => <RevokeAccepted targetId={targetId} userId={userId} attribute={attribute} />,
      },
    ],
    [t, instant, targetId],
  )
}
