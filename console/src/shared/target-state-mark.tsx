import type { UserTarget } from '@instep/contract/users.ts'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { useTranslation } from 'react-i18next'

const MARKS = {
  pending: 'waiting',
  inStep: 'succeeded',
  failed: 'failed',
  quarantined: 'failed',
  paused: 'partlySucceeded',
  protected: 'disabled',
  held: 'waiting',
  leaving: 'partlySucceeded',
} as const

/** Where an account stands at a target. */
export function TargetStateMark({ target: { state, targetEnabled } }: { target: Pick<UserTarget, 'state' | 'targetEnabled'> }) {
  const { t } = useTranslation('profile')
  // nobody need wait for a target that only a person switches on again
  if (state === 'paused' && !targetEnabled) return <RunMark state="disabled" word={t('targets.off')} />
  return <RunMark state={MARKS[state]} word={t(`targets.${state}`)} />
}
