import type { Connector } from '@instep/contract/connectors.ts'
import { listOpenReferences, type OpenReference } from '@instep/contract/reporting-lines.ts'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Section } from '@instep/ui/section.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useGo } from '../../shared/use-go.ts'
import styles from './connectors.module.css'

const PAGE = 10

/** People of a source whose manager nobody was found for; nothing where every manager is known. */
export function OpenManagers({ connector }: { connector: Connector }) {
  const { t } = useTranslation(['connectors', 'common'])
  const { number } = useFormat()
  const go = useGo()
  const open = usePages(listOpenReferences, {
    key: [connector.id],
    inputOf: (continuationToken) => ({
      params: { connectorId: connector.id },
      query: { pageSize: PAGE, ...(continuationToken ? { continuationToken } : {}) },
    }),
  })
  const columns = useColumns()
  const count = open.pages?.[0]?.count
  if (open.error) return <ProblemNotice error={open.error} onRetry={open.refetch} />
  if (!count || count.value === 0) return null
  return (
    <Section
      title={t('openManagers.title', { count: count.value, amount: `${number(count.value)}${count.exact ? '' : '+'}` })}
      hint={t('openManagers.hint')}
    >
      <div className={styles.accounts}>
        <DataTable
          label={t('openManagers.list')}
          columns={columns}
          rows={open.rows}
          rowKey={(row) => row.userId}
          onOpen={(row) => go(paths.people({ userId: row.userId, connectorId: connector.id }))}
          busy={open.isFetching}
          empty={<EmptyState title={t('openManagers.none')} />}
        />
        <TableFooter
          rows={open.rows}
          shown={open.rows && t('openManagers.shown', { count: open.rows.length })}
          more={
            open.hasNextPage
              ? { label: t('common:showMore'), busy: open.isFetchingNextPage, onMore: () => open.fetchNextPage() }
              : undefined
          }
        />
      </div>
    </Section>
  )
}

const useColumns = (): readonly Column<OpenReference>[] => {
  const { t } = useTranslation('connectors')
  return useMemo(
    () => [
      {
        key: 'person',
        header: t('openManagers.person'),
        cell: ({ displayName, employeeId }) => (
          <span>
            {displayName} <bdi className={`figures ${styles.muted}`}>{employeeId}</bdi>
          </span>
        ),
      },
      { key: 'manager', header: t('openManagers.manager'), cell: ({ manager }) => <bdi>{manager}</bdi> },
      { key: 'why', header: t('openManagers.why'), cell: ({ why }) => t(`openManagers.${why}`) },
    ],
    [t],
  )
}
