import type { PlanKind } from '@instep/contract/plan-kinds.ts'
import type { HeldReason, RunNote } from '@instep/contract/run-findings.ts'
import type { PlanRow, Run } from '@instep/contract/sync.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { isDone } from '../../shared/is-done.ts'
import { useGuardName } from '../../shared/use-guard-names.ts'
import { useDetail } from './use-detail.ts'

const KINDS: readonly PlanKind[] = ['create', 'update', 'future', 'leave', 'reactivate', 'deactivate']

/** What a run says, in sentences: why it is held, why it failed, why a row is what it is, what applying would do. */
export const useRunWords = () => {
  const { t, i18n } = useTranslation(['sync', 'plan', 'problems', 'people'])
  const { number, date, instant } = useFormat()
  const detail = useDetail()
  const guardName = useGuardName()

  const reasons = useCallback(
    (of: Pick<PlanRow, 'reasons'>): string[] =>
      of.reasons.map(({ code, field, params }) =>
        t(`plan:${code}`, {
          ...params,
          ...(typeof params?.['because'] === 'string' && {
            detail: detail({ detail: String(params['detail'] ?? ''), because: { code: params['because'], params } }),
          }),
          // a day, as the plan writes it
          ...(typeof params?.['date'] === 'string' && { date: date(params['date']) }),
          ...(typeof params?.['at'] === 'string' && { at: instant(params['at']) }),
          field: field ? t(`people:fields.${field}`) : '',
          defaultValue: code,
        }),
      ),
    [t, date, instant, detail],
  )
  const held = useCallback(
    ({ code, params }: HeldReason): string => {
      const count = Number(params['count'] ?? params['deactivations'] ?? 0)
      if (code !== 'overLimit') return t(`held.${code}`, { ...params, count })
      const sentence = t(`held.over.${params['kind']}.${params['window']}`, { ...params, count, amount: number(count) })
      return 'site' in params ? t('held.over.atSite', { site: params['site'], sentence }) : sentence
    },
    [t, number],
  )
  const note = useCallback(
    ({ code, params }: RunNote): string => {
      const site = params['site'] === undefined ? undefined : String(params['site'])
      return t(`notes.${code}`, {
        ...params,
        count: Number(params['count'] ?? 0),
        guard: 'guard' in params ? guardName(String(params['guard']), site) : '',
      })
    },
    [t, guardName],
  )
  const failure = useCallback(
    ({ code, params }: NonNullable<Run['failure']>): string =>
      i18n.exists(`problems:${code}`) ? t(`problems:${code}`, params) : t('problems:INTERNAL'),
    [t, i18n],
  )
  /** What applying would do (`effects`) or what was done (`done`), kind by kind; empty when nothing changes. */
  const changes = useCallback(
    (tense: 'effects' | 'done', counts: Run['counts']): string => {
      const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) =>
        t(`${tense}.${kind}`, { count: counts[kind], amount: number(counts[kind]) }),
      )
      return new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(parts)
    },
    [t, i18n.language, number],
  )
  const effects = useCallback((counts: Run['counts']) => changes('effects', counts), [changes])
  const done = useCallback((counts: Run['counts']) => changes('done', counts), [changes])
  /** What a run did, in a line; what it only planned is told as a plan. */
  const outcome = useCallback(
    (run: Run): string => {
      if (run.nothingNew) return t('runs.nothingNew')
      if (isDone(run)) return done(run.counts) || '–'
      if (run.finishedAt && run.applied > 0) return t('runs.partly', { count: run.applied, amount: number(run.applied) })
      const planned = effects(run.counts)
      return planned ? t('runs.planned', { effects: planned }) : '–'
    },
    [t, number, done, effects],
  )
  return { reasons, held, note, failure, effects, done, outcome }
}
