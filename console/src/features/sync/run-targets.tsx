import { RunMark } from '@instep/ui/run-mark.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import styles from './sync.module.css'
import type { WatchedRun } from './watched-run.ts'

/** How far the accounts of this run's people have come at each target. */
export function RunTargets({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const { number } = useFormat()
  if (run.targets.length === 0) return null
  return (
    <ul className={styles.targets} aria-label={t('targets.label')}>
      {run.targets.map(({ targetId, name, pending, inStep, failed }) => {
        const total = pending + inStep + failed
        const state = pending > 0 ? 'running' : failed > 0 ? 'partlySucceeded' : 'succeeded'
        return (
          <li key={targetId}>
            <AppLink href={paths.connector(targetId)}>{name}</AppLink>{' '}
            <RunMark
              state={state}
              progress={total === 0 ? null : inStep / total}
              word={t(pending > 0 ? 'targets.pending' : failed > 0 ? 'targets.failed' : 'targets.inStep', {
                count: pending > 0 ? pending : failed > 0 ? failed : inStep,
                amount: number(pending > 0 ? pending : failed > 0 ? failed : inStep),
              })}
            />
          </li>
        )
      })}
    </ul>
  )
}
