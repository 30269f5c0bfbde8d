import type { LogEntry } from '@instep/contract/logs.ts'
import { useCallback } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'

/** The sentence of an entry in the reader's language; an event without words there keeps the server's sentence. */
export const useEventText = () => {
  const { t, hasText } = useTranslation('events')
  return useCallback(
    (entry: Pick<LogEntry, 'eventType' | 'data' | 'message' | 'userName'>): string => {
      const key = entry.eventType
      if (!hasText(`events:${key}`)) return entry.message
      return t(key, { ...entry.data, user: entry.userName ?? entry.data['user'] ?? '' })
    },
    [t, hasText],
  )
}
