import { type ConfigVersion, listConfigVersions } from '@instep/contract/config-versions.ts'
import { getConnector } from '@instep/contract/connectors.ts'
import { PAGE_SIZES } from '@instep/contract/page.ts'
import { Button, buttonClass } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconFileUpload, IconHistory } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint, usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { usePageTitle } from '../../shared/use-page-title.ts'
import styles from './config.module.css'
import { ConfigDrawer } from './config-drawer.tsx'
import { ConfigImport } from './config-import.tsx'
import { useConfigWords } from './use-config-words.ts'

/** A source's configuration over time: every version, what it changed, and the ways back. */
export function ConfigPage() {
  const { t } = useTranslation(['config', 'common'])
  const { tenantId } = useScope()
  const { connectorId = '' } = useParams({ strict: false }) as { connectorId?: string }
  const [search, change] = usePageSearch()
  const [pageSize, setPageSize] = useState(25)
  const connector = useEndpoint(getConnector, { params: { tenantId, id: connectorId } })
  const versions = usePages(listConfigVersions, {
    key: [connectorId, pageSize],
    inputOf: (continuationToken) => ({
      params: { connectorId },
      query: { pageSize, ...(continuationToken ? { continuationToken } : {}) },
    }),
  })
  const columns = useColumns()
  const name = connector.data?.name
  usePageTitle(name && t('title', { name }))
  const inForce = versions.rows?.find((version) => version.inForce)?.version ?? null
  const open = versions.rows?.find(({ version }) => String(version) === search['version']) ?? null
  return (
    <Page>
      <PageHeader
        title={t('heading')}
        aside={name && <AppLink href={paths.connector(connectorId)}>{name}</AppLink>}
        busy={versions.isFetching && !versions.rows}
        actions={
          <Button icon={IconFileUpload} onClick={() => change({ import: 'open' })}>
            {t('import.open')}
          </Button>
        }
      />
      <p className={styles.lead}>{t('lead')}</p>
      <DataTable
        label={t('heading')}
        columns={columns}
        rows={versions.rows}
        rowKey={({ version }) => String(version)}
        onOpen={({ version }) => change({ version: String(version) })}
        openKey={search['version'] ?? null}
        busy={versions.isFetching}
        empty={<NoVersions connectorId={connectorId} />}
        error={versions.error && <ProblemNotice error={versions.error} onRetry={versions.refetch} />}
      />
      <TableFooter
        rows={versions.rows}
        shown={versions.rows && t('shown', { count: versions.rows.length })}
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          versions.hasNextPage
            ? { label: t('common:showMore'), busy: versions.isFetchingNextPage, onMore: () => versions.fetchNextPage() }
            : undefined
        }
      />
      <ConfigDrawer
        connectorId={connectorId}
        version={open}
        inForce={inForce}
        onClose={() => change({ version: undefined }, { replace: true })}
      />
      <ConfigImport
        connectorId={connectorId}
        opened={search['import'] === 'open'}
        onClose={() => change({ import: undefined }, { replace: true })}
      />
    </Page>
  )
}

const useColumns = (): readonly Column<ConfigVersion>[] => {
  const { t } = useTranslation('config')
  const { instant } = useFormat()
  const { parts } = useConfigWords()
  return useMemo(
    () => [
      { key: 'version', header: t('columns.version'), cell: ({ version }) => t('number', { version }), width: '140px', figures: true },
      {
        key: 'state',
        header: t('columns.state'),
        cell: ({ inForce }) => inForce && <RunMark state="succeeded" word={t('inForce')} />,
        width: '140px',
      },
      { key: 'changed', header: t('columns.changed'), cell: ({ changed }) => parts(changed) },
      { key: 'by', header: t('columns.by'), cell: ({ createdBy }) => createdBy, width: '200px' },
      { key: 'at', header: t('columns.at'), cell: ({ createdAt }) => <bdi>{instant(createdAt)}</bdi>, width: '170px', figures: true },
    ],
    [t, instant, parts],
  )
}

function NoVersions({ connectorId }: { connectorId: string }) {
  const { t } = useTranslation('config')
  return (
    <EmptyState
      icon={IconHistory}
      title={t('none')}
      text={t('noneText')}
      actions={
        <AppLink href={paths.connector(connectorId)} className={buttonClass('secondary')}>
          {t('toConnector')}
        </AppLink>
      }
    />
  )
}
