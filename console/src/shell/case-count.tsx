import { listCases } from '@instep/contract/match-cases.ts'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../api/use-endpoint.ts'
import { useFormat } from '../i18n/use-format.ts'
import { useScope } from '../shared/scope.tsx'
import styles from './navigation-list.module.css'

const EVERY_MINUTE = 60_000

/** How many cases wait for an answer; nothing where none does. */
export function CaseCount() {
  const { t } = useTranslation('shell')
  const { tenantId } = useScope()
  const { number } = useFormat()
  const cases = useEndpoint(listCases, { params: { tenantId }, query: { pageSize: 1 } }, { refetchInterval: EVERY_MINUTE })
  const open = cases.data?.open ?? 0
  if (open === 0) return null
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{number(open)}</span>
      <span className="visually-hidden">{t('openCases', { count: open, amount: number(open) })}</span>
    </span>
  )
}
