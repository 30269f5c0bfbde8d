import { downloadExport, type ListRun } from '@instep/contract/exports.ts'
import { Button } from '@instep/ui/button.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../api/api-context.tsx'
import { ApiProblem } from '../../api/api-problem.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { RunGoing, RunStrip, RunUnread, useFailureText } from '../../shared/run-strip.tsx'
import { useScope } from '../../shared/scope.tsx'
import { goesOn, useListRun } from '../../shared/use-list-run.ts'

interface ExportRunProps {
  runId: string
  /** It was started on this page: its file is handed over as soon as it is complete. */
  fresh: boolean
  /** Takes the strip away; the run goes on. */
  onDismiss: () => void
}

/** How far the export of a list is; when it is complete, the file to download. It comes back with the address. */
export function ExportRun({ runId, fresh, onDismiss }: ExportRunProps) {
  const { t } = useTranslation(['people', 'common'])
  const { number } = useFormat()
  const failureText = useFailureText()
  const { download, busy } = useDownload(runId)
  const onEnded = (run: ListRun) => run.state === 'succeeded' && download(run)
  const { data: run, error, refetch } = useListRun(runId, { fresh, onEnded })
  const strip = { label: t('export.progress'), onDismiss }
  if (error && !run) return <RunUnread {...strip} error={error} gone={t('export.gone')} onRetry={refetch} />
  if (!run) return null
  const { done, total, state } = run
  if (goesOn(run)) {
    const words =
      total === null ? t('export.going', { done: number(done) }) : t('export.goingOf', { done: number(done), total: number(total) })
    return <RunGoing {...strip} run={run} handled={done} words={words} cancelLabel={t('common:cancel')} />
  }
  if (state === 'succeeded') {
    return (
      <RunStrip {...strip} tone="ok" words={t('export.ready', { file: run.fileName ?? '' })}>
        <Button icon={IconDownload} busy={busy} onClick={() => void download(run)}>
          {t('export.download')}
        </Button>
      </RunStrip>
    )
  }
  const words = state === 'cancelled' ? t('export.cancelled') : t('export.failed', { why: failureText(run) })
  return <RunStrip {...strip} tone="failed" words={words} />
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
