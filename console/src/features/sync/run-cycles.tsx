import { listRunCycles } from '@instep/contract/reporting-lines.ts'
import { Banner } from '@instep/ui/banner.tsx'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useScope } from '../../shared/scope.tsx'
import styles from './sync.module.css'
import type { WatchedRun } from './watched-run.ts'

/** Managers who report to each other in a circle since this run; silent where there are none. */
export function RunCycles({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const { tenantId } = useScope()
  const { number } = useFormat()
  const done = run.state === 'succeeded' || run.state === 'partlySucceeded'
  const { data } = useEndpoint(listRunCycles, { params: { tenantId, runId: run.id } }, { enabled: done })
  if (!data || data.data.length === 0) return null
  return (
    <Banner tone="warn" boxed>
      {t('run.cycles', { count: data.data.length, amount: number(data.data.length) })}
      <ul className={styles.rowReasons}>
        {data.data.map((people) => (
          <li key={people[0]?.id}>
            <bdi>{[...people, ...people.slice(0, 1)].map(({ name }) => name).join(' → ')}</bdi>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
