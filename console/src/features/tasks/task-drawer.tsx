import { completeTask, getTask, type TargetTask } from '@instep/contract/target-tasks.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { Button } from '@instep/ui/button.tsx'
import { Diff } from '@instep/ui/diff.tsx'
import { Drawer } from '@instep/ui/drawer.tsx'
import { Loader } from '@instep/ui/loader.tsx'
import { TextField } from '@instep/ui/text-field.tsx'
import { showToast } from '@instep/ui/toasts.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useEndpoint } from '../../api/use-endpoint.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useRefusal } from '../../shared/use-refusal.ts'
import { FailDialog } from './fail-dialog.tsx'
import { TaskNotes } from './task-notes.tsx'
import { TaskUndo } from './task-undo.tsx'
import styles from './tasks.module.css'
import { useTaskWords } from './use-task-words.ts'
import { useTasksChanged } from './use-tasks-changed.ts'

interface TaskDrawerProps {
  /** Null while closed. */
  taskId: string | null
  onClose: () => void
}

/** One task: what is to be done, by whom, and the tick. */
export function TaskDrawer({ taskId, onClose }: TaskDrawerProps) {
  const { t } = useTranslation(['tasks', 'common'])
  const { tenantId } = useScope()
  // the drawer keeps its words while it closes
  const [last, setLast] = useState(taskId)
  if (taskId !== null && taskId !== last) setLast(taskId)
  const query = useEndpoint(getTask, { params: { tenantId, taskId: last ?? '' } }, { enabled: last !== null })
  const task = query.data
  const [accountName, setAccountName] = useState({ of: '', text: '' })
  const typed = accountName.of === task?.id ? accountName.text : ''
  return (
    <Drawer
      opened={taskId !== null}
      onClose={onClose}
      width="form"
      title={task ? t(`kinds.${task.kind}`) : t('one')}
      footer={
        task?.state === 'open' ? (
          <Deciding key={task.id} task={task} accountName={typed} onClose={onClose} />
        ) : (
          <Button size="form" onClick={onClose}>
            {t('common:close')}
          </Button>
        )
      }
    >
      {query.error ? (
        <ProblemNotice error={query.error} onRetry={query.refetch} />
      ) : task ? (
        <Content key={task.id} task={task} accountName={typed} onAccountName={(text) => setAccountName({ of: task.id, text })} />
      ) : (
        <Loader label={t('common:loading')} />
      )}
    </Drawer>
  )
}

interface ContentProps {
  task: TargetTask
  accountName: string
  onAccountName: (text: string) => void
}

function Content({ task, accountName, onAccountName }: ContentProps) {
  const { t } = useTranslation('tasks')
  const { instant } = useFormat()
  const { asked, changes } = useTaskWords()
  const open = task.state === 'open'
  return (
    <div className={styles.task}>
      <p className={styles.asked}>{asked(task)}</p>
      <p className={styles.about}>
        <AppLink href={paths.people({ userId: task.userId, connectorId: task.connectorId })}>{task.displayName}</AppLink>{' '}
        <bdi className="figures">{task.employeeId}</bdi>
        {task.siteName && <> · {task.siteName}</>} · {t('since', { time: instant(task.openedAt) })}
        {task.revision > 1 && <> · {t('reworded', { time: instant(task.changedAt) })}</>}
      </p>
      {!open && <Ended task={task} />}
      {task.changes.length > 0 && <Diff changes={changes(task)} />}
      {task.instructions && (
        <Banner tone="plain" boxed>
          <strong>{t('instructions')}</strong>
          <p className={styles.instructions}>{task.instructions}</p>
        </Banner>
      )}
      {open && task.kind !== 'delete' && !task.accountName && (
        <TextField label={t('accountName')} hint={t('accountNameHint')} longest={200} value={accountName} onChange={onAccountName} />
      )}
      {task.accountName && (
        <p className={styles.about}>
          {t('accountName')}: <bdi>{task.accountName}</bdi>
        </p>
      )}
      <TaskNotes task={task} />
    </div>
  )
}

function Ended({ task }: { task: TargetTask }) {
  const { t } = useTranslation('tasks')
  const { instant } = useFormat()
  return (
    <Banner tone={task.state === 'done' ? 'ok' : task.state === 'failed' ? 'danger' : 'plain'} boxed actions={<TaskUndo task={task} />}>
      <strong>{t(`states.${task.state}`)}.</strong>{' '}
      {t('endedBy', { by: task.closedBy ?? '', time: task.closedAt ? instant(task.closedAt) : '' })}{' '}
      {task.reason && t('reasonGiven', { reason: task.reason })}
    </Banner>
  )
}

interface DecidingProps {
  task: TargetTask
  accountName: string
  onClose: () => void
}

function Deciding({ task, accountName, onClose }: DecidingProps) {
  const { t } = useTranslation('tasks')
  const { tenantId } = useScope()
  const problemText = useProblemText()
  const changed = useTasksChanged()
  const refusal = useRefusal().ofCall(completeTask)
  const [failing, setFailing] = useState(false)
  const complete = useAction(completeTask, {
    onSuccess: () => {
      showToast({ kind: 'done', text: t('ticked', { count: 1 }) })
      changed()
      onClose()
    },
    onError: (error) => {
      showToast({ kind: 'failed', text: problemText(error) })
      // what is wanted may be something else by now
      changed()
    },
  })
  const name = accountName.trim()
  const body = { revision: task.revision, ...(name ? { accountName: name } : {}) }
  return (
    <>
      <Button size="form" disabledReason={refusal} onClick={() => setFailing(true)}>
        {t('cannot')}
      </Button>
      <Button
        size="form"
        variant="primary"
        busy={complete.isPending}
        disabledReason={refusal}
        onClick={() => complete.mutate({ params: { tenantId, taskId: task.id }, body })}
      >
        {t('tick')}
      </Button>
      {failing && (
        <FailDialog
          task={task}
          onClose={() => setFailing(false)}
          onFailed={() => {
            setFailing(false)
            onClose()
          }}
        />
      )}
    </>
  )
}
