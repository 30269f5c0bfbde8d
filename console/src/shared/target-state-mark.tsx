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
export function TargetStateMark({ state }: Pick<UserTarget, 'state'>) {
  const { t } = useTranslation('profile')
  return <RunMark state={MARKS[state]} word={t(`targets.${state}`)} />
}
