import { listAssignees, MAX_COMMENT, type TargetTask, updateTask } from '@instep/contract/target-tasks.ts'
import { Button } from '@instep/ui/button.tsx'
import { SelectField } from '@instep/ui/select-field.tsx'
import { TextAreaField } from '@instep/ui/text-area-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import styles from './tasks.module.css'
import { useTasksChanged } from './use-tasks-changed.ts'

/** Who has the task, and what was noted about it; can be changed while it is open. */
export function TaskNotes({ task }: { task: TargetTask }) {
  const { t } = useTranslation('tasks')
  const { tenantId, me } = useScope()
  const problemText = useProblemText()
  const changed = useTasksChanged()
  const refusal = useRefusal().ofCall(updateTask)
  const assignees = useEndpoint(listAssignees, { params: { tenantId } })
  const [comment, setComment] = useState(task.comment ?? '')
  const update = useAction(updateTask, {
    onSuccess: (_, { body }) => {
      // whom it was given to can be seen
      if (body?.comment !== undefined) showToast({ kind: 'done', text: t('noted') })
      changed()
    },
    onError: (error) => showToast({ kind: 'failed', text: problemText(error) }),
  })
  const params = { tenantId, taskId: task.id }
  if (task.state !== 'open')
    return task.comment ? (
      <p className={styles.about}>
        {t('comment')}: {task.comment}
      </p>
    ) : null
  const known = assignees.data?.data ?? []
  // whoever is above the tenant may take a task without being offered to others
  const offered = [...known, ...[task.assignedTo, { id: me.id, name: me.name }].filter((one) => one !== null)]
  const options = [...new Map(offered.map(({ id, name }) => [id, { value: id, label: name }])).values()]
  return (
    <>
      <SelectField
        label={t('assigned')}
        value={task.assignedTo?.id ?? ''}
        options={[{ value: '', label: t('nobody') }, ...options]}
        onChange={(id) => update.mutate({ params, body: { assignedTo: id || null } })}
      />
      <div className={styles.note}>
        <TextAreaField label={t('comment')} longest={MAX_COMMENT} value={comment} onChange={setComment} />
        <Button
          busy={update.isPending}
          disabledReason={refusal ?? (comment.trim() === (task.comment ?? '') ? t('nothingNoted') : null)}
          onClick={() => update.mutate({ params, body: { comment: comment.trim() || null } })}
        >
          {t('note')}
        </Button>
      </div>
    </>
  )
}
