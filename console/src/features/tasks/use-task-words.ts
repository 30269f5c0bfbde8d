import type { TargetTask } from '@instep/contract/target-tasks.ts'
import { useTranslation } from 'react-i18next'
import { useChangeWords } from '../../shared/use-change-words.ts'

/** Of somebody new, what the list says already. */
const SAID: ReadonlySet<string> = new Set(['externalId', 'employeeNumber', 'userName', 'givenName', 'familyName', 'displayName'])

/** What a task asks for, in words. */
export const useTaskWords = () => {
  const { t } = useTranslation('tasks')
  const { nameOf, written } = useChangeWords()
  return {
    /** One sentence: what is to be done, for whom and where. */
    asked: ({ kind, displayName, targetName }: TargetTask): string => t(`asked.${kind}`, { person: displayName, target: targetName }),
    changes: ({ changes }: TargetTask) =>
      changes.map(({ field, before, after }) => ({
        key: field,
        label: nameOf(field),
        before: written(field, before),
        after: written(field, after),
      })),
    /** The changes in one line, shortened for a list. */
    summary: ({ changes, kind }: TargetTask): string => {
      const telling = changes.filter(({ field }) => kind !== 'create' || !SAID.has(field))
      const named = telling.slice(0, 3).map(({ field, before, after }) => {
        const [from, to] = [written(field, before) ?? '–', written(field, after) ?? '–']
        return kind === 'create' ? `${nameOf(field)}: ${to}` : `${nameOf(field)}: ${from} → ${to}`
      })
      return telling.length > 3 ? [...named, '…'].join(' · ') : named.join(' · ')
    },
  }
}
