import type { TargetTask } from '@instep/contract/target-tasks.ts'
import type { Column } from '@instep/ui/data-table.tsx'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import styles from './tasks.module.css'
import { useTaskWords } from './use-task-words.ts'

/** Whom it is about, what is to be done where, who has it and since when; of closed ones who closed them and why. */
export const useTaskColumns = (state: TargetTask['state']): readonly Column<TargetTask>[] => {
  const { t } = useTranslation('tasks')
  const { instant } = useFormat()
  const { summary } = useTaskWords()
  return useMemo(() => {
    const about: Column<TargetTask>[] = [
      {
        key: 'person',
        header: t('columns.person'),
        width: '210px',
        cell: (row) => (
          <>
            <bdi className={`${styles.name} clamped`}>{row.displayName}</bdi>{' '}
            <bdi className={`${styles.second} figures`}>{row.employeeId}</bdi>
          </>
        ),
      },
      { key: 'kind', header: t('columns.kind'), width: '150px', cell: (row) => t(`kinds.${row.kind}`) },
      {
        key: 'changes',
        header: t('columns.changes'),
        cell: (row) => <span className={`${styles.values} clamped`}>{summary(row) || '–'}</span>,
      },
      { key: 'target', header: t('columns.target'), width: '160px', cell: (row) => <bdi>{row.targetName}</bdi> },
    ]
    if (state === 'open')
      return [
        ...about,
        { key: 'assigned', header: t('columns.assigned'), width: '150px', cell: (row) => <bdi>{row.assignedTo?.name ?? '–'}</bdi> },
        { key: 'opened', header: t('columns.opened'), width: '160px', figures: true, cell: (row) => <bdi>{instant(row.openedAt)}</bdi> },
      ]
    return [
      ...about,
      { key: 'by', header: t('columns.by'), width: '150px', cell: (row) => <bdi>{row.closedBy ?? '–'}</bdi> },
      ...(state === 'failed'
        ? [{ key: 'reason', header: t('columns.reason'), cell: (row: TargetTask) => <span className="clamped">{row.reason}</span> }]
        : []),
      {
        key: 'closed',
        header: t('columns.closed'),
        width: '160px',
        figures: true,
        cell: (row) => <bdi>{row.closedAt && instant(row.closedAt)}</bdi>,
      },
    ]
  }, [state, t, instant, summary])
}
