import { LONGEST_SEARCH, PAGE_SIZES } from '@instep/contract/page.ts'
import type { PlanKind } from '@instep/contract/plan-kinds.ts'
import { MOVED_ON } from '@instep/contract/run-failures.ts'
import { downloadPlanRows, listPlanRows, type PlanRow } from '@instep/contract/sync.ts'
import { Button } from '@instep/ui/button.tsx'
import { CountTabs } from '@instep/ui/count-tabs.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { Diff } from '@instep/ui/diff.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { SearchField } from '@instep/ui/search-field.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconDownload } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../api/api-context.tsx'
import { usePages } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { Chip, PlanPlaces, usePlanPlace } from './plan-places.tsx'
import { PlanRowDrawer } from './plan-row-drawer.tsx'
import styles from './sync.module.css'
import { useChanges } from './use-changes.ts'
import { useCauseWords, usePlanCause, useRunFailures } from './use-plan-cause.ts'
import { useRunWords } from './use-run-words.ts'
import type { WatchedRun } from './watched-run.ts'

/** A kind of rows, or those whose person moved on. */
type Tab = PlanKind | 'stale'

const TABS: readonly Tab[] = [
  'create',
  'update',
  'deactivate',
  'reactivate',
  'future',
  'leave',
  'conflict',
  'invalid',
  'stale',
  'outOfScope',
  'ignored',
  'unchanged',
]

const countOf = ({ counts, stale }: WatchedRun, tab: Tab): number => (tab === 'stale' ? stale : counts[tab])

interface RunPlanProps {
  run: WatchedRun
  panelId: string
}

/** The plan in tabs by kind, each row with the reason; empty kinds other than the main ones stay away. */
export function RunPlan({ run, panelId }: RunPlanProps) {
  const { t } = useTranslation('sync')
  const { number } = useFormat()
  const [search, change] = usePageSearch()
  const planned = !['queued', 'running', 'failed'].includes(run.state) || run.decidedBy !== null
  if (!planned) return null
  const wanted = TABS.find((tab) => tab === search['kind'])
  const current = wanted ?? TABS.find((tab) => countOf(run, tab) > 0) ?? 'create'
  const shown = TABS.filter((tab) => tab === current || countOf(run, tab) > 0 || ['create', 'update', 'deactivate'].includes(tab))
  const name = (tab: Tab) => t(tab === 'stale' ? 'failures.kinds.stale' : `kinds.${tab}`)
  return (
    <>
      <div className={styles.planTabs}>
        <CountTabs
          label={t('plan.tabs')}
          tabs={shown.map((tab) => ({ key: tab, label: name(tab), count: number(countOf(run, tab)) }))}
          current={current}
          onChange={(kind) => change({ kind, row: undefined, search: undefined, cause: undefined, field: undefined }, { replace: true })}
          panelId={panelId}
        />
      </div>
      <div id={panelId} role="tabpanel" aria-label={name(current)} className={styles.panel}>
        {current === 'unchanged' || current === 'outOfScope' || current === 'ignored' ? (
          <p className={styles.muted}>{t(`plan.${current}`, { count: run.counts[current], amount: number(run.counts[current]) })}</p>
        ) : (
          <PlanRows run={run} tab={current} name={name(current)} />
        )}
      </div>
    </>
  )
}

interface PlanRowsProps {
  run: WatchedRun
  tab: Exclude<Tab, 'unchanged' | 'outOfScope' | 'ignored'>
  name: string
}

