import { CHANGING_KINDS } from '@instep/contract/plan-kinds.ts'
import { listSyncedUsers, SYNCS_KEPT_DAYS, type SyncedAccount, type SyncedUser } from '@instep/contract/user-sync.ts'
import { getUser } from '@instep/contract/users.ts'
import { Button } from '@instep/ui/button.tsx'
import { type Column, DataTable } from '@instep/ui/data-table.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { EmptyState } from '@instep/ui/empty-state.tsx'
import { TableFooter } from '@instep/ui/table-footer.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpointKey, usePages } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { RunGoing, RunStrip, RunUnread } from '../../shared/run-strip.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useCauseWords } from '../../shared/use-cause-words.ts'
import { goesOn, useListRun } from '../../shared/use-list-run.ts'
import styles from './sync-run.module.css'

interface SyncRunProps {
  runId: string
  /** Takes the strip away; the run goes on. */
  onDismiss: () => void
}

/** How far the sync of those selected is, and what came of each. It comes back with the address. */
export function SyncRun({ runId, onDismiss }: SyncRunProps) {
  const { t } = useTranslation(['targets', 'common'])
  const { number } = useFormat()
  const cache = useQueryClient()
  const [shown, setShown] = useState(false)
  const onEnded = () => void cache.invalidateQueries({ queryKey: endpointKey(getUser) })
  const { data: run, error, refetch } = useListRun(runId, { fresh: true, onEnded })
  const strip = { label: t('many.progress'), onDismiss }
  if (error && !run) return <RunUnread {...strip} error={error} gone={t('many.gone')} onRetry={refetch} />
  if (!run) return null
  if (goesOn(run)) {
    const words = run.total === null ? t('many.starting') : t('many.going', { done: number(run.done), amount: number(run.total) })
    return <RunGoing {...strip} run={run} handled={run.done} words={words} cancelLabel={t('common:cancel')} />
  }
  const done = t('many.done', { count: run.done, amount: number(run.done) })
  const failed = run.leftAlone > 0 ? t('many.failed', { count: run.leftAlone, amount: number(run.leftAlone) }) : ''
  const came = [run.state === 'cancelled' ? t('many.cancelled') : '', done, failed].filter(Boolean).join(' ')
  const tone = run.state === 'failed' ? 'failed' : run.state === 'succeeded' ? 'ok' : 'warn'
  return (
    <>
      <RunStrip {...strip} tone={tone} words={run.state === 'failed' ? t('sync.failedWhy', { why: came }) : came}>
        <Button onClick={() => setShown(true)}>{t('many.show')}</Button>
      </RunStrip>
      {shown && <Results runId={runId} onClose={() => setShown(false)} />}
    </>
  )
}

function Results({ runId, onClose }: { runId: string; onClose: () => void }) {
  const { t } = useTranslation(['targets', 'common'])
  const { tenantId } = useScope()
  const columns = useColumns(runId)
  const results = usePages(listSyncedUsers, {
    key: [runId],
    inputOf: (continuationToken) => ({
      params: { tenantId, runId },
      query: { pageSize: 50, ...(continuationToken ? { continuationToken } : {}) },
    }),
  })
  return (
    <Drawer opened onClose={onClose} title={t('many.results')} width="logs">
      <DataTable
        label={t('many.results')}
        columns={columns}
        rows={results.rows}
        rowKey={(row) => row.userId}
        empty={<EmptyState title={t('many.empty', { count: SYNCS_KEPT_DAYS })} />}
        error={results.error && <ProblemNotice error={results.error} onRetry={results.refetch} />}
      />
      <TableFooter
        rows={results.rows}
        shown={results.rows && t('drift.shown', { count: results.rows.length, shown: results.rows.length })}
        more={
          results.hasNextPage
            ? { label: t('common:showMore'), busy: results.isFetchingNextPage, onMore: () => results.fetchNextPage() }
            : undefined
        }
      />
    </Drawer>
  )
}

/** What the source said, in a few words. */
const briefOf = (source: SyncedUser['source']) => {
  if (!source || source.from === 'directory') return 'none'
  if (source.brought) return source.brought.outcome
  if (source.from === 'run') return 'unasked'
  if (source.decision === null) return 'absent'
  if (source.decision === 'conflict' || source.decision === 'invalid') return source.decision
  return CHANGING_KINDS.some((kind) => kind === source.decision) ? 'differs' : 'same'
}

const useColumns = (runId: string): readonly Column<SyncedUser>[] => {
  const { t } = useTranslation('targets')
  const causeWords = useCauseWords()
  return useMemo(() => {
    const said = ({ result, deed, cause, detail, attributes }: SyncedAccount): string => {
      if (result === 'failed') {
        const why = [cause && causeWords(cause), detail].filter(Boolean).join(' ')
        return why ? t('sync.failedWhy', { why }) : t('sync.failed')
      }
      if (result === 'kept') return [t('sync.kept'), cause && causeWords(cause)].filter(Boolean).join(' ')
      if (result === 'busy' || !deed) return t('sync.busy')
      const words = t(`sync.${result === 'preview' ? 'would' : 'did'}.${deed}`)
      return attributes.length > 0 ? `${words} ${attributes.join(', ')}` : words
    }
    return [
      {
        key: 'person',
        header: t('many.person'),
        width: 'min(260px, 44vw)',
        cell: (row) => (
          <div className={styles.cell}>
            <AppLink href={paths.syncUser(row.connectorId, row.userId, runId)}>{row.displayName}</AppLink>
          </div>
        ),
      },
      {
        key: 'came',
        header: t('many.what'),
        cell: ({ source, accounts }) => (
          <div className={styles.cell}>
            <div>{t('many.atSource', { what: t(`source.brief.${briefOf(source)}`) })}</div>
            {!accounts || accounts.length === 0 ? (
              <div>{t(accounts ? 'sync.noTargets' : 'many.notAsked')}</div>
            ) : (
              accounts.map((account) => (
                <div key={account.targetId}>{t('many.atTarget', { target: account.targetName, what: said(account) })}</div>
              ))
            )}
          </div>
        ),
      },
    ]
  }, [t, causeWords, runId])
}
