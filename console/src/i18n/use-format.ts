import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate, formatDuration, formatInstant, formatNumber, formatRelativeDay, formatShare } from './format.ts'

/** The formats of `format.ts` in the reader's language. */
export const useFormat = () => {
  const {
    i18n: { language: locale },
  } = useTranslation()
  return useMemo(
    () => ({
      locale,
      date: formatDate,
      instant: formatInstant,
      number: (value: number) => formatNumber(value, locale),
      share: (value: number) => formatShare(value, locale),
      bytes: (value: number) => formatBytes(value, locale),
      duration: (milliseconds: number) => formatDuration(milliseconds, locale),
      relativeDay: (instant: string, now = new Date()) => formatRelativeDay(instant, locale, now),
    }),
    [locale],
  )
}
