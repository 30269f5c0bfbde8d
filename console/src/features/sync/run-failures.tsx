import { downloadFailedRows, type FailureCause, listFailedRows, listRunFailures } from '@instep/contract/run-failures.ts'
import type { PlanRow } from '@instep/contract/sync.ts'
import { Button } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { Section } from '@instep/ui/section.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../api/api-context.tsx'
import { useEndpoint, usePages } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import styles from './run-failures.module.css'
import { useRunWords } from './use-run-words.ts'
import type { WatchedRun } from './watched-run.ts'

const SHOWN = 5
const PAGE = 50

const keyOf = ({ code, field }: FailureCause): string => JSON.stringify([code, field])
const causeOf = ({ code, field }: FailureCause) => ({ code, ...(field === null ? {} : { field }) })

/** Why rows of the run were not or cannot be carried out, the most frequent cause first. */
export function RunFailures({ run }: { run: WatchedRun }) {
  const { t } = useTranslation(['sync', 'common'])
  const { tenantId } = useScope()
  const failed = run.counts.invalid + run.counts.conflict + run.stale
  const planned = run.state !== 'queued' && run.state !== 'running'
  const found = useEndpoint(
    listRunFailures,
    { params: { tenantId, runId: run.id } },
    { enabled: failed > 0 && planned, staleTime: run.finishedAt ? Number.POSITIVE_INFINITY : 0 },
  )
  const [all, setAll] = useState(false)
  const [opened, setOpened] = useState<FailureCause | null>(null)
  if (failed === 0 || !planned) return null
  if (found.error) return <ProblemNotice error={found.error} onRetry={found.refetch} />
  const causes = found.data?.data ?? []
  if (causes.length === 0) return null
  return (
    <div className={styles.failures}>
      <Section title={t('failures.title')} hint={t('failures.hint')}>
        <ol className={styles.causes}>
          {causes.slice(0, all ? causes.length : SHOWN).map((cause) => (
            <Cause key={keyOf(cause)} cause={cause} onOpen={() => setOpened(cause)} />
          ))}
        </ol>
        {!all && causes.length > SHOWN && (
          <Button variant="quiet" onClick={() => setAll(true)}>
            {t('failures.more', { count: causes.length - SHOWN })}
          </Button>
        )}
      </Section>
      <CauseDrawer run={run} cause={opened} onClose={() => setOpened(null)} />
    </div>
  )
}

const useCauseWords = () => {
  const { t } = useTranslation(['sync', 'people'])
  const { reasons } = useRunWords()
  return {
    /** What kind of failure it is, and of which field. */
    name: ({ kind, field }: FailureCause): string =>
      field
        ? t('failures.ofField', { kind: t(`failures.kinds.${kind}`), field: t(`people:fields.${field}`) })
        : t(`failures.kinds.${kind}`),
    sentence: ({ kind, example }: FailureCause): string =>
      kind === 'stale' ? t('plan.stale') : (reasons({ reasons: [example.reason] } as unknown as PlanRow)[0] ?? ''),
  }
}

function Cause({ cause, onOpen }: { cause: FailureCause; onOpen: () => void }) {
  const { t } = useTranslation('sync')
  const { number } = useFormat()
  const words = useCauseWords()
  const { displayName, rowNumber } = cause.example
  return (
    <li className={styles.cause}>
      <bdi className={`figures ${styles.count}`}>{number(cause.rows)}</bdi>
      <div className={styles.words}>
        <p>{words.name(cause)}</p>
        <p className={styles.example}>
          {t(rowNumber === null ? 'failures.examplePerson' : 'failures.example', {
            name: displayName || t('plan.noName'),
            row: rowNumber,
            sentence: words.sentence(cause),
          })}
        </p>
      </div>
      <Button onClick={onOpen} aria-label={t('failures.showOf', { name: words.name(cause), sentence: words.sentence(cause) })}>
        {t('failures.show')}
      </Button>
    </li>
  )
}

interface CauseDrawerProps {
  run: WatchedRun
  /** Null while closed. */
  cause: FailureCause | null
  onClose: () => void
}

function CauseDrawer({ run, cause, onClose }: CauseDrawerProps) {
  const { t } = useTranslation(['sync', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const api = useApi()
  const problemText = useProblemText()
  const words = useCauseWords()
  // the drawer keeps what it shows while it slides out
  const [last, setLast] = useState(cause)
  if (cause && cause !== last) setLast(cause)
  const shown = cause ?? last
  const params = { tenantId, runId: run.id }
  const query = shown ? causeOf(shown) : { code: '' }
  const rows = usePages(listFailedRows, {
    key: [run.id, run.version, query],
    inputOf: (continuationToken) => ({ params, query: { ...query, pageSize: PAGE, ...(continuationToken ? { continuationToken } : {}) } }),
    enabled: cause !== null,
  })
  const download = () =>
    api
      .download(downloadFailedRows, { params, query }, 'failures.csv')
      .catch((error: unknown) => showToast({ kind: 'failed', text: problemText(error) }))
  const columns = useColumns()
  return (
    <Drawer
      opened={cause !== null}
      onClose={onClose}
      title={shown ? words.name(shown) : ''}
      aside={shown && t('failures.rows', { count: shown.rows, amount: number(shown.rows) })}
      footer={
        <>
          {rows.hasNextPage && (
            <Button busy={rows.isFetchingNextPage} onClick={() => rows.fetchNextPage()}>
              {t('common:showMore')}
            </Button>
          )}
          <Button icon={IconDownload} onClick={download}>
            {t('plan.download')}
          </Button>
          <Button onClick={onClose}>{t('common:close')}</Button>
        </>
      }
    >
      <DataTable
        label={shown ? words.name(shown) : ''}
        columns={columns}
        rows={rows.isPlaceholderData ? undefined : rows.rows}
        rowKey={(row) => String(row.sequence)}
        busy={rows.isFetching}
        empty={<EmptyState title={t('common:noRecords')} />}
        error={rows.error && <ProblemNotice error={rows.error} onRetry={rows.refetch} />}
      />
    </Drawer>
  )
}

const useColumns = (): readonly Column<PlanRow>[] => {
  const { t } = useTranslation('sync')
  const { reasons } = useRunWords()
  return useMemo(
    () => [
      { key: 'person', header: t('plan.columns.person'), cell: (row) => row.displayName || t('plan.noName'), width: '200px' },
      {
        key: 'row',
        header: t('plan.columns.row'),
        cell: (row) => <bdi>{row.rowNumber ?? '–'}</bdi>,
        width: '80px',
        align: 'end',
        figures: true,
      },
      {
        key: 'why',
        header: t('plan.columns.why'),
        cell: (row) => <span className={styles.why}>{(row.state === 'stale' ? [t('plan.stale')] : reasons(row)).join(' ')}</span>,
      },
    ],
    [t, reasons],
  )
}
