import type { PlanRow } from '@instep/contract/sync.ts'
import { userFieldNames } from '@instep/contract/user-fields.ts'
import type { Change } from '@instep/ui/diff.tsx'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../shared/scope.tsx'
import { useShownValue } from './use-shown-value.ts'

const ORDER: readonly string[] = ['active', 'employment', 'placement', ...userFieldNames]

/** The changed fields of a plan row in the order of the form, values as a person reads them. */
export const useChanges = () => {
  const { t, i18n } = useTranslation('people')
  const shownValue = useShownValue()
  const { sites } = useScope()
  return useCallback(
    (row: Pick<PlanRow, 'before' | 'after'>): Change[] => {
      const shown = (field: string, value: unknown): string | null => {
        const text = shownValue(value)
        if (field === 'placement' && text !== null)
          return text === 'none' ? t('unassigned') : (sites?.find(({ id }) => id === text)?.name ?? text)
        return field === 'employment' && text !== null ? t(`employment.${text}`) : text
      }
      const fields = [...new Set([...Object.keys(row.before), ...Object.keys(row.after)])].sort(
        (a, b) => ORDER.indexOf(a) - ORDER.indexOf(b),
      )
      return fields.map((field) => ({
        key: field,
        label: i18n.exists(`people:fields.${field}`) ? t(`fields.${field}`) : field,
        before: shown(field, row.before[field]),
        after: shown(field, row.after[field]),
      }))
    },
    [t, i18n, shownValue, sites],
  )
}
