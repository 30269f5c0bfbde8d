import { PAGE_SIZES } from '@instep/contract/page.ts'
import { completeTasks, downloadTasks, listTasks, MAX_TICKS, TASK_STATES } from '@instep/contract/target-tasks.ts'
import { BulkAction, BulkBar } from '@instep/ui/bulk-bar.tsx'
import { Button } from '@instep/ui/button.tsx'
import { DataTable } from '@instep/ui/data-table.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Page, PageToolbar } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconCheck, IconChecklist, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDownload } from '../../api/use-download.ts'
import { useAction, usePages } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { usePageSearch } from '../../shared/use-page-search.ts'
import { useRefusal } from '../../shared/use-refusal.ts'
import { useTaskColumns } from './task-columns.tsx'
import { TaskDrawer } from './task-drawer.tsx'
import { TaskFilters } from './task-filters.tsx'
import styles from './tasks.module.css'
import { filterOf, isNarrowed, keyOf, tasksOf } from './tasks.rules.ts'
import { useTasksChanged } from './use-tasks-changed.ts'

const PAGE_SIZE = 25
const NONE: ReadonlySet<string> = new Set()

/** What people are asked to do at systems that Instep cannot write to; selected ones can be ticked off together. */
export function TasksPage() {
  const { t } = useTranslation(['tasks', 'common'])
  const { tenantId, siteId, site } = useScope()
  const { number } = useFormat()
  const [search, change] = usePageSearch()
  const [pageSize, setPageSize] = useState(PAGE_SIZE)
  const filter = filterOf(search, siteId)
  const listKey = JSON.stringify([tenantId, filter])
  // another list starts with nothing selected
  const [picked, setPicked] = useState({ of: listKey, keys: NONE })
  const selected = picked.of === listKey ? picked.keys : NONE
  const select = (keys: ReadonlySet<string>) => setPicked({ of: listKey, keys })
  const list = usePages(listTasks, {
    key: [tenantId, filter, pageSize],
    inputOf: (continuationToken) => ({
      params: { tenantId },
      query: { ...filter, pageSize, ...(continuationToken ? { continuationToken } : {}) },
    }),
  })
  const count = list.pages?.[0]?.count
  const amount = count && number(count.value)
  const columns = useTaskColumns(filter.state)
  const narrowed = isNarrowed(filter)
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={[site?.name, count && t('count', { count: count.value, amount })].filter(Boolean).join(' · ')}
        busy={list.isFetching}
        actions={<DownloadButton filter={filter} />}
      />
      <PageToolbar>
        <Segmented
          label={t('state')}
          segments={TASK_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={filter.state}
          onChange={(value) => change({ state: value === 'open' ? undefined : value })}
        />
        <TaskFilters filter={filter} onChange={change} />
      </PageToolbar>
      <div className={`${styles.table} ${selected.size > 0 ? styles.selecting : ''}`}>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={list.rows}
          rowKey={keyOf}
          onOpen={({ id }) => change({ task: id })}
          selection={
            filter.state === 'open'
              ? {
                  selected,
                  onChange: select,
                  allLabel: t('selectAll'),
                  rowLabel: (row) => t('selectOne', { name: row.displayName, kind: t(`kinds.${row.kind}`) }),
                }
              : undefined
          }
          busy={list.isFetching}
          empty={
            <EmptyState
              icon={IconChecklist}
              title={t(narrowed ? 'noMatch' : `none.${filter.state}`)}
              text={narrowed || filter.state !== 'open' ? undefined : t('noneText')}
              actions={
                narrowed && (
                  <Button onClick={() => change({ kind: undefined, targetId: undefined, assigned: undefined, age: undefined })}>
                    {t('clearFilters')}
                  </Button>
                )
              }
            />
          }
          error={list.error && <ProblemNotice error={list.error} onRetry={list.refetch} />}
        />
        {selected.size > 0 && <Ticking selected={selected} onSelect={select} />}
      </div>
      <TableFooter
        rows={list.rows}
        shown={list.rows && count && t('shown', { shown: number(list.rows.length), count: count.value, amount })}
        pageSize={{ label: t('common:rowsPerPage'), value: pageSize, sizes: PAGE_SIZES, onChange: setPageSize }}
        more={
          list.hasNextPage ? { label: t('common:showMore'), busy: list.isFetchingNextPage, onMore: () => list.fetchNextPage() } : undefined
        }
      />
      <TaskDrawer taskId={search['task'] ?? null} onClose={() => change({ task: undefined }, { replace: true })} />
    </Page>
  )
}

interface TickingProps {
  selected: ReadonlySet<string>
  onSelect: (keys: ReadonlySet<string>) => void
}

function Ticking({ selected, onSelect }: TickingProps) {
  const { t } = useTranslation('tasks')
  const { tenantId } = useScope()
  const { number } = useFormat()
  const problemText = useProblemText()
  const changed = useTasksChanged()
  const refusal = useRefusal().ofCall(completeTasks)
  const complete = useAction(completeTasks, {
    onSuccess: ({ completed, refused }) => {
      const text =
        refused.length > 0 ? t('tickedSome', { count: refused.length, done: number(completed) }) : t('ticked', { count: completed })
      showToast({ kind: refused.length > 0 ? 'failed' : 'done', text })
      onSelect(NONE)
      changed()
    },
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  const tooMany = selected.size > MAX_TICKS ? t('tooMany', { most: number(MAX_TICKS) }) : null
  return (
    <BulkBar
      label={t('selectionBar')}
      count={t('selected', { count: selected.size, amount: number(selected.size) })}
      clear={{ label: t('selectNone'), onClear: () => onSelect(NONE) }}
    >
      <BulkAction
        icon={IconCheck}
        disabledReason={refusal ?? tooMany}
        onClick={() => complete.mutate({ params: { tenantId }, body: { tasks: tasksOf(selected) } })}
      >
        {t('tickSelected')}
      </BulkAction>
    </BulkBar>
  )
}

function DownloadButton({ filter }: { filter: ReturnType<typeof filterOf> }) {
  const { t } = useTranslation('tasks')
  const { tenantId } = useScope()
  const refusal = useRefusal().ofCall(downloadTasks)
  const { download, busy } = useDownload(downloadTasks)
  return (
    <Button
      icon={IconDownload}
      busy={busy}
      disabledReason={refusal}
      onClick={() => download({ params: { tenantId }, query: filter }, 'tasks.csv')}
    >
      {t('download')}
    </Button>
  )
}
