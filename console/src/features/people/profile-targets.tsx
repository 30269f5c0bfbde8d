import type { UserTarget } from '@instep/contract/users.ts'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import styles from './person.module.css'

const MARKS = { pending: 'waiting', inStep: 'succeeded', failed: 'failed', quarantined: 'failed', paused: 'partlySucceeded' } as const

/** Where the person's account stands at each target, and if it is not in step, why. */
export function ProfileTargets({ targets }: { targets: readonly UserTarget[] }) {
  const { t } = useTranslation('profile')
  const { instant } = useFormat()
  if (targets.length === 0) return null
  return (
    <ul className={styles.targets} aria-label={t('targets.label')}>
      {targets.map((target) => (
        <li key={target.targetId} className={styles.target}>
          <strong>{target.targetName}</strong>
          <RunMark state={MARKS[target.state]} word={t(`targets.${target.state}`)} />
          {target.state === 'inStep' && target.appliedAt && <bdi className="figures">{instant(target.appliedAt)}</bdi>}
          {target.lastError && <span className={styles.targetError}>{target.lastError}</span>}
          {target.nextTryAt && target.state === 'failed' && (
            <span className={styles.targetError}>
              {t('targets.nextTry', { time: instant(target.nextTryAt), attempts: target.attempts })}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
