import type { Connector } from '@instep/contract/connectors.ts'
import { listRuns, type Run } from '@instep/contract/sync.ts'
import { Section } from '@instep/ui/section.tsx'
import { useTranslation } from 'react-i18next'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { ProblemNotice } from '../../shared/problem-notice.tsx'
import { RunStateMark } from '../../shared/run-state-mark.tsx'
import { useScope } from '../../shared/scope.tsx'
import { useRunSubject } from '../../shared/use-run-subject.ts'
import styles from './connectors.module.css'

const REFRESH_MS = 10_000

/** The newest runs of a source. */
export function SourceRuns({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { tenantId } = useScope()
  const runs = useEndpoint(
    listRuns,
    { params: { tenantId }, query: { connectorId: connector.id, pageSize: 10 } },
    { enabled: connector.definitionId !== 'manual', refetchInterval: REFRESH_MS },
  )
  if (connector.definitionId === 'manual') return null
  return (
    <Section
      title={t('runs.title')}
      actions={runs.data?.data.length ? <span className={styles.columnHead}>{t('runs.at')}</span> : undefined}
    >
      {runs.error && <ProblemNotice error={runs.error} onRetry={runs.refetch} />}
      {runs.data?.data.length === 0 && <p className={styles.muted}>{t('runs.none')}</p>}
      <ul className={styles.list}>
        {runs.data?.data.map((run) => (
          <RunLine key={run.id} run={run} />
        ))}
      </ul>
    </Section>
  )
}

function RunLine({ run }: { run: Run }) {
  const { t } = useTranslation('connectors')
  const { instant } = useFormat()
  const { subject } = useRunSubject()
  return (
    <li className={styles.line}>
      <AppLink href={paths.run(run.id)}>
        <bdi>{run.nothingNew ? t('runs.nothingNew') : subject(run)}</bdi>
      </AppLink>
      <RunStateMark run={run} />
      <span className={styles.muted}>{run.began === 'schedule' ? t('runs.bySchedule') : run.createdBy}</span>
      <bdi className={`figures ${styles.muted}`}>{instant(run.createdAt)}</bdi>
    </li>
  )
}
