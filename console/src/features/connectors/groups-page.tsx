import { getConnector } from '@instep/contract/connectors.ts'
import { PAGE_SIZES } from '@instep/contract/page.ts'
import { listTargetGroups, retryTargetGroups, type TargetGroup } from '@instep/contract/target-groups.ts'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconRefresh, IconUsersGroup } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, useAction, useEndpoint, usePages } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { usePageTitle } from '../../shared/use-page-title.ts'
import styles from './connectors.module.css'
import { GroupDrawer } from './group-drawer.tsx'
import { GroupStateMark } from './group-state-mark.tsx'

/** The groups that a target should have: whether it has them with everybody in them, and if not, why. */
export function GroupsPage() {
  const { t } = useTranslation(['groups', 'common'])
  const { tenantId } = useScope()
  const { connectorId = '' } = useParams({ strict: false }) as { connectorId?: string }
  const [search, change] = usePageSearch()
  const [pageSize, setPageSize] = useState<number>(25)
  const connector = useEndpoint(getConnector, { params: { tenantId, id: connectorId } })
  const name = connector.data?.name
  usePageTitle(name && t('titleOf', { target: name }))
  const groups = usePages(listTargetGroups, {
    key: [tenantId, connectorId, pageSize],
    inputOf: (continuationToken) => ({
      params: { tenantId, id: connectorId },
      query: { pageSize, ...(continuationToken ? { continuationToken } : {}) },
    }),
  })
  const columns = useColumns(connector.data?.enabled === false)
  const troubled = groups.rows?.some(({ cause, members }) => cause !== null || members.quarantined > 0) ?? false
  return (
    <Page>
      <PageHeader
        title={name ? t('titleOf', { target: name }) : t('title')}
        busy={groups.isFetching}
        actions={
          <>
            <AppLink href={paths.connector(connectorId)} className={buttonClass('secondary')}>
              {t('toTarget')}
            </AppLink>
            <Button icon={IconRefresh} onClick={() => groups.refetch()}>
              {t('common:refresh')}
            </Button>
            {troubled && <RetryGroups connectorId={connectorId} />}
          </>
        }
      />
      <DataTable
        label={t('title')}
        columns={columns}
        rows={groups.rows}
        rowKey={(row) => row.id}
        onOpen={(row) => change({ group: row.id })}
        openKey={search['group']}
        busy={groups.isFetching}
        empty={<EmptyState icon={IconUsersGroup} title={t('none')} text={t('noneText')} />}
        error={groups.error && <ProblemNotice error={groups.error} onRetry={groups.refetch} />}
      />
      <TableFooter
        rows={groups.rows}
        shown={groups.rows && t('shown', { count: groups.rows.length })}
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          groups.hasNextPage
            ? { label: t('common:showMore'), busy: groups.isFetchingNextPage, onMore: () => groups.fetchNextPage() }
            : undefined
        }
      />
      <GroupDrawer
        connectorId={connectorId}
        off={connector.data?.enabled === false}
        groupId={search['group']}
        onClose={() => change({ group: undefined }, { replace: true })}
      />
    </Page>
  )
}

function RetryGroups({ connectorId }: { connectorId: string }) {
  const { t } = useTranslation('groups')
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const retry = useAction(retryTargetGroups, {
    onSuccess: ({ groups, members }) => {
      showToast({ kind: 'done', text: t('retried', { groups, members }) })
      cache.invalidateQueries({ queryKey: endpointKey(listTargetGroups) })
    },
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  return (
    <Button variant="primary" busy={retry.isPending} onClick={() => retry.mutate({ params: { tenantId, id: connectorId }, body: {} })}>
      {t('retry')}
    </Button>
  )
}

const useColumns = (off: boolean): readonly Column<TargetGroup>[] => {
  const { t } = useTranslation('groups')
  const { number, instant } = useFormat()
  return useMemo(
    () => [
      { key: 'name', header: t('columns.name'), cell: (row) => row.name, width: '240px' },
      { key: 'state', header: t('columns.state'), cell: (row) => <GroupStateMark group={row} off={off} />, width: '180px' },
      {
        key: 'members',
        header: t('columns.members'),
        cell: ({ members }) => <bdi>{number(members.inStep)}</bdi>,
        width: '100px',
        align: 'end',
        figures: true,
      },
      {
        key: 'open',
        header: t('columns.open'),
        cell: ({ members }) => (
          <span className={styles.wrap}>
            {(['pending', 'waiting', 'held', 'quarantined'] as const)
              .filter((state) => members[state] > 0)
              .map((state) => t(`some.${state}`, { count: members[state], amount: number(members[state]) }))
              .join(' · ') || '–'}
          </span>
        ),
        width: '240px',
      },
      { key: 'privacy', header: t('columns.privacy'), cell: ({ privacy }) => (privacy ? t(`privacy.${privacy}`) : '–'), width: '110px' },
      {
        key: 'error',
        header: t('columns.error'),
        cell: ({ lastError, nextTryAt }) => (
          <span className={styles.wrap}>
            {lastError ?? '–'} {nextTryAt && t('nextTry', { instant: instant(nextTryAt) })}
          </span>
        ),
      },
    ],
    [t, number, instant, off],
  )
}
