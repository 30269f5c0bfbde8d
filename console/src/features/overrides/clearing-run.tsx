import type { ListRun } from '@instep/contract/exports.ts'
import { listOverrides } from '@instep/contract/overrides.ts'
import { getUser, searchUsers } from '@instep/contract/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { endpointKey } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { RunGoing, RunStrip, RunUnread, useFailureText } from '../../shared/run-strip.tsx'
import { goesOn, useListRun } from '../../shared/use-list-run.ts'

interface ClearingRunProps {
  runId: string
  /** Takes the strip away; the run goes on. */
  onDismiss: () => void
}

/** How far taking overrides back is, and what came of it. */
export function ClearingRun({ runId, onDismiss }: ClearingRunProps) {
  const { t } = useTranslation('overrides')
  const { number } = useFormat()
  const cache = useQueryClient()
  // when it ends, lists and people are shown anew
  const onEnded = () => {
    for (const endpoint of [listOverrides, searchUsers, getUser]) void cache.invalidateQueries({ queryKey: endpointKey(endpoint) })
  }
  const { data: run, error, refetch } = useListRun(runId, { fresh: true, onEnded })
  const strip = { label: t('run.progress'), onDismiss }
  if (error && !run) return <RunUnread {...strip} error={error} gone={t('run.gone')} onRetry={refetch} />
  if (!run) return null
  if (!goesOn(run)) return <Ended run={run} onDismiss={onDismiss} />
  const handled = run.done + run.leftAlone
  const words =
    run.total === null ? t('run.starting') : t('run.going', { done: number(handled), count: run.total, amount: number(run.total) })
  return <RunGoing {...strip} run={run} handled={handled} words={words} cancelLabel={t('run.cancel')} />
}

function Ended({ run, onDismiss }: { run: ListRun; onDismiss: () => void }) {
  const { t } = useTranslation('overrides')
  const { number } = useFormat()
  const failureText = useFailureText()
  const cleared = t('run.cleared', { count: run.done, amount: number(run.done) })
  const left = run.leftAlone > 0 ? t('run.leftAlone', { count: run.leftAlone, amount: number(run.leftAlone) }) : ''
  const before = run.state === 'failed' ? t('run.failed', { why: failureText(run) }) : run.state === 'cancelled' ? t('run.cancelled') : ''
  const tone = run.state === 'failed' ? 'failed' : left || run.state === 'cancelled' ? 'warn' : 'ok'
  return <RunStrip tone={tone} label={t('run.progress')} words={[before, cleared, left].filter(Boolean).join(' ')} onDismiss={onDismiss} />
}
