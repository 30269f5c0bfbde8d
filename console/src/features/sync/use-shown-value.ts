import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'

const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/

/** A value of a person as it is read; null for none. */
export const useShownValue = () => {
  const { t } = useTranslation('common')
  const { date } = useFormat()
  return useCallback(
    (value: unknown): string | null => {
      if (value === null || value === undefined || value === '') return null
      if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
      return typeof value === 'string' && PLAIN_DATE.test(value) ? date(value) : String(value)
    },
    [t, date],
  )
}
