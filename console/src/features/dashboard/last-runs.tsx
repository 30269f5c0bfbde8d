import type { Run } from '@instep/contract/sync.ts'
import { Section } from '@instep/ui/section.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import { isDone } from '../../shared/is-done.ts'
import { RunStateMark } from '../../shared/run-state-mark.tsx'
import styles from './dashboard.module.css'

const TOLD = ['create', 'update', 'deactivate', 'reactivate', 'future', 'leave', 'invalid', 'conflict'] as const

/** The past five syncs: how each ended, what it changed, when and for how long. */
export function LastRuns({ runs }: { runs: readonly Run[] }) {
  const { t } = useTranslation('dashboard')
  return (
    <Section title={t('lastRuns.title')} actions={<span className={styles.columnHead}>{t('lastRuns.at')}</span>}>
      <ul className={styles.runs}>
        {runs.map((run) => (
          <LastRun key={run.id} run={run} />
        ))}
      </ul>
    </Section>
  )
}

/** What a run did; what it only planned is told as a plan. */
const useOutcome = () => {
  const { t } = useTranslation('dashboard')
  const { number } = useFormat()
  return (run: Run): string => {
    const changes = TOLD.filter((kind) => (run.counts[kind] ?? 0) > 0)
      .map((kind) => t(`lastRuns.${kind}`, { count: run.counts[kind] ?? 0, amount: number(run.counts[kind] ?? 0) }))
      .join(', ')
    if (isDone(run)) return changes || t('lastRuns.nothing')
    if (run.finishedAt && run.applied > 0) return t('lastRuns.partly', { count: run.applied, amount: number(run.applied) })
    if (changes) return t('lastRuns.planned', { changes })
    if (run.state === 'queued' || run.state === 'running') return '–'
    return t(run.state === 'planned' ? 'lastRuns.nothing' : 'lastRuns.nothingDone')
  }
}

function LastRun({ run }: { run: Run }) {
  const { instant, duration } = useFormat()
  const outcome = useOutcome()
  // what the stages took; a plan that waits for a person is not work
  const worked = run.stages.reduce((sum, stage) => sum + stage.milliseconds, 0)
  return (
    <li className={styles.run}>
      <div className={styles.runHead}>
        <AppLink href={paths.run(run.id)} className={styles.runName ?? ''}>
          {run.connectorName}
        </AppLink>
        <RunStateMark run={run} />
      </div>
      <bdi className={`${styles.when} figures`}>{instant(run.createdAt)}</bdi>
      <div className={styles.what}>{outcome(run)}</div>
      <bdi className={`${styles.took} figures`}>{duration(worked)}</bdi>
    </li>
  )
}
