import { useMemo } from 'react'
import { formatBytes, formatDate, formatDuration, formatInstant, formatNumber, formatRelativeDay, formatShare } from './format.ts'
import { useTranslation } from './use-translation.ts'

/** The formats of `format.ts` in the reader's language. */
export const useFormat = () => {
  const { language: locale } = useTranslation()
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
