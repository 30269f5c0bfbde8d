import { failTask, type TargetTask } from '@instep/contract/target-tasks.ts'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-endpoint.ts'
import { ReasonDialog } from '../../shared/reason-dialog.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useTasksChanged } from './use-tasks-changed.ts'

interface FailDialogProps {
  task: TargetTask
  onClose: () => void
  onFailed: () => void
}

/** Asks why a task cannot be done. */
export function FailDialog({ task, onClose, onFailed }: FailDialogProps) {
  const { t } = useTranslation('tasks')
  const { tenantId } = useScope()
  const changed = useTasksChanged()
  const fail = useAction(failTask, {
    onSuccess: () => {
      changed()
      onFailed()
    },
  })
  return (
    <ReasonDialog
      title={t('cannot')}
      action={t('setAside')}
      busy={fail.isPending}
      error={fail.error}
      onClose={onClose}
      onGiven={(reason) => fail.mutate({ params: { tenantId, taskId: task.id }, body: { revision: task.revision, reason } })}
    >
      <p>{t('cannotText')}</p>
    </ReasonDialog>
  )
}
