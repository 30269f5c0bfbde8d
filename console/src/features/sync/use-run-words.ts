import type { HeldReason, PlanKind, PlanRow, Run } from '@instep/contract/sync.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'

const KINDS: readonly PlanKind[] = ['create', 'update', 'reactivate', 'deactivate']

/** What a run says, in sentences: why it is held, why it failed, why a row is what it is, what applying would do. */
export const useRunWords = () => {
  const { t, i18n } = useTranslation(['sync', 'plan', 'problems', 'people'])
  const { number, instant } = useFormat()

  const reasons = useCallback(
    (row: PlanRow): string[] =>
      row.reasons.map(({ code, field, params }) =>
        t(`plan:${code}`, {
          ...params,
          ...(typeof params?.['at'] === 'string' ? { at: instant(params['at']) } : {}),
          field: field ? t(`people:fields.${field}`) : '',
          defaultValue: code,
        }),
      ),
    [t, instant],
  )
  const held = useCallback(
    ({ code, params }: HeldReason): string =>
      t(`held.${code}`, { ...params, count: Number(params['count'] ?? params['deactivations'] ?? 0) }),
    [t],
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
    [t, i18n, number],
  )
  const effects = useCallback((counts: Run['counts']) => changes('effects', counts), [changes])
  const done = useCallback((counts: Run['counts']) => changes('done', counts), [changes])
  return { reasons, held, failure, effects, done }
}
