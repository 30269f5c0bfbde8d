import { type Connector, getConnectorStats } from '@instep/contract/connectors.ts'
import { Button } from '@instep/ui/button.tsx'
import { RankedList } from '@instep/ui/ranked-list.tsx'
import { Section } from '@instep/ui/section.tsx'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { DayInput } from '../../shared/conditions/day-input.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import styles from './connectors.module.css'

/** Sites shown before all are asked for. */
const FIRST = 12

/** How many people of a source each site has, now or at the end of a day, most first; those without a site stand under their own name. */
export function PeopleBySite({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { number } = useFormat()
  const [all, setAll] = useState(false)
  const [day, setDay] = useState('')
  const query = { bySite: 'true' as const, ...(day && { asAt: day }) }
  const stats = useEndpoint(getConnectorStats, { params: { id: connector.id }, query }, { keepOld: true })
  const sites = stats.data?.sites
  const rows = sites
    ?.map(({ name, totalUsers }) => ({ name: name ?? t('bySite.unassigned'), count: totalUsers, shown: number(totalUsers) }))
    .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name))
  if (stats.data && !sites) return null
  return (
    <Section
      title={t('bySite.title')}
      actions={
        <span className={styles.day}>
          <span aria-hidden="true">{t('bySite.day')}</span>
          <Suspense fallback={null}>
            <DayInput label={t('bySite.day')} value={day} error={null} onChange={setDay} />
          </Suspense>
        </span>
      }
    >
      {stats.error && <ProblemNotice error={stats.error} onRetry={stats.refetch} />}
      {rows?.length === 0 && <p className={styles.muted}>{t('bySite.none')}</p>}
      {rows && rows.length > 0 && <RankedList rows={all ? rows : rows.slice(0, FIRST)} />}
      {rows && rows.length > FIRST && !all && (
        <Button variant="quiet" onClick={() => setAll(true)}>
          {t('bySite.all', { count: rows.length })}
        </Button>
      )}
    </Section>
  )
}
