import type { HeldReason, PlanKind, PlanRow, Run } from '@instep/contract/sync.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'

/** What a run says, in sentences: why it is held, why it failed, why a row is what it is, what applying would do. */
export const useRunWords = () => {
  const { t, i18n } = useTranslation(['sync', 'plan', 'problems', 'people'])
  const { number } = useFormat()

  const reasons = useCallback(
    (row: PlanRow): string[] =>
      row.reasons.map(({ code, field, params }) => t(`plan:${code}`, { ...params, field: field ? t(`people:fields.${field}`) : '', defaultValue: code })),
    [t],
  )
  const held = useCallback(
    ({ code, params }: HeldReason): string => t(`held.${code}`, { ...params, count: Number(params['count'] ?? params['deactivations'] ?? 0) }),
    [t],
  )
  const failure = useCallback(
    ({ code, params }: NonNullable<Run['failure']>): string => (i18n.exists(`problems:${code}`) ? t(`problems:${code}`, params) : t('problems:INTERNAL')),
    [t, i18n],
  )
  const effects = useCallback(
    (counts: Run['counts']): string => {
      const kinds: PlanKind[] = ['create', 'update', 'reactivate', 'deactivate']
      const parts = kinds.filter((kind) => counts[kind] > 0).map((kind) => t(`effects.${kind}`, { count: counts[kind], amount: number(counts[kind]) }))
      return new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(parts)
    },
    [t, i18n, number],
  )
  return { reasons, held, failure, effects }
}
