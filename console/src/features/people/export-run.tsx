import { downloadExport, type ListRun } from '@instep/contract/exports.ts'
import { Button } from '@instep/ui/button.tsx'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/api-problem.ts'
import { useDownload } from '../../api/use-download.ts'
import { useFormat } from '../../i18n/use-format.ts'
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
  const { tenantId } = useScope()
  const gone = (error: Error) => (error instanceof ApiProblem && error.code === 'FILE_GONE' ? t('export.gone') : undefined)
  const { download, busy } = useDownload(downloadExport, gone)
  const fetchFile = (run: ListRun) => download({ params: { tenantId, runId } }, run.fileName ?? 'people.csv')
  const onEnded = (run: ListRun) => run.state === 'succeeded' && fetchFile(run)
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
        <Button icon={IconDownload} busy={busy} onClick={() => fetchFile(run)}>
          {t('export.download')}
        </Button>
      </RunStrip>
    )
  }
  const words = state === 'cancelled' ? t('export.cancelled') : t('export.failed', { why: failureText(run) })
  return <RunStrip {...strip} tone="failed" words={words} />
}
