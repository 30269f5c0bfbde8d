import type { TargetGroup } from '@instep/contract/target-groups.ts'
import { RunMark } from '@instep/ui/run-mark.tsx'
import { useTranslation } from 'react-i18next'

/** Whether a group is at the target as wanted, everybody in it; `off`: the target is switched off. */
export function GroupStateMark({ group, off }: { group: TargetGroup; off: boolean }) {
  const { t } = useTranslation('groups')
  if (group.state === 'held' || group.members.held > 0) return <RunMark state="waiting" word={t('state.held')} />
  if (!group.wanted) return <RunMark state="waiting" word={t('state.leaving')} />
  if (group.state === 'quarantined') return <RunMark state="failed" word={t('state.quarantined')} />
  if (group.state === 'failed') return <RunMark state="failed" word={t('state.failed')} />
  if (group.state === 'paused') return <RunMark state={off ? 'disabled' : 'waiting'} word={t(off ? 'state.off' : 'state.paused')} />
  if (group.state === 'pending' || group.members.pending > 0) return <RunMark state="waiting" word={t('state.pending')} />
  if (group.members.quarantined > 0) return <RunMark state="partlySucceeded" word={t('state.refused')} />
  return <RunMark state="succeeded" word={t('state.inStep')} />
}
