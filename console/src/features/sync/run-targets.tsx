import { RunMark } from '@instep/ui/run-mark.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { paths } from '../../paths.ts'
import { AppLink } from '../../shared/app-link.tsx'
import styles from './sync.module.css'
import type { WatchedRun } from './watched-run.ts'

const MARKS = { pending: 'running', paused: 'waiting', off: 'disabled', failed: 'partlySucceeded', inStep: 'succeeded' } as const

/** How far the accounts of this run's people have come at each target. */
export function RunTargets({ run }: { run: WatchedRun }) {
  const { t } = useTranslation('sync')
  const { number } = useFormat()
  if (run.targets.length === 0) return null
  return (
    <ul className={styles.targets} aria-label={t('targets.label')}>
      {run.targets.map(({ targetId, name, enabled, ...figures }) => {
        const { pending, paused, inStep, failed } = figures
        const counts = { ...figures, off: paused }
        const total = pending + paused + inStep + failed
        const told = pending > 0 ? 'pending' : paused > 0 ? (enabled ? 'paused' : 'off') : failed > 0 ? 'failed' : 'inStep'
        return (
          <li key={targetId}>
            <AppLink href={paths.connector(targetId)}>{name}</AppLink>{' '}
            <RunMark
              state={MARKS[told]}
              progress={total === 0 ? null : inStep / total}
              word={t(`targets.${told}`, { count: counts[told], amount: number(counts[told]) })}
            />
          </li>
        )
      })}
    </ul>
  )
}
