import { listTasks } from '@instep/contract/target-tasks.ts'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../api/use-endpoint.ts'
import { useFormat } from '../i18n/use-format.ts'
import { useScope } from '../shared/scope.tsx'
import styles from './navigation-list.module.css'

const EVERY_MINUTE = 60_000

/** How many tasks wait for a person; nothing where none does. */
export function TaskCount() {
  const { t } = useTranslation('shell')
  const { tenantId } = useScope()
  const { number } = useFormat()
  const tasks = useEndpoint(listTasks, { params: { tenantId }, query: { pageSize: 1 } }, { refetchInterval: EVERY_MINUTE })
  const open = tasks.data?.count.value ?? 0
  if (open === 0) return null
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{number(open)}</span>
      <span className="visually-hidden">{t('openTasks', { count: open, amount: number(open) })}</span>
    </span>
  )
}
