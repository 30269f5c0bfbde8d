import type { RunState } from '@instep/contract/run-state.ts'
import type { Run } from '@instep/contract/sync.ts'
import { RunMark, type RunMarkState } from '@instep/ui/run-mark.tsx'
import { useTranslation } from 'react-i18next'

const MARKS: Record<RunState, RunMarkState> = {
  queued: 'notRun',
  running: 'running',
  planned: 'waiting',
  held: 'waiting',
  succeeded: 'succeeded',
  partlySucceeded: 'partlySucceeded',
  failed: 'failed',
  rejected: 'disabled',
  cancelled: 'disabled',
}

/** How much of the running stage is done, 0 to 1; null when its total is not known. */
const runShare = (run: Pick<Run, 'stages'>): number | null => {
  const stage = run.stages.find((one) => one.state === 'running')
  return stage?.total ? Math.min(1, stage.count / stage.total) : null
}

interface RunStateMarkProps {
  run: Pick<Run, 'state' | 'stages' | 'trial'>
}

/** The state of a sync run: its mark and its word, with a percentage while it runs. */
export function RunStateMark({ run }: RunStateMarkProps) {
  const { t } = useTranslation()
  // a trial that reached its end has changed nothing
  if (run.trial && run.state === 'succeeded') return <RunMark state="disabled" word={t('runState.tried')} />
  return <RunMark state={MARKS[run.state]} word={t(`runState.${run.state}`)} progress={run.state === 'running' ? runShare(run) : null} />
}
