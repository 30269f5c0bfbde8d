import type { Run } from '@instep/contract/sync.ts'
import { StageBar } from '@instep/ui/stage-bar.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'

type Stage = Run['stages'][number]

/** The stages of a run with what each has done so far. */
export function RunStages({ run }: { run: Pick<Run, 'stages' | 'finishedAt'> }) {
  const { t } = useTranslation('sync')
  const { number, duration } = useFormat()
  const facts = ({ name, state, count }: Stage): string => {
    if (state === 'waiting') return ''
    const amount = number(count)
    if (name !== 'match') return t('run.rows', { count, amount })
    // how many are known is said when all were looked up
    if (state === 'running') return ''
    return count === 0 ? t('run.recognisedNobody') : t('run.recognised', { count, amount })
  }
  return (
    <StageBar
      label={t('run.stages')}
      stages={run.stages.map((stage) => ({
        key: stage.name,
        name: t(`stages.${stage.name}`),
        state: stage.state === 'running' && run.finishedAt ? 'stopped' : stage.state,
        share: stage.total ? Math.min(1, stage.count / stage.total) : null,
        count: facts(stage),
        time: stage.state === 'waiting' ? '' : duration(stage.milliseconds),
      }))}
    />
  )
}
