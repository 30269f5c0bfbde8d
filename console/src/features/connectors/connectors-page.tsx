import { type Connector, createConnector, listConnectors } from '@instep/contract/connectors.ts'
import { Button } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useGo } from '../../shared/use-go.ts'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import { ConnectorForm } from './connector-form.tsx'
import styles from './connectors.module.css'

/** Sources people come from and targets that receive their accounts. */
export function ConnectorsPage() {
  const { t } = useTranslation('connectors')
  const { tenantId } = useScope()
  const go = useGo()
  const [search, change] = usePageSearch()
  const list = useEndpoint(listConnectors, { params: { tenantId } })
  const refusal = useRefusal().ofCall(createConnector)
  const columns = useColumns()
  // sources first, as people flow
  const rows = list.data?.data.toSorted((a, b) => a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name))
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={rows && t('count', { count: rows.length })}
        busy={list.isFetching}
        actions={
          <Button variant="primary" icon={IconPlus} disabledReason={refusal} onClick={() => change({ form: 'new' })}>
            {t('add')}
          </Button>
        }
      />
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        onOpen={(row) => go(paths.connector(row.id))}
        empty={<EmptyState icon={IconPlugConnected} title={t('none')} text={t('noneText')} />}
        error={list.error && <ProblemNotice error={list.error} onRetry={list.refetch} />}
      />
      <ConnectorForm opened={search['form'] === 'new'} connector={null} onClose={() => change({ form: undefined }, { replace: true })} />
    </Page>
  )
}

const useColumns = (): readonly Column<Connector>[] => {
  const { t } = useTranslation('connectors')
  const { date } = useFormat()
  return useMemo(
    () => [
      { key: 'name', header: t('columns.name'), cell: (row) => <bdi className={styles.name}>{row.name}</bdi>, width: '30%' },
      { key: 'kind', header: t('columns.kind'), cell: (row) => t(`kinds.${row.kind}`), width: '140px' },
      { key: 'definition', header: t('columns.definition'), cell: (row) => t(`definitions.${row.definitionId}.name`) },
      {
        key: 'state',
        header: t('columns.state'),
        cell: (row) => <RunMark state={row.enabled ? 'succeeded' : 'disabled'} word={t(row.enabled ? 'enabled' : 'disabled')} />,
        width: '160px',
      },
      {
        key: 'created',
        header: t('columns.created'),
        cell: (row) => <bdi>{date(row.createdAt.slice(0, 10))}</bdi>,
        width: '120px',
        figures: true,
      },
    ],
    [t, date],
  )
}
