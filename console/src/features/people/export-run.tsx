import { cancelListRun, downloadExport, getListRun, type ListRun, watchListRun } from '@instep/contract/exports.ts'
import { Button } from '@instep/ui/button.tsx'
import { Icon } from '@instep/ui/icon.tsx'
import { IconButton } from '@instep/ui/icon-button.tsx'
import { ProgressBar } from '@instep/ui/progress-bar.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconCircleCheck, IconCircleX, IconDownload, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../api/api-context.tsx'
import { ApiProblem } from '../../api/api-problem.ts'
import { endpointKey, useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import styles from './export.module.css'
import { goesOn } from './export.rules.ts'

interface ExportRunProps {
  runId: string
  /** It was started on this page: its file is handed over as soon as it is complete. */
  fresh: boolean
  /** Takes the strip away; the run goes on. */
  onDismiss: () => void
}

/** How far the export of a list is; when it is complete, the file to download. It comes back with the address. */
export function ExportRun({ runId, fresh, onDismiss }: ExportRunProps) {
  const { t } = useTranslation(['people', 'common', 'problems'])
  const { tenantId } = useScope()
  const problemText = useProblemText()
  const params = { tenantId, runId }
  const { data: run, error, refetch } = useEndpoint(getListRun, { params })
  const { download, busy } = useDownload(runId)
  useWatched(run, fresh, download)
  if (error && !run) {
    const gone = error instanceof ApiProblem && error.status === 404
    return (
      <Strip tone="failed" words={gone ? t('export.gone') : problemText(error)} onDismiss={onDismiss}>
        {!gone && <Button onClick={() => void refetch()}>{t('common:tryAgain')}</Button>}
      </Strip>
    )
  }
  if (!run) return null
  if (goesOn(run.state)) return <Going run={run} onDismiss={onDismiss} />
  if (run.state === 'succeeded') {
    return (
      <Strip tone="done" words={t('export.ready', { file: run.fileName ?? '' })} onDismiss={onDismiss}>
        <Button icon={IconDownload} busy={busy} onClick={() => void download(run)}>
          {t('export.download')}
        </Button>
      </Strip>
    )
  }
  const why = run.failure ? t(`problems:${run.failure.code}`, { defaultValue: t('common:error500') }) : t('common:error500')
  return (
    <Strip tone="failed" words={run.state === 'cancelled' ? t('export.cancelled') : t('export.failed', { why })} onDismiss={onDismiss} />
  )
}

function Going({ run, onDismiss }: { run: ListRun; onDismiss: () => void }) {
  const { t } = useTranslation(['people', 'common'])
  const { tenantId } = useScope()
  const { number } = useFormat()
  const cache = useQueryClient()
  const problemText = useProblemText()
  const params = { tenantId, runId: run.id }
  const cancel = useAction(cancelListRun, {
    onSuccess: (next) => cache.setQueryData(endpointKey(getListRun, { params }), next),
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  const { done, total } = run
  return (
    <Strip
      tone="plain"
      words={total === null ? t('export.going', { done: number(done) }) : t('export.goingOf', { done: number(done), total: number(total) })}
      onDismiss={onDismiss}
    >
      <span className={styles.bar}>
        <ProgressBar label={t('export.progress')} share={total ? Math.min(1, done / total) : 0} />
      </span>
      <Button busy={cancel.isPending} onClick={() => cancel.mutate({ params })}>
        {t('common:cancel')}
      </Button>
    </Strip>
  )
}

interface StripProps {
  tone: 'plain' | 'done' | 'failed'
  words: string
  onDismiss: () => void
  children?: React.ReactNode
}

function Strip({ tone, words, onDismiss, children }: StripProps) {
  const { t } = useTranslation('common')
  return (
    <section className={`${styles.run} ${styles[tone] ?? ''}`}>
      {tone !== 'plain' && <Icon of={tone === 'done' ? IconCircleCheck : IconCircleX} size={16} />}
      {/* the figures of a run that goes on are not read out one after the other */}
      <span className={styles.words} role={tone === 'plain' ? undefined : 'status'}>
        {words}
      </span>
      {children}
      <IconButton icon={IconX} label={t('dismiss')} onClick={onDismiss} />
    </section>
  )
}

/** Fetches the file of a complete export. */
const useDownload = (runId: string) => {
  const { t } = useTranslation('people')
  const api = useApi()
  const { tenantId } = useScope()
  const problemText = useProblemText()
  const [busy, setBusy] = useState(false)
  const download = async (run: ListRun) => {
    setBusy(true)
    try {
      await api.download(downloadExport, { params: { tenantId, runId } }, run.fileName ?? 'people.csv')
    } catch (error) {
      const gone = error instanceof ApiProblem && error.code === 'FILE_GONE'
      showToast({ kind: 'failed', text: gone ? t('export.gone') : problemText(error) })
    } finally {
      setBusy(false)
    }
  }
  return { download, busy }
}

/** Follows a run to its end; the file of one that ends before the reader's eyes is handed over at once. */
const useWatched = (run: ListRun | undefined, fresh: boolean, onReady: (run: ListRun) => unknown): void => {
  const api = useApi()
  const cache = useQueryClient()
  const { tenantId } = useScope()
  const ready = useEffectEvent(onReady)
  const runId = run?.id
  const going = run !== undefined && goesOn(run.state)
  useEffect(() => {
    if (!runId || !going) return
    const leaving = new AbortController()
    const input = { params: { tenantId, runId } }
    const told = (next: ListRun) => cache.setQueryData(endpointKey(getListRun, input), next)
    const lost = () => void cache.invalidateQueries({ queryKey: endpointKey(getListRun, input) })
    api.watch(watchListRun, { ...input, signal: leaving.signal }, told).then(lost, lost)
    return () => leaving.abort()
  }, [api, cache, tenantId, runId, going])
  const wasGoing = useRef(fresh)
  useEffect(() => {
    if (wasGoing.current && run?.state === 'succeeded') ready(run)
    if (run) wasGoing.current = going
  }, [run, going])
}
