import type { TargetTask } from '@instep/contract/target-tasks.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/use-format.ts'
import { useChangeWords } from '../../shared/use-change-words.ts'

/** Of somebody new, what the list says already. */
const SAID: ReadonlySet<string> = new Set(['externalId', 'employeeNumber', 'userName', 'givenName', 'familyName', 'displayName'])

const DATES: ReadonlySet<string> = new Set(['startDate', 'endDate'])

/** What a task asks for, in words. */
export const useTaskWords = () => {
  const { t } = useTranslation('tasks')
  const { date } = useFormat()
  const { nameOf, written } = useChangeWords()
  const shown = (field: string, value: unknown): string | null =>
    typeof value === 'string' && DATES.has(field) && /^\d{4}-\d\d-\d\d$/.test(value) ? date(value) : written(value)
  return {
    /** One sentence: what is to be done, for whom and where. */
    asked: ({ kind, displayName, targetName }: TargetTask): string => t(`asked.${kind}`, { person: displayName, target: targetName }),
    changes: ({ changes }: TargetTask) =>
      changes.map(({ field, before, after }) => ({
        key: field,
        label: nameOf(field),
        before: shown(field, before),
        after: shown(field, after),
      })),
    /** The changes in one line, shortened for a list. */
    summary: ({ changes, kind }: TargetTask): string => {
      const telling = changes.filter(({ field }) => kind !== 'create' || !SAID.has(field))
      const named = telling.slice(0, 3).map(({ field, before, after }) => {
        const [from, to] = [shown(field, before) ?? '–', shown(field, after) ?? '–']
        return kind === 'create' ? `${nameOf(field)}: ${to}` : `${nameOf(field)}: ${from} → ${to}`
      })
      return telling.length > 3 ? [...named, '…'].join(' · ') : named.join(' · ')
    },
  }
}
