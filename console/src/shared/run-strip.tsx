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
import { ApiProblem } from '../api/api-problem.ts'
import { endpointKey, useAction } from '../api/use-endpoint.ts'
import { useProblemText } from '../api/use-problem-text.ts'
import styles from './run-strip.module.css'
import { useScope } from './scope.tsx'

const ICONS = { ok: IconCircleCheck, warn: IconAlertTriangle, failed: IconCircleX }

interface RunStripProps {
  /** `plain`: the run goes on. */
  tone: 'plain' | keyof typeof ICONS
  /** What the strip is about. */
  label: string
  words: string
  /** Takes the strip away; the run goes on. */
  onDismiss: () => void
  children?: ReactNode
}

/** A line above a list that tells how far a run over it is, or what came of it. */
export function RunStrip({ tone, label, words, onDismiss, children }: RunStripProps) {
  const { t } = useTranslation('common')
  return (
    <section className={`${styles.run} ${styles[tone] ?? ''}`} aria-label={label}>
      {tone !== 'plain' && <Icon of={ICONS[tone]} size={16} />}
      {/* the figures of a run that goes on are not read out one after the other */}
      <span className={styles.words} role={tone === 'plain' ? undefined : 'status'}>
        {words}
      </span>
      {children}
      <IconButton icon={IconX} label={t('dismiss')} onClick={onDismiss} />
    </section>
  )
}

interface RunGoingProps {
  run: ListRun
  /** How many it has dealt with. */
  handled: number
  label: string
  words: string
  cancelLabel: string
  onDismiss: () => void
}

/** A run that goes on: how far it is, and a way to stop it. */
export function RunGoing({ run, handled, label, words, cancelLabel, onDismiss }: RunGoingProps) {
  const { tenantId } = useScope()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const params = { tenantId, runId: run.id }
  const cancel = useAction(cancelListRun, {
    onSuccess: (next) => cache.setQueryData(endpointKey(getListRun, { params }), next),
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  return (
    <RunStrip tone="plain" label={label} words={words} onDismiss={onDismiss}>
      <span className={styles.bar}>
        <ProgressBar label={label} share={run.total ? Math.min(1, handled / run.total) : 0} />
      </span>
      <Button busy={cancel.isPending} onClick={() => cancel.mutate({ params })}>
        {cancelLabel}
      </Button>
    </RunStrip>
  )
}

interface RunUnreadProps {
  error: Error
  label: string
  /** What is said where there is no such run for this reader. */
  gone: string
  onRetry: () => unknown
  onDismiss: () => void
}

/** A run that cannot be read. */
export function RunUnread({ error, label, gone, onRetry, onDismiss }: RunUnreadProps) {
  const { t } = useTranslation('common')
  const problemText = useProblemText()
  const isGone = error instanceof ApiProblem && error.status === 404
  return (
    <RunStrip tone="failed" label={label} words={isGone ? gone : problemText(error)} onDismiss={onDismiss}>
      {!isGone && <Button onClick={() => void onRetry()}>{t('tryAgain')}</Button>}
    </RunStrip>
  )
}

/** Why a run failed, in words. */
export const useFailureText = () => {
  const { t } = useTranslation(['common', 'problems'])
  return ({ failure }: ListRun): string =>
    failure ? t(`problems:${failure.code}`, { defaultValue: t('common:error500') }) : t('common:error500')
}
