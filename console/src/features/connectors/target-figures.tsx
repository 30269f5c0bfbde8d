import type { ResponseOf } from '@instep/contract/endpoint.ts'
import type { getTargetSummary } from '@instep/contract/provisioning.ts'
import { FigureStrip } from '@instep/ui/figure-strip.tsx'
import { KeyFigure } from '@instep/ui/key-figure.tsx'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'

type Summary = ResponseOf<typeof getTargetSummary>

/** Whether a target is in step at a glance: how many are, what is owed and for how long, and how long changes took. `byHand`: people do it. */
export function TargetFigures({ summary, byHand }: { summary: Summary; byHand: boolean }) {
  const { t } = useTranslation('targets')
  const { number, share, duration: seconds } = useFormat()
  const duration = (milliseconds: number) => (milliseconds < 1000 ? t('figures.underSecond') : seconds(milliseconds))
  const { counts, backlog, times, marking } = summary
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const waiting = marking
    ? t('figures.marking', { done: number(marking.done), total: number(marking.total) })
    : backlog.count === 0
      ? t('figures.nothingOwed')
      : backlog.seconds === null
        ? t(byHand ? 'figures.byHand' : 'figures.notMoving')
        : t('figures.doneIn', { time: duration(backlog.seconds * 1000), pace: number(backlog.perMinute) })
  const figure = (kind: keyof Summary['times']) => {
    const { count, median, p95 } = times[kind]
    return {
      value: median === null ? '–' : duration(median),
      note: p95 === null ? t('figures.notMeasured') : t('figures.p95', { time: duration(p95), count, amount: number(count) }),
    }
  }
  return (
    <FigureStrip>
      <KeyFigure label={t('figures.inStep')} value={number(counts.inStep)} note={all > 0 ? share(counts.inStep / all) : undefined} />
      <KeyFigure label={t('figures.backlog')} value={number(backlog.count)} note={waiting} />
      <KeyFigure label={t('figures.timeInStep')} {...figure('inStep')} />
      <KeyFigure label={t('figures.timeRevoke')} {...figure('revoke')} />
    </FigureStrip>
  )
}
