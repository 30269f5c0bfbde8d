import { PAGE_SIZES } from '@instep/contract/page.ts'
import { RUN_STATES, type RunState } from '@instep/contract/run-state.ts'
import { listRuns, type Run } from '@instep/contract/sync.ts'
import { buttonClass } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Page, PageToolbar } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconActivity } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { RunStateMark } from '../../shared/run-state-mark.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useGo } from '../../shared/use-go.ts'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useRunSubject } from '../../shared/use-run-subject.ts'
import styles from './sync.module.css'
import { useRunWords } from './use-run-words.ts'

/** Every run of the tenant, newest first. */
export function RunsPage() {
  const { t } = useTranslation(['sync', 'common'])
  const { tenantId } = useScope()
  const go = useGo()
  const [search, change] = usePageSearch()
  const [pageSize, setPageSize] = useState(10)
  const state = RUN_STATES.find((one) => one === search['state'])
  const runs = usePages(listRuns, {
    key: [tenantId, state, pageSize],
    inputOf: (continuationToken) => ({
      params: { tenantId },
      query: { pageSize, ...(state ? { state } : {}), ...(continuationToken ? { continuationToken } : {}) },
    }),
  })
  const columns = useColumns()
  return (
    <Page>
      <PageHeader title={t('runs.title')} busy={runs.isFetching} />
      <PageToolbar>
        <SelectField
          label={t('runs.state')}
          hideLabel
          toolbar
          value={state ?? ''}
          options={[
            { value: '', label: t('runs.everyState') },
            ...RUN_STATES.map((value) => ({ value, label: t(`common:runState.${value}`) })),
          ]}
          onChange={(value) => change({ state: (value as RunState) || undefined })}
        />
      </PageToolbar>
      <DataTable
        label={t('runs.title')}
        columns={columns}
        rows={runs.rows}
        rowKey={(run) => run.id}
        onOpen={(run) => go(paths.run(run.id))}
        busy={runs.isFetching}
        empty={<NoRuns filtered={state !== undefined} />}
        error={runs.error && <ProblemNotice error={runs.error} onRetry={runs.refetch} />}
      />
      <TableFooter
        rows={runs.rows}
        shown={runs.rows && t('runs.shown', { count: runs.rows.length })}
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          runs.hasNextPage ? { label: t('common:showMore'), busy: runs.isFetchingNextPage, onMore: () => runs.fetchNextPage() } : undefined
        }
      />
    </Page>
  )
}

const useColumns = (): readonly Column<Run>[] => {
  const { t } = useTranslation('sync')
  const { instant, duration } = useFormat()
  const { outcome } = useRunWords()
  const { subject } = useRunSubject()
  return useMemo(
    () => [
      { key: 'connector', header: t('runs.columns.connector'), cell: (run) => run.connectorName, width: '130px' },
      { key: 'state', header: t('runs.columns.state'), cell: (run) => <RunStateMark run={run} />, width: '170px' },
      {
        key: 'what',
        header: t('runs.columns.what'),
        cell: (run) => <span className={styles.changed}>{outcome(run)}</span>,
      },
      {
        key: 'file',
        header: t('runs.columns.file'),
        cell: (run) => (
          <span className={styles.file}>
            <bdi>{subject(run)}</bdi>
          </span>
        ),
        width: '190px',
      },
      {
        key: 'by',
        header: t('runs.columns.by'),
        cell: (run) => (run.began === 'schedule' ? t('runs.bySchedule') : run.createdBy),
        width: '130px',
      },
      { key: 'at', header: t('runs.columns.at'), cell: (run) => <bdi>{instant(run.createdAt)}</bdi>, width: '160px', figures: true },
      {
        key: 'took',
        header: t('runs.columns.took'),
        cell: (run) => <bdi>{duration(run.stages.reduce((sum, stage) => sum + stage.milliseconds, 0))}</bdi>,
        width: '100px',
        align: 'end',
        figures: true,
      },
    ],
    [t, instant, duration, outcome, subject],
  )
}

function NoRuns({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('sync')
  return (
    <EmptyState
      icon={IconActivity}
      title={filtered ? t('runs.noMatch') : t('runs.none')}
      text={filtered ? undefined : t('runs.noneText')}
      actions={
        filtered ? undefined : (
          <AppLink href={paths.connectors()} className={buttonClass('secondary')}>
            {t('runs.toConnectors')}
          </AppLink>
        )
      }
    />
  )
}
