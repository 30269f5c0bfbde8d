import { CASE_KINDS, CASE_STATES, listCases, type MatchCase } from '@instep/contract/match-cases.ts'
import { PAGE_SIZES } from '@instep/contract/page.ts'
import { Button } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Page, PageToolbar } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { IconUserQuestion } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useGo } from '../../shared/use-go.ts'
import { useOfferedConnectors } from '../../shared/use-offered-connectors.ts'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { AnswerAll } from './answer-all.tsx'
import styles from './cases.module.css'

/** Records whose person somebody has to name: open ones by age, and what was answered. */
export function CasesPage() {
  const { t } = useTranslation(['cases', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const go = useGo()
  const [search, change] = usePageSearch()
  const [pageSize, setPageSize] = useState(25)
  const state = CASE_STATES.find((one) => one === search['state']) ?? 'open'
  const kind = CASE_KINDS.find((one) => one === search['kind'])
  const connectorId = search['connectorId']
  const connectors = useOfferedConnectors()
  const cases = usePages(listCases, {
    key: [tenantId, state, kind, connectorId, pageSize],
    inputOf: (continuationToken) => ({
      params: { tenantId },
      query: {
        state,
        pageSize,
        ...(kind ? { kind } : {}),
        ...(connectorId ? { connectorId } : {}),
        ...(continuationToken ? { continuationToken } : {}),
      },
    }),
  })
  const columns = useColumns(state)
  const first = cases.pages?.[0]
  const countOf = (one: string): number => first?.kinds.find((counted) => counted.kind === one)?.count ?? 0
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={first && <span className="figures">{t('open', { count: first.open, amount: number(first.open) })}</span>}
        busy={cases.isFetching}
        actions={state === 'open' && <AnswerAll kind={kind} connectorId={connectorId} open={kind ? countOf(kind) : 0} />}
      />
      <PageToolbar>
        <Segmented
          label={t('state')}
          segments={CASE_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={state}
          onChange={(value) => change({ state: value === 'open' ? undefined : value })}
        />
        <SelectField
          label={t('kind')}
          hideLabel
          toolbar
          value={kind ?? ''}
          options={[
            { value: '', label: t('everyKind') },
            ...CASE_KINDS.map((value) => ({
              value,
              label: state === 'open' ? t('kindCount', { kind: t(`kinds.${value}`), amount: number(countOf(value)) }) : t(`kinds.${value}`),
            })),
          ]}
          onChange={(value) => change({ kind: value || undefined })}
        />
        <SelectField
          label={t('connector')}
          hideLabel
          toolbar
          value={connectorId ?? ''}
          options={[{ value: '', label: t('everyConnector') }, ...(connectors ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={(value) => change({ connectorId: value || undefined })}
        />
      </PageToolbar>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={cases.rows}
        rowKey={({ id }) => id}
        onOpen={({ id }) => go(paths.case(id))}
        busy={cases.isFetching}
        empty={
          <EmptyState
            icon={IconUserQuestion}
            title={t(kind || connectorId ? 'noMatch' : `none.${state}`)}
            text={kind || connectorId || state !== 'open' ? undefined : t('noneText')}
            actions={
              (kind || connectorId) && (
                <Button onClick={() => change({ kind: undefined, connectorId: undefined })}>{t('clearFilters')}</Button>
              )
            }
          />
        }
        error={cases.error && <ProblemNotice error={cases.error} onRetry={cases.refetch} />}
      />
      <TableFooter
        rows={cases.rows}
        shown={cases.rows && t('shown', { count: cases.rows.length, amount: number(cases.rows.length) })}
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          cases.hasNextPage
            ? { label: t('common:showMore'), busy: cases.isFetchingNextPage, onMore: () => cases.fetchNextPage() }
            : undefined
        }
      />
    </Page>
  )
}

const useColumns = (state: MatchCase['state']): readonly Column<MatchCase>[] => {
  const { t } = useTranslation('cases')
  const { instant, number } = useFormat()
  return useMemo(() => {
    const always: Column<MatchCase>[] = [
      {
        key: 'record',
        header: t('columns.record'),
        width: '260px',
        cell: (row) => (
          <span className={styles.who}>
            <span>{row.displayName || row.sourceKey}</span> <bdi className="figures">{row.employeeId || row.sourceKey}</bdi>
          </span>
        ),
      },
      { key: 'kind', header: t('columns.kind'), width: '260px', cell: (row) => t(`kinds.${row.kind}`) },
      { key: 'connector', header: t('columns.connector'), width: '170px', cell: (row) => row.connectorName },
      {
        key: 'candidates',
        header: t('columns.candidates'),
        width: '110px',
        align: 'end',
        figures: true,
        cell: (row) => number(row.candidates),
      },
    ]
    if (state === 'open')
      return [
        ...always,
        { key: 'opened', header: t('columns.opened'), width: '160px', figures: true, cell: (row) => <bdi>{instant(row.openedAt)}</bdi> },
      ]
    if (state === 'closed')
      return [...always, { key: 'why', header: t('columns.why'), cell: (row) => row.closedBecause && t(`closed.${row.closedBecause}`) }]
    return [
      ...always,
      { key: 'answer', header: t('columns.answer'), width: '190px', cell: (row) => row.decision && t(`decisions.${row.decision}`) },
      { key: 'by', header: t('columns.by'), width: '150px', cell: (row) => row.decidedBy },
      {
        key: 'at',
        header: t('columns.at'),
        width: '160px',
        figures: true,
        cell: (row) => <bdi>{row.decidedAt && instant(row.decidedAt)}</bdi>,
      },
    ]
  }, [state, t, instant, number])
}
