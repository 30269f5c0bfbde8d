import type { ListRun } from '@instep/contract/exports.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { RunGoing, RunStrip, RunUnread, useFailureText } from '../../shared/run-strip.tsx'
import { goesOn, useListRun } from '../../shared/use-list-run.ts'
import { useSitesChanged } from './use-sites-changed.ts'

interface EmptyingRunProps {
  runId: string
  /** Takes the strip away; the run goes on. */
  onDismiss: () => void
}

/** How far moving the people of a closed site is, and what came of it. */
export function EmptyingRun({ runId, onDismiss }: EmptyingRunProps) {
  const { t } = useTranslation('sites')
  const { number } = useFormat()
  const { data: run, error, refetch } = useListRun(runId, { fresh: true, onEnded: useSitesChanged() })
  const strip = { label: t('run.progress'), onDismiss }
  if (error && !run) return <RunUnread {...strip} error={error} gone={t('run.gone')} onRetry={refetch} />
  if (!run) return null
  if (!goesOn(run)) return <Ended run={run} onDismiss={onDismiss} />
  const words =
    run.total === null ? t('run.starting') : t('run.going', { done: number(run.done), count: run.total, amount: number(run.total) })
  return <RunGoing {...strip} run={run} handled={run.done} words={words} cancelLabel={t('run.cancel')} />
}

function Ended({ run, onDismiss }: { run: ListRun; onDismiss: () => void }) {
  const { t } = useTranslation('sites')
  const { number } = useFormat()
  const failureText = useFailureText()
  const moved = t('run.moved', { count: run.done, amount: number(run.done) })
  const locked = run.leftAlone > 0 ? t('run.locked', { count: run.leftAlone, amount: number(run.leftAlone) }) : ''
  const before = run.state === 'failed' ? t('run.failed', { why: failureText(run) }) : run.state === 'cancelled' ? t('run.cancelled') : ''
  const tone = run.state === 'failed' ? 'failed' : run.state === 'succeeded' ? 'ok' : 'warn'
  return <RunStrip tone={tone} label={t('run.progress')} words={[before, moved, locked].filter(Boolean).join(' ')} onDismiss={onDismiss} />
}