function PlanRows({ run, tab, name }: PlanRowsProps) {
  const { t } = useTranslation(['sync', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const api = useApi()
  const problemText = useProblemText()
  const [search, change] = usePageSearch()
  const [pageSize, setPageSize] = useState(25)
  const text = search['search'] ?? ''
  const place = usePlanPlace()
  const cause = usePlanCause()
  const total = countOf(run, tab)
  const narrowed = text !== '' || place.site !== undefined || place.department !== undefined || cause.query.cause !== undefined
  const part = { ...(tab === 'stale' ? { cause: MOVED_ON } : { kind: tab }), ...cause.query }
  const params = { tenantId, runId: run.id }
  const rows = usePages(listPlanRows, {
    key: [run.id, part, text, place.query, pageSize],
    inputOf: (continuationToken) => ({
      params,
      query: {
        ...part,
        pageSize,
        ...place.query,
        ...(text ? { searchText: text } : {}),
        ...(continuationToken ? { continuationToken } : {}),
      },
    }),
  })
  const columns = useColumns(tab)
  const open = rows.rows?.find((row) => String(row.sequence) === search['row']) ?? null
  const download = () =>
    api
      .download(downloadPlanRows, { params, query: { ...part, ...place.query, ...(text ? { searchText: text } : {}) } }, `${tab}.csv`)
      .catch((error: unknown) => showToast({ kind: 'failed', text: problemText(error) }))
  return (
    <>
      <div className={styles.planTools}>
        <SearchField
          label={t('plan.search')}
          value={text}
          longest={LONGEST_SEARCH}
          onChange={(value) => change({ search: value || undefined }, { replace: true })}
        />
        <PlanPlaces run={run} part={part} name={name} disabledReason={total === 0 ? t('plan.noData') : null} />
        <CauseChip run={run} />
        <Button icon={IconDownload} disabledReason={total === 0 ? t('plan.noData') : null} onClick={download}>
          {t('plan.download')}
        </Button>
      </div>
      <DataTable
        label={name}
        columns={columns}
        rows={rows.rows}
        rowKey={(row) => String(row.sequence)}
        onOpen={(row) => change({ row: String(row.sequence) }, { replace: true })}
        openKey={search['row'] ?? null}
        busy={rows.isFetching}
        empty={<EmptyState title={narrowed ? t('plan.noMatch') : t(`plan.none.${tab}`)} />}
        error={rows.error && <ProblemNotice error={rows.error} onRetry={rows.refetch} />}
      />
      <TableFooter
        rows={rows.rows}
        shown={
          rows.rows &&
          (narrowed
            ? t('plan.shownFound', { count: rows.rows.length })
            : t('plan.shown', { shown: number(rows.rows.length), total: number(total) }))
        }
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          rows.hasNextPage ? { label: t('common:showMore'), busy: rows.isFetchingNextPage, onMore: () => rows.fetchNextPage() } : undefined
        }
      />
      <PlanRowDrawer row={open} run={run} onClose={() => change({ row: undefined }, { replace: true })} />
    </>
  )
}

/** The cause that the rows are narrowed to, with the way back. */
function CauseChip({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const chosen = usePlanCause()
  const words = useCauseWords()
  const cause = useRunFailures(run).data?.data.find(chosen.isPicked)
  if (chosen.query.cause === undefined) return null
  return <Chip name={cause ? words.name(cause) : t('failures.one')} onRemove={() => chosen.change(undefined)} />
}

const useColumns = (kind: Tab): readonly Column<PlanRow>[] => {
  const { t } = useTranslation('sync')
  const { reasons } = useRunWords()
  const changes = useChanges()
  const { date } = useFormat()
  return useMemo(() => {
    const person: Column<PlanRow> = {
      key: 'person',
      header: t('plan.columns.person'),
      width: '260px',
      cell: (row) => (
        <span className={styles.who}>
          <span>{row.displayName || t('plan.noName')}</span> <bdi className="figures">{row.employeeId || '–'}</bdi>
        </span>
      ),
    }
    const rowNumber: Column<PlanRow> = {
      key: 'row',
      header: t('plan.columns.row'),
      width: '90px',
      align: 'end',
      figures: true,
      cell: (row) => <bdi>{row.rowNumber ?? '–'}</bdi>,
    }
    const why: Column<PlanRow> = {
      key: 'why',
      header: t('plan.columns.why'),
      cell: (row) => (
        <ul className={styles.rowReasons}>
          {row.state === 'stale' && <li>{t('plan.stale')}</li>}
          {reasons(row).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {row.caseId && (
            <li>
              <AppLink href={paths.case(row.caseId)}>{t('plan.openCase')}</AppLink>
            </li>
          )}
        </ul>
      ),
    }
    // that a value is as it was before the run need not be said of every row
    const notes = (row: PlanRow) => reasons({ ...row, reasons: row.reasons.filter(({ code }) => code !== 'changedByRun') })
    const what: Column<PlanRow> = {
      key: 'what',
      header: t('plan.columns.what'),
      cell: (row) => (
        <div className={styles.what}>
          {row.state === 'stale' && <p>{t('plan.stale')}</p>}
          <Diff changes={changes(row).slice(0, 4)} />
          {notes(row).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {changes(row).length > 4 && <span className={styles.moreFields}>{t('plan.moreFields', { count: changes(row).length - 4 })}</span>}
        </div>
      ),
    }
    if (kind === 'create') return [person, rowNumber, ...newPersonColumns(t, date)]
    return kind === 'update' ? [person, rowNumber, what] : [person, rowNumber, why]
  }, [kind, t, reasons, changes, date])
}

const textOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : '–')

/** Of a new person the job, the place and the start tell more than a list of fields; the drawer has them all. */
const newPersonColumns = (t: TFunction, date: (day: string) => string): Column<PlanRow>[] => [
  {
    key: 'job',
    header: t('plan.columns.job'),
    cell: ({ after }) => (
      <span className={styles.job}>
        <span>{textOf(after['title'])}</span>
        <span>{textOf(after['department'])}</span>
      </span>
    ),
  },
  { key: 'location', header: t('plan.columns.location'), cell: ({ after }) => textOf(after['locationName']) },
  {
    key: 'start',
    header: t('plan.columns.start'),
    cell: ({ after }) => <bdi>{typeof after['startDate'] === 'string' ? date(after['startDate']) : '–'}</bdi>,
    width: '120px',
    figures: true,
  },
]
