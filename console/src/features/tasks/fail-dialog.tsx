import { failTask, type TargetTask } from '@instep/contract/target-tasks.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Dialog } from '@instep/ui/dialog.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { useState } from 'react'
import { useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useScope } from '../../shared/scope.tsx'
import { useTasksChanged } from './use-tasks-changed.ts'

interface FailDialogProps {
  /** Null closes the dialog. */
  task: TargetTask | null
  onClose: () => void
  onFailed: () => void
}

/** Asks why a task cannot be done. */
export function FailDialog({ task, onClose, onFailed }: FailDialogProps) {
  const { t } = useTranslation(['tasks', 'common'])
  const { tenantId } = useScope()
  const problemText = useProblemText()
  const changed = useTasksChanged()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const fail = useAction(failTask, {
    onSuccess: () => {
      changed()
      onFailed()
    },
  })
  const missing = reason.trim() === ''
  const submit = () => {
    setAsked(true)
    if (task && !missing) fail.mutate({ params: { tenantId, taskId: task.id }, body: { revision: task.revision, reason: reason.trim() } })
  }
  return (
    <Dialog
      opened={task !== null}
      onClose={onClose}
      title={t('cannot')}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button size="form" variant="primary" busy={fail.isPending} onClick={submit}>
            {t('setAside')}
          </Button>
        </>
      }
    >
      <p>{t('cannotText')}</p>
      <TextField
        label={t('reason')}
        required
        maxLength={1000}
        error={asked && missing ? t('common:enterValue', { value: t('reason').toLocaleLowerCase() }) : undefined}
        value={reason}
        onChange={setReason}
      />
      {fail.error && (
        <Banner tone="danger" boxed alert>
          {problemText(fail.error)}
        </Banner>
      )}
    </Dialog>
  )
}
