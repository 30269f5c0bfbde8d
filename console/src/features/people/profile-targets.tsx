import type { UserTarget } from '@instep/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { AcceptedWords } from '../../shared/accepted-words.tsx'
import { RevokeAccepted } from '../../shared/revoke-accepted.tsx'
import { TargetStateMark } from '../../shared/target-state-mark.tsx'
import styles from './person.module.css'

/** Where the person's account stands at each target, and if it is not in step, why. */
export function ProfileTargets({ userId, targets }: { userId: string; targets: readonly UserTarget[] }) {
  const { t } = useTranslation('profile')
  const { instant } = useFormat()
  if (targets.length === 0) return null
  return (
    <ul className={styles.targets} aria-label={t('targets.label')}>
      {targets.map((target) => (
        <li key={target.targetId} className={styles.target}>
          <strong>{target.targetName}</strong>
          <TargetStateMark target={target} />
          {target.state === 'inStep' && target.appliedAt && <bdi className="figures">{instant(target.appliedAt)}</bdi>}
          {target.state === 'pending' && target.lastError && <span>{t('targets.waits')}</span>}
          {target.lastError && target.state !== 'pending' && <span className={styles.targetLine}>{target.lastError}</span>}
          {target.nextTryAt && target.state === 'leaving' && <span>{t('targets.deletedAt', { time: instant(target.nextTryAt) })}</span>}
          {target.nextTryAt && (target.state === 'failed' || target.state === 'paused') && (
            <span className={styles.targetLine}>
              {t(target.attempts > 0 ? 'targets.nextTry' : 'targets.firstTry', {
                time: instant(target.nextTryAt),
                attempts: target.attempts,
              })}
            </span>
          )}
          {target.accepted.map((value) => (
            <span key={value.attribute} className={styles.targetLine}>
              {t('targets.accepted', { name: value.by })} <AcceptedWords value={value} />{' '}
              <RevokeAccepted targetId={target.targetId} userId={userId} attribute={value.attribute} />
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
