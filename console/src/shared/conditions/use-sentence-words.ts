import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { SentenceWords } from './describe-condition.ts'
import { useConditionNames } from './use-condition-names.ts'

/** Stands for the value while a phrase is put together; no text has it. */
const VALUE = '\0'

/** "External ID" inside a sentence: a small first letter, unless the word is an abbreviation. */
const inside = (name: string, locale: string): string =>
  /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLocaleLowerCase(locale) + name.slice(1) : name

/** The words of sentences about conditions, in the reader's language. */
export const useSentenceWords = (): SentenceWords => {
  const { t, i18n } = useTranslation('conditions')
  const { fieldName, valueText } = useConditionNames()
  return useMemo(
    () => ({
      phrase: (field, operator) => {
        const [before = '', after = ''] = t(`phrase.${operator}`, { field: inside(fieldName(field), i18n.language), value: VALUE }).split(
          VALUE,
        )
        return { before, after }
      },
      flag: (field, value) => t(`flag.${field}.${value ? 'yes' : 'no'}`),
      value: valueText,
      and: t('and'),
      or: t('or'),
      not: t('not'),
    }),
    [t, i18n.language, fieldName, valueText],
  )
}
