import { syncUsers } from '@instep/contract/user-sync.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { Segmented } from '@instep/ui/segmented.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { FormButtons } from '../../shared/form-buttons.tsx'
import { useScope } from '../../shared/scope.tsx'
import styles from './sync-run.module.css'
import type { Selected } from './use-selection.ts'

interface SyncDialogProps {
  selected: Selected
  /** Told the run that asks the targets. */
  onStarted: (runId: string) => void
  onClose: () => void
}

/** Asks whether those selected are brought in step, or only looked at. Mount it to open it. */
export function SyncDialog({ selected, onStarted, onClose }: SyncDialogProps) {
  const { t } = useTranslation('targets')
  const { tenantId } = useScope()
  const problemText = useProblemText()
  const [mode, setMode] = useState<'preview' | 'apply'>('preview')
  const userIds = 'ids' in selected.selection ? [...selected.selection.ids] : []
  const start = useAction(syncUsers, {
    onSuccess: (run) => {
      onStarted(run.id)
      onClose()
    },
  })
  const submit = () => {
    if (!start.isPending) start.mutate({ params: { tenantId }, body: { userIds, preview: mode === 'preview' } })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('many.title', { count: userIds.length })}
      footer={<FormButtons label={t(`sync.${mode}`)} busy={start.isPending} onCancel={onClose} onSubmit={submit} />}
    >
      <form
        className={styles.ask}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Segmented
          label={t('many.mode')}
          segments={(['preview', 'apply'] as const).map((value) => ({ value, label: t(`sync.${value}`) }))}
          value={mode}
          onChange={setMode}
        />
        <p>{t(`many.${mode}`)}</p>
        {start.error && (
          <Banner tone="danger" boxed alert>
            {problemText(start.error)}
          </Banner>
        )}
      </form>
    </Dialog>
  )
}
