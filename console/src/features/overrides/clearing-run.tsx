import { cancelListRun, getListRun, type ListRun } from '@instep/contract/exports.ts'
import { Button } from '@instep/ui/button.tsx'
import { Icon } from '@instep/ui/icon.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { ProgressBar } from '@instep/ui/progress-bar.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey, useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import styles from './overrides.module.css'
import { goesOn, useClearingRun } from './use-clearing-run.ts'

interface ClearingRunProps {
  runId: string
  /** Takes the strip away; the run goes on. */
  onDismiss: () => void
}

/** How far taking overrides back is, and what came of it. */
export function ClearingRun({ runId, onDismiss }: ClearingRunProps) {
  const { t } = useTranslation(['overrides', 'common'])
  const problemText = useProblemText()
  const { data: run, error, refetch } = useClearingRun(runId)
  if (error && !run) {
    const gone = error instanceof ApiProblem && error.status === 404
    return (
      <Strip tone="failed" words={gone ? t('run.gone') : problemText(error)} onDismiss={onDismiss}>
        {!gone && <Button onClick={() => void refetch()}>{t('common:tryAgain')}</Button>}
      </Strip>
    )
  }
  if (!run) return null
  return goesOn(run) ? <Going run={run} onDismiss={onDismiss} /> : <Ended run={run} onDismiss={onDismiss} />
}

interface RunProps {
  run: ListRun
  onDismiss: () => void
}

function Going({ run, onDismiss }: RunProps) {
  const { t } = useTranslation(['overrides', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const params = { tenantId, runId: run.id }
  const cancel = useAction(cancelListRun, {
    onSuccess: (next) => cache.setQueryData(endpointKey(getListRun, { params }), next),
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  const handled = run.done + run.leftAlone
  const words =
    run.total === null ? t('run.starting') : t('run.going', { done: number(handled), count: run.total, amount: number(run.total) })
  return (
    <Strip tone="plain" words={words} onDismiss={onDismiss}>
      <span className={styles.progress}>
        <ProgressBar label={t('run.progress')} share={run.total ? Math.min(1, handled / run.total) : 0} />
      </span>
      <Button busy={cancel.isPending} onClick={() => cancel.mutate({ params })}>
        {t('run.cancel')}
      </Button>
    </Strip>
  )
}

function Ended({ run, onDismiss }: RunProps) {
  const { t } = useTranslation(['overrides', 'common', 'problems'])
  const { number } = useFormat()
  const cleared = t('run.cleared', { count: run.done, amount: number(run.done) })
  const left = run.leftAlone > 0 ? t('run.leftAlone', { count: run.leftAlone, amount: number(run.leftAlone) }) : ''
  const why = run.failure ? t(`problems:${run.failure.code}`, { defaultValue: t('common:error500') }) : t('common:error500')
  const before = run.state === 'failed' ? t('run.failed', { why }) : run.state === 'cancelled' ? t('run.cancelled') : ''
  const tone = run.state === 'failed' ? 'failed' : left || run.state === 'cancelled' ? 'warn' : 'ok'
  return <Strip tone={tone} words={[before, cleared, left].filter(Boolean).join(' ')} onDismiss={onDismiss} />
}

const ICONS = { ok: IconCircleCheck, warn: IconAlertTriangle, failed: IconCircleX }

interface StripProps {
  tone: 'plain' | keyof typeof ICONS
  words: string
  onDismiss: () => void
  children?: ReactNode
}

function Strip({ tone, words, onDismiss, children }: StripProps) {
  const { t } = useTranslation('overrides')
  return (
    <section className={`${styles.run} ${styles[tone] ?? ''}`} aria-label={t('run.progress')}>
      {tone !== 'plain' && <Icon of={ICONS[tone]} size={16} />}
      <span className={styles.words} role="status">
        {words}
      </span>
      {children}
      <IconButton icon={IconX} label={t('run.dismiss')} onClick={onDismiss} />
    </section>
  )
}
