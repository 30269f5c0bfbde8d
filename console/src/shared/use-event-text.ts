import type { LogEntry } from '@instep/contract/logs.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useGuardNames } from './use-guard-names.ts'

/** The sentence of an entry in the reader's language; an event without words there keeps the server's sentence. */
export const useEventText = () => {
  const { t, i18n } = useTranslation(['events', 'people'])
  const guardNames = useGuardNames()
  return useCallback(
    (entry: Pick<LogEntry, 'eventType' | 'data' | 'message' | 'userName'>): string => {
      const key = entry.eventType
      if (!i18n.exists(key, { ns: 'events', keySeparator: false })) return entry.message
      const { fields, changed } = entry.data
      const named = (field: string) => t(`people:fields.${field}`, { defaultValue: field })
      return t(key, {
        ...entry.data,
        ...(typeof fields === 'string' && { fields: fields.split(', ').map(named).join(', ') }),
        ...(key === 'connector.guard.changed' && typeof changed === 'string' && { changed: guardNames(changed.split(', ')) }),
        user: entry.userName ?? entry.data['user'] ?? '',
        keySeparator: false,
        interpolation: { escapeValue: false },
      })
    },
    [t, i18n, guardNames],
  )
}
