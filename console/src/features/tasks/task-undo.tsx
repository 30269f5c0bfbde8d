import { type TargetTask, undoTask } from '@instep/contract/target-tasks.ts'
import { Button } from '@instep/ui/button.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import { useTasksChanged } from './use-tasks-changed.ts'

/** Takes a tick back; nothing where there is none to take back. */
export function TaskUndo({ task }: { task: TargetTask }) {
  const { t } = useTranslation('tasks')
  const { tenantId } = useScope()
  const problemText = useProblemText()
  const changed = useTasksChanged()
  const refusal = useRefusal().ofCall(undoTask)
  const undo = useAction(undoTask, {
    onSuccess: () => {
      showToast({ kind: 'done', text: t('undone') })
      changed()
    },
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  if (task.state !== 'done' && task.state !== 'failed') return null
  return (
    <Button busy={undo.isPending} disabledReason={refusal} onClick={() => undo.mutate({ params: { tenantId, taskId: task.id } })}>
      {t('undo')}
    </Button>
  )
}
